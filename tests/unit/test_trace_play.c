/* labels: robustness */
/* Plays of traces that are watched: too long, stopped by who watches, or by a sink that fails. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/played_source.h"
#include "tests/support/suite.h"

#define TRACE GRT_SCRATCH_DIR "/play.trc"
#define SCENARIO GRT_SCRATCH_DIR "/play.json"
#define RULES GRT_SOURCE_DIR "/scenarios/rules"

/* ---- Limits ---- */

static void check_limit(const char *path, uint64_t most, enum grt_play_end end, const char *message) {
    struct grt_trace_source source;
    struct heard_trace heard = {0};
    const struct grt_play_watch watch = {.most_records = most};
    source_open(&source, path);
    source_play(&source, NULL, &watch, &heard, end, message);
    CU_ASSERT(heard.kept.record_count <= most);
    CU_ASSERT_EQUAL(heard.ended, end == GRT_PLAY_DONE);
    heard_trace_free(&heard);
    grt_trace_source_close(&source);
}

static void test_limits(void) {
    source_write_trace(SOURCE_TEXT("20ms"), SCENARIO, TRACE);
    check_limit(TRACE, 36, GRT_PLAY_DONE, "");
    check_limit(TRACE, 35, GRT_PLAY_REFUSED, "has more than 35 records");
    check_limit(SCENARIO, 36, GRT_PLAY_DONE, "");
    /* The last job, of fast, arrives at 15 ms and takes 1 ms. */
    check_limit(SCENARIO, 35, GRT_PLAY_REFUSED,
                "horizon: is too long: its first 16ms alone make more than 35 records");
}

/* Ten years of a period of a microsecond: 10^14 jobs, of which the first hundred thousand records are simulated. */
static void test_absurd_horizon(void) {
    source_put_text(SCENARIO, "{\"gpurt\":1,\"horizon\":\"315360000s\",\"platform\":{\"gpus\":[{\"device\":"
                              "\"exclusive\"}]},\"tasks\":[{\"name\":\"a\",\"period\":\"1us\",\"segments\":["
                              "{\"cpu\":\"100ns\"}]}]}");
    /* Three records a job; 13 lots of 8192 are more than 100000, and their last one is the second of job 35498. */
    check_limit(SCENARIO, 100000, GRT_PLAY_REFUSED,
                "horizon: is too long: its first 35.4981ms alone make more than 100000 records");
}

/* Wherever a run of any scenario stops within an instant, its world is freed like any other. */
static void test_stops_anywhere(void) {
    DIR *entries = opendir(RULES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entries);
    int stopped = 0;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        static const char *const texts[] = {"horizon=\"100s\""};
        const struct grt_scenario_changes changes = {.sets = texts, .set_count = 1};
        for (uint64_t most = 1; most < 20000 && strstr(entry->d_name, ".json") != NULL; most += 8192) {
            char path[600];
            struct grt_trace_source source;
            struct heard_trace heard = {0};
            struct grt_errors errors = {0};
            const struct grt_play_watch watch = {.most_records = most};
            snprintf(path, sizeof path, RULES "/%s", entry->d_name);
            source_open(&source, path);
            enum grt_play_end end =
                grt_trace_source_play(&source, &changes, &heard_trace_sink, &heard, &watch, &errors);
            CU_ASSERT(end == (errors.count > 0 ? GRT_PLAY_REFUSED : GRT_PLAY_DONE));
            CU_ASSERT_EQUAL(heard.wrong_calls, 0);
            stopped += heard.named && end == GRT_PLAY_REFUSED;
            grt_errors_clear(&errors);
            heard_trace_free(&heard);
            grt_trace_source_close(&source);
        }
    }
    closedir(entries);
    CU_ASSERT(stopped > 60);
}

/* ---- Being asked ---- */

struct asker {
    int asked, stop_at; /* 0: never */
    struct grt_play_progress last;
    bool wrong; /* progress went back, or was no ratio */
};

static bool keep_on(void *state, const struct grt_play_progress *progress) {
    struct asker *asker = state;
    asker->asked++;
    asker->wrong = asker->wrong || progress->done_ratio < asker->last.done_ratio ||
                   progress->done_ratio > 1 || progress->record_count <= asker->last.record_count ||
                   progress->time < asker->last.time;
    asker->last = *progress;
    return asker->asked != asker->stop_at;
}

/* 12000 jobs of 6 records are 9 lots. */
static void test_asking(void) {
    static const char *const paths[] = {TRACE, SCENARIO};
    source_write_trace(SOURCE_TEXT("40s"), SCENARIO, TRACE);
    for (size_t i = 0; i < 2; i++) {
        struct grt_trace_source source;
        source_open(&source, paths[i]);
        for (int stop_at = 0; stop_at <= 9; stop_at++) {
            struct asker asker = {.stop_at = stop_at};
            struct heard_trace heard = {0};
            const struct grt_play_watch watch = {.keep_on = keep_on, .asker = &asker};
            source_play(&source, NULL, &watch, &heard, stop_at == 0 ? GRT_PLAY_DONE : GRT_PLAY_STOPPED, "");
            CU_ASSERT_EQUAL(asker.asked, stop_at == 0 ? 9 : stop_at);
            CU_ASSERT_EQUAL((int)heard.lots, asker.asked);
            CU_ASSERT_EQUAL(heard.ended, stop_at == 0);
            CU_ASSERT_FALSE(asker.wrong);
            CU_ASSERT(stop_at > 0 || asker.last.done_ratio > 0.99);
            CU_ASSERT(stop_at != 1 || (asker.last.done_ratio > 0.1 && asker.last.done_ratio < 0.13));
            heard_trace_free(&heard);
        }
        grt_trace_source_close(&source);
    }
}

/* The end of a run of horizon "auto" is not known before. */
static void test_unknown_end(void) {
    struct grt_trace_source source;
    struct asker asker = {.last.done_ratio = -1};
    struct heard_trace heard = {0};
    const struct grt_play_watch watch = {.keep_on = keep_on, .asker = &asker};
    source_put_text(SCENARIO, SOURCE_TEXT("auto"));
    source_open(&source, SCENARIO);
    source_play(&source, NULL, &watch, &heard, GRT_PLAY_DONE, "");
    CU_ASSERT_EQUAL(asker.asked, 1);
    CU_ASSERT(asker.last.done_ratio < 0);
    heard_trace_free(&heard);
    grt_trace_source_close(&source);
}

static void test_failing_sinks(void) {
    static const char *const paths[] = {TRACE, SCENARIO};
    static const int failures[] = {HEARD_FAILS_AT_NAMES, 1, 5, 9, HEARD_FAILS_AT_END};
    source_write_trace(SOURCE_TEXT("40s"), SCENARIO, TRACE);
    for (size_t i = 0; i < 2; i++) {
        struct grt_trace_source source;
        source_open(&source, paths[i]);
        for (size_t j = 0; j < sizeof failures / sizeof failures[0]; j++) {
            struct heard_trace heard = {.fails_at = failures[j]};
            source_play(&source, NULL, NULL, &heard, GRT_PLAY_FAILED, "");
            CU_ASSERT_EQUAL((int)heard.lots, failures[j] == HEARD_FAILS_AT_NAMES ? 0
                                             : failures[j] > 0                   ? failures[j]
                                                                                 : 9);
            heard_trace_free(&heard);
        }
        grt_trace_source_close(&source);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"limits", test_limits},
                           {"absurd horizon", test_absurd_horizon},
                           {"stops anywhere", test_stops_anywhere},
                           {"asking", test_asking},
                           {"unknown end", test_unknown_end},
                           {"failing sinks", test_failing_sinks},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("trace play", tests);
}
