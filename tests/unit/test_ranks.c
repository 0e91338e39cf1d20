/* Sweeps on several ranks: here threads of one process, whose messages go through queues in memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/sweep/ranks.h"
#include "tests/support/fake_work.h"
#include "tests/support/suite.h"

#define JOURNAL GRT_SCRATCH_DIR "/ranks.journal"

enum { MOST_RANKS = 4, MOST_MESSAGES = 4096, POINTS = 7, SAMPLES = 130 };

/* What all ranks see. */
struct post {
    pthread_mutex_t mutex;
    struct grt_rank_message queues[MOST_RANKS][MOST_MESSAGES];
    size_t first[MOST_RANKS], count[MOST_RANKS];
};

struct rank {
    struct post *post;
    struct grt_ranks ranks;
    struct grt_fake_work fake;
    struct grt_sweep_options options;
    struct grt_results results;
    struct grt_errors errors;
    bool gives_up, good;
    uint64_t stops_after; /* samples of this rank; 0: never */
    uint64_t stops_at;    /* chunks of all, on rank 0 */
};

static void send_message(void *state, uint32_t to, const char *text, size_t size) {
    struct rank *rank = state;
    struct post *post = rank->post;
    pthread_mutex_lock(&post->mutex);
    if (post->count[to] < MOST_MESSAGES) {
        struct grt_rank_message *message =
            &post->queues[to][(post->first[to] + post->count[to]) % MOST_MESSAGES];
        *message = (struct grt_rank_message){rank->ranks.rank, malloc(size + 1), size};
        memcpy(message->text, text, size);
        message->text[size] = '\0';
        post->count[to]++;
    }
    pthread_mutex_unlock(&post->mutex);
}

static bool receive_message(void *state, struct grt_rank_message *message) {
    struct rank *rank = state;
    struct post *post = rank->post;
    uint32_t to = rank->ranks.rank;
    pthread_mutex_lock(&post->mutex);
    bool any = post->count[to] > 0;
    if (any) {
        *message = post->queues[to][post->first[to]];
        post->first[to] = (post->first[to] + 1) % MOST_MESSAGES;
        post->count[to]--;
    }
    pthread_mutex_unlock(&post->mutex);
    return any;
}

static bool go_on(void *state, const struct grt_sweep_progress *progress) {
    struct rank *rank = state;
    bool late = rank->stops_after > 0 && atomic_load(&rank->fake.ran) >= rank->stops_after;
    return !late && (rank->stops_at == 0 || progress->done < rank->stops_at);
}

static void *run_rank(void *argument) {
    struct rank *rank = argument;
    if (rank->gives_up) {
        grt_error_add(&rank->errors, NULL, "tasks.json: cannot be opened");
        grt_ranks_give_up(&rank->ranks, &rank->errors);
        return NULL;
    }
    rank->good = grt_sweep_work_run(&rank->fake.work, &rank->options, &rank->results, &rank->errors);
    return NULL;
}

/* `count` ranks, ready to be changed and run. */
static struct rank *start(uint32_t count, size_t threads) {
    struct post *post = calloc(1, sizeof *post);
    struct rank *ranks = calloc(count, sizeof *ranks);
    pthread_mutex_init(&post->mutex, NULL);
    for (uint32_t i = 0; i < count; i++) {
        struct rank *rank = &ranks[i];
        rank->post = post;
        rank->ranks = (struct grt_ranks){i, count, rank, send_message, receive_message};
        grt_fake_work_start(&rank->fake, POINTS, SAMPLES);
        rank->options = (struct grt_sweep_options){
            .threads = threads, .ranks = &rank->ranks, .go_on = go_on, .state = rank};
    }
    return ranks;
}

static void run(struct rank *ranks) {
    pthread_t threads[MOST_RANKS];
    for (uint32_t i = 0; i < ranks->ranks.count; i++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, run_rank, &ranks[i]), 0);
    }
    for (uint32_t i = 0; i < ranks->ranks.count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void end(struct rank *ranks) {
    for (uint32_t i = 0; i < ranks->ranks.count; i++) {
        struct grt_rank_message message;
        while (receive_message(&ranks[i], &message)) {
            free(message.text);
        }
        grt_results_free(&ranks[i].results);
        grt_errors_clear(&ranks[i].errors);
    }
    pthread_mutex_destroy(&ranks->post->mutex);
    free(ranks->post);
    free(ranks);
}

static void expect_error(const struct rank *rank, const char *part) {
    const char *got = rank->errors.count > 0 ? rank->errors.messages[0] : "(none)";
    CU_ASSERT_FALSE(rank->good);
    if (strstr(got, part) == NULL) {
        printf("\n    got:         %s\n    expected in: %s\n", got, part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(got, part));
}

static void expect_same(const struct rank *rank, const char *wanted) {
    grt_errors_print(&rank->errors, stdout, "\n    ");
    CU_ASSERT_FATAL(rank->good);
    CU_ASSERT(rank->results.complete);
    char *text = grt_fake_results_text(&rank->results);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
}

static void test_same_bytes(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    for (uint32_t count = 1; count <= MOST_RANKS; count++) {
        for (size_t threads = 1; threads <= 2; threads++) {
            struct rank *ranks = start(count, threads);
            uint64_t ran = 0, least = UINT64_MAX;
            for (uint32_t i = 0; i < count; i++) {
                ranks[i].fake.pause_ns = count == 2 && threads == 1 ? 500000 : 100000;
            }
            run(ranks);
            expect_same(&ranks[0], wanted);
            for (uint32_t i = 0; i < count; i++) {
                uint64_t own = atomic_load(&ranks[i].fake.ran);
                ran += own;
                least = own < least ? own : least;
            }
            CU_ASSERT_EQUAL(ran, POINTS * SAMPLES);             /* each set once */
            CU_ASSERT(least > 0 || count != 2 || threads != 1); /* with enough to do for both, both did */
            end(ranks);
        }
    }
    free(wanted);
}

static void test_interrupted_and_resumed(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    unlink(JOURNAL);
    struct rank *ranks = start(3, 1);
    ranks[0].options.journal = JOURNAL;
    ranks[0].stops_at = 4;
    for (uint32_t i = 0; i < 3; i++) {
        ranks[i].fake.pause_ns = 2000000;
    }
    run(ranks);
    CU_ASSERT(ranks[0].good);
    CU_ASSERT_FALSE(ranks[0].results.complete);
    end(ranks);
    ranks = start(2, 1);
    ranks[0].options.journal = JOURNAL;
    run(ranks);
    expect_same(&ranks[0], wanted);
    CU_ASSERT(atomic_load(&ranks[0].fake.ran) + atomic_load(&ranks[1].fake.ran) <= POINTS * SAMPLES - 60);
    end(ranks);
    free(wanted);
    unlink(JOURNAL);
}

static void test_a_rank_cannot_begin(void) {
    struct rank *ranks = start(3, 1);
    ranks[2].gives_up = true;
    for (uint32_t i = 0; i < 3; i++) {
        ranks[i].fake.pause_ns = 2000000;
    }
    run(ranks);
    expect_error(&ranks[0], "rank 2: tasks.json: cannot be opened");
    end(ranks);
}

static void test_a_rank_ends(void) {
    struct rank *ranks = start(2, 1);
    ranks[1].stops_after = 30;
    for (uint32_t i = 0; i < 2; i++) {
        ranks[i].fake.pause_ns = 2000000;
    }
    run(ranks);
    expect_error(&ranks[0], "rank 1 ended before its work was done");
    end(ranks);
}

static void test_a_rank_has_something_else(void) {
    struct rank *ranks = start(2, 1);
    ranks[1].fake.experiment.identity++;
    for (uint32_t i = 0; i < 2; i++) {
        ranks[i].fake.pause_ns = 2000000;
    }
    run(ranks);
    expect_error(&ranks[0], "rank 1 has another experiment than rank 0");
    end(ranks);
}

static void test_the_first_cannot_begin(void) {
    struct rank *ranks = start(3, 1);
    ranks[0].options.journal = GRT_SCRATCH_DIR "/no/folder.journal";
    run(ranks);
    expect_error(&ranks[0], "cannot create a journal there");
    for (uint32_t i = 1; i < 3; i++) {
        CU_ASSERT_EQUAL(ranks[i].errors.count, 0); /* only the first one speaks */
    }
    end(ranks);
    ranks = start(3, 1);
    ranks[0].gives_up = true;
    run(ranks);
    end(ranks);
}

int main(void) {
    CU_TestInfo tests[] = {{"same bytes", test_same_bytes},
                           {"interrupted and resumed", test_interrupted_and_resumed},
                           {"a rank cannot begin", test_a_rank_cannot_begin},
                           {"a rank ends", test_a_rank_ends},
                           {"a rank has something else", test_a_rank_has_something_else},
                           {"the first cannot begin", test_the_first_cannot_begin},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("ranks", tests);
}
