/* labels: soak */
/* Journals: cut off, damaged, of something else, in places where they cannot be. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/fake_work.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"

#define JOURNAL GRT_SCRATCH_DIR "/test.journal"

enum { POINTS = 2, SAMPLES = 60 }; /* 6 chunks */

static void put(const char *text, size_t size) {
    FILE *file = fopen(JOURNAL, "wb");
    CU_ASSERT_FATAL(file != NULL);
    fwrite(text, 1, size, file);
    fclose(file);
}

static void expect_error(struct grt_errors *errors, const char *part) {
    CU_ASSERT_EQUAL(errors->count, 1);
    const char *got = errors->count > 0 ? errors->messages[0] : "(none)";
    if (strstr(got, part) == NULL) {
        printf("\n    got:         %s\n    expected in: %s\n", got, part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(got, part));
    grt_errors_clear(errors);
}

static struct grt_sweep_options usual(void) {
    return (struct grt_sweep_options){.threads = 1, .journal = JOURNAL, .keep_journal = true};
}

/* Expects the sweep to come out as undisturbed; returns how many samples it ran. */
static uint64_t expect_whole(const struct grt_sweep_options *options) {
    static char *wanted;
    wanted = wanted != NULL ? wanted : grt_fake_undisturbed(POINTS, SAMPLES);
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    bool good = grt_sweep_work_run(&fake.work, options, &results, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    grt_errors_clear(&errors);
    CU_ASSERT_FATAL(good);
    char *text = grt_fake_results_text(&results);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
    grt_results_free(&results);
    return atomic_load(&fake.ran);
}

static void expect_refused(const struct grt_sweep_options *options, const char *part) {
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    CU_ASSERT_FALSE(grt_sweep_work_run(&fake.work, options, &results, &errors));
    expect_error(&errors, part);
}

static char *whole_journal(size_t *size) {
    struct grt_sweep_options options = usual();
    unlink(JOURNAL);
    CU_ASSERT_EQUAL(expect_whole(&options), POINTS * SAMPLES);
    char *text = grt_file_text(JOURNAL, size);
    CU_ASSERT_FATAL(text != NULL);
    return text;
}

static void test_written_and_read(void) {
    size_t size = 0, lines = 0;
    char *text = whole_journal(&size);
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    CU_ASSERT_EQUAL(lines, 7);
    CU_ASSERT_EQUAL(strncmp(text, "gpurt-journal 2 version=" GRT_VERSION " name=fake seed=7 samples=60 ", 30),
                    0);
    struct grt_sweep_options options = usual();
    CU_ASSERT_EQUAL(expect_whole(&options), 0);
    free(text);
}

/* Bytes at the ends of lines, and some of the others; in long runs all. */
static bool is_tried(const char *text, size_t at) {
    return at % (size_t)grt_suite_cases(17, 1) == 0 || text[at] == '\n' || text[at] == '\0' ||
           (at > 0 && text[at - 1] == '\n');
}

/* Whatever byte it ends at: the next run goes on with the whole lines before, and leaves a good journal. */
static void test_cut_off_anywhere(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0, at = 0;
    char *text = whole_journal(&size);
    uint64_t lines = 0;
    for (at = 0; at <= size; at++) {
        lines += at > 0 && text[at - 1] == '\n';
        if (!is_tried(text, at)) {
            continue;
        }
        put(text, at);
        uint64_t chunks = lines > 0 ? lines - 1 : 0;
        if (expect_whole(&options) != POINTS * SAMPLES - chunks * GRT_CHUNK_SAMPLES) {
            break;
        }
        size_t left = 0;
        char *again = grt_file_text(JOURNAL, &left);
        bool same = left == size && memcmp(again, text, size) == 0;
        free(again);
        if (!same) {
            break;
        }
    }
    CU_ASSERT_EQUAL(at, size + 1);
    free(text);
}

/* A byte that is another one is found, wherever it is; in the last line, which may be unfinished, it is done again. */
static void test_damaged_anywhere(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0, at = 0;
    char *text = whole_journal(&size), *last = strrchr(text, '#');
    while (last > text && last[-1] != '\n') {
        last--;
    }
    const char *head_end = strchr(text, '\n');
    for (at = 0; at < size; at++) {
        if (!is_tried(text, at)) {
            continue;
        }
        char kept = text[at];
        text[at] = (char)(kept ^ (at % 3 == 0 ? 1 : at % 3 == 1 ? 4 : 0x80));
        put(text, size);
        struct grt_fake_work fake;
        struct grt_results results;
        struct grt_errors errors = {0};
        grt_fake_work_start(&fake, POINTS, SAMPLES);
        bool good = grt_sweep_work_run(&fake.work, &options, &results, &errors);
        bool in_last = text + at + 1 >= last, in_head = text + at <= head_end;
        text[at] = kept;
        if (good) {
            grt_results_free(&results);
        }
        const char *said = errors.count > 0 ? errors.messages[0] : "";
        bool told = strstr(said, "is damaged") != NULL || (in_head && strstr(said, "is no journal") != NULL);
        grt_errors_clear(&errors);
        uint64_t again =
            text + at + 1 == last ? 2 : 1; /* without its end, the line before goes with the last one */
        if (good != in_last || (good && atomic_load(&fake.ran) != again * GRT_CHUNK_SAMPLES) ||
            (!good && !told)) {
            printf("\n    byte %zu of %zu\n", at, size);
            break;
        }
    }
    CU_ASSERT_EQUAL(at, size);
    free(text);
}

static void test_lines_that_cannot_be(void) {
    static const char *const lines[] = {
        "chunk 6 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0", /* there are 6, from 0 */
        "chunk 18446744073709551616 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0",
        "chunk -1 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0",
        "chunk 0 19,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0", /* a set is missing */
        "chunk 0 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0",
        "chunk 0 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0 0",
        "chunk 0 20,0,0,0,0,0 21:0x1p+0,0x1p+0,0x1p+0,0x1p+0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0",
        "chunk 0 20,0,0,0,0,0 3:0x1p+0,0x1p+0,0x1p+0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0",
        "piece 0 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0",
        ""};
    static const char good[] = "chunk 0 20,0,0,0,0,0 0 0 20,0,0,0,0,0 20,0,0,0,0,0 0 0 0";
    static const size_t measures[] = {2, 0, 3};
    const struct grt_chunk_shape shape = {GRT_FAKE_EVALUATIONS, measures};
    const struct grt_chunk_plan plan = grt_chunk_plan(POINTS, SAMPLES, 0, 1);
    struct grt_chunk *chunk = grt_chunk_create(&shape, 0);
    for (size_t i = 0; i <= sizeof lines / sizeof lines[0]; i++) {
        bool is_good = i == sizeof lines / sizeof lines[0];
        char line[200];
        size_t length = (size_t)snprintf(line, sizeof line, "%s", is_good ? good : lines[i]);
        length = grt_line_seal(line, length) - 1;
        line[length] = '\0';
        CU_ASSERT_EQUAL(grt_chunk_read(chunk, &shape, &plan, line, length), is_good);
    }
    free(chunk);
}

static void test_of_something_else(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0;
    char *text = whole_journal(&size);
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"version=" GRT_VERSION, "version=0.0.9", "it has version=0.0.9, this one version=" GRT_VERSION},
        {"name=fake", "name=other", "it has name=other, this one name=fake"},
        {"seed=7", "seed=8", "it has seed=8, this one seed=7"},
        {"points=2", "points=3", "it has points=3, this one points=2"},
        {"build=", "build=f", "was written by another build of gpurt, which may count otherwise: by f"},
        {"identity=fa", "identity=fb", "a file that it names is another now"},
        {"gpurt-journal 2", "gpurt-journal 1", "is a journal of another version of gpurt"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[1000];
        char *end = strchr(text, '\n'), *at = strstr(text, cases[i].from);
        CU_ASSERT_FATAL(at != NULL);
        const char *rest = at + strlen(cases[i].from);
        size_t length = (size_t)snprintf(head, sizeof head, "%.*s%s%.*s", (int)(at - text), text, cases[i].to,
                                         (int)(end - rest) - GRT_SEAL_SIZE, rest);
        length = grt_line_seal(head, length);
        put(head, length);
        expect_refused(&options, cases[i].said);
        options.restart = true;
        CU_ASSERT_EQUAL(expect_whole(&options), POINTS * SAMPLES);
        options.restart = false;
        CU_ASSERT_EQUAL(expect_whole(&options), 0);
    }
    free(text);
}

/* Nothing of the user's is overwritten because it was named by mistake. */
static void test_files_that_are_no_journals(void) {
    static const char *const texts[] = {"{ \"gpurt_experiment\": 1 }\n", "gpurt", "gpurt-journey 1\n", "\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct grt_sweep_options options = usual();
        bool begun = i == 1; /* what a journal also begins with */
        put(texts[i], strlen(texts[i]));
        if (begun) {
            CU_ASSERT_EQUAL(expect_whole(&options), POINTS * SAMPLES);
            continue;
        }
        expect_refused(&options, "is no journal of gpurt");
        options.restart = true;
        expect_refused(&options, "is no journal of gpurt");
        size_t size = 0;
        char *left = grt_file_text(JOURNAL, &size);
        CU_ASSERT_STRING_EQUAL(left, texts[i]);
        free(left);
    }
}

static void test_places(void) {
    struct grt_sweep_options options = usual();
    options.journal = GRT_SCRATCH_DIR "/no/such/folder.journal";
    expect_refused(&options, "cannot create a journal there: No such file or directory");
    options.journal = GRT_SCRATCH_DIR;
    expect_refused(&options, "cannot open the journal: Is a directory");
    options.journal = GRT_SCRATCH_DIR "/new/";
    expect_refused(&options, "cannot create a journal there");
    options.journal = "/dev/null";
    expect_refused(&options, "a journal has to be a file");
    options.journal = "";
    expect_refused(&options, "cannot create a journal there");
}

static void test_another_run(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0;
    free(whole_journal(&size));
    int descriptor = open(JOURNAL, O_RDONLY);
    CU_ASSERT_EQUAL_FATAL(flock(descriptor, LOCK_EX | LOCK_NB), 0);
    expect_refused(&options, "another run is writing this journal");
    close(descriptor);
    CU_ASSERT_EQUAL(expect_whole(&options), 0);
}

/* The file may not grow any more: the sweep ends with an error, and what it could write is good. */
static void test_full_disk(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0;
    free(whole_journal(&size));
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t room = 100; room < size; room += size / 7) {
        unlink(JOURNAL);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, old.rlim_max});
        expect_refused(&options, "cannot write the journal: File too large");
        setrlimit(RLIMIT_FSIZE, &old);
        CU_ASSERT(expect_whole(&options) <= POINTS * SAMPLES);
    }
    signal(SIGXFSZ, SIG_DFL);
}

/* A chunk that is there twice is one if it is the same, else nobody knows which is right. */
static void test_twice(void) {
    struct grt_sweep_options options = usual();
    size_t size = 0;
    char *text = whole_journal(&size), *first = strchr(text, '\n') + 1, *second = strchr(first, '\n') + 1;
    FILE *file = fopen(JOURNAL, "ab");
    fwrite(first, 1, (size_t)(second - first), file);
    fclose(file);
    CU_ASSERT_EQUAL(expect_whole(&options), 0);
    char line[1000], *colon = NULL;
    size_t length = (size_t)(second - first) - 1;
    memcpy(line, first, length);
    line[length] = '\0';
    CU_ASSERT_FATAL(grt_line_unseal(line, &length));
    colon = strstr(line, ":0x1");
    CU_ASSERT_FATAL(colon != NULL);
    colon[3] = '0';
    length = grt_line_seal(line, length);
    file = fopen(JOURNAL, "ab");
    fwrite(line, 1, length, file);
    fclose(file);
    expect_refused(&options, "is there twice with different content");
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {{"written and read", test_written_and_read},
                           {"cut off anywhere", test_cut_off_anywhere},
                           {"damaged anywhere", test_damaged_anywhere},
                           {"lines that cannot be", test_lines_that_cannot_be},
                           {"of something else", test_of_something_else},
                           {"files that are no journals", test_files_that_are_no_journals},
                           {"places", test_places},
                           {"another run", test_another_run},
                           {"full disk", test_full_disk},
                           {"twice", test_twice},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("journal", tests);
}
