/* Journals of sweeps: merged, and continued. An input is lines, each of which gets its seal, behind the head of a quick sweep unless it has one itself; a line that
 * begins with "!" stays as what follows, and so does an unfinished last one. What is refused is left as it was; a sweep that went on leaves a journal from which the
 * next one has the same results without evaluating anything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/memory.h"
#include "study/sweep/desk.h"
#include "tests/fuzz/target.h"
#include "tests/support/fake_work.h"
#include "tests/support/file_text.h"

enum { POINTS = 3, SAMPLES = 50, MOST_SEALED = 4096 }; /* 9 chunks */

/* ---- the file ---- */

static void put_sealed(const char *line, size_t length, FILE *out) {
    char sealed[MOST_SEALED + GRT_SEAL_SIZE + 2];
    if (length > MOST_SEALED || memchr(line, '\0', length) != NULL) { /* no seal is for such */
        fwrite(line, 1, length, out);
        fputc('\n', out);
        return;
    }
    memcpy(sealed, line, length);
    fwrite(sealed, 1, grt_line_seal(sealed, length), out);
}

static void put_head(const struct grt_fake_work *fake, FILE *out) {
    struct grt_journal_head head =
        grt_sweep_head(fake->work.experiment, &fake->work.shape, grt_chunk_plan(POINTS, SAMPLES, 0, 1));
    char *text = grt_journal_head_text(&head);
    fputs(text, out);
    free(text);
}

static bool begins(const char *text, size_t size, const char *word) {
    return size >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static void put_file(const char *path, const char *text, size_t size, const struct grt_fake_work *fake) {
    FILE *out = fopen(path, "wb");
    GRT_REQUIRE(out != NULL, "have a folder for files that are made");
    if (!begins(text, size, "gpurt-journal ") && !begins(text, size, "!")) {
        put_head(fake, out);
    }
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end != NULL ? (size_t)(end - text) : size, whole = length + (end != NULL);
        if (end != NULL && text[0] != '!') {
            put_sealed(text, length, out);
        } else {
            fwrite(text + (text[0] == '!'), 1, whole - (text[0] == '!'), out);
        }
        text += whole;
        size -= whole;
    }
    fclose(out);
}

/* ---- what is done with it ---- */

static bool merge(const char *path, const struct grt_fake_work *fake) {
    struct grt_results results;
    struct grt_errors errors = {0};
    bool good = grt_sweep_work_merge(fake->work.experiment, &fake->work.shape, &path, 1, &results, &errors);
    if (good) {
        grt_results_free(&results);
    }
    return fuzz_judge(good, &errors);
}

/* What a sweep that has this journal comes to, to be freed; NULL: it refuses. *ran: the samples that it evaluated. */
static char *go_on(const char *path, uint64_t *ran) {
    const struct grt_sweep_options options = {.threads = 1, .journal = path, .keep_journal = true};
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    bool good = grt_sweep_work_run(&fake.work, &options, &results, &errors);
    *ran = atomic_load(&fake.ran);
    if (!fuzz_judge(good, &errors)) {
        return NULL;
    }
    GRT_REQUIRE(results.complete, "a sweep that nobody ends is complete");
    char *text = grt_fake_results_text(&results);
    grt_results_free(&results);
    return text;
}

static void continue_twice(const char *path, bool was_whole) {
    size_t before_size, after_size;
    uint64_t ran, again;
    char *before = grt_file_text(path, &before_size), *once = go_on(path, &ran);
    if (once == NULL) {
        char *after = grt_file_text(path, &after_size);
        GRT_REQUIRE(after_size == before_size && memcmp(before, after, after_size) == 0,
                    "leave what is refused as it was");
        free(after);
    } else {
        char *twice = go_on(path, &again);
        GRT_REQUIRE(!was_whole || ran == 0, "evaluate nothing that the journal has");
        GRT_REQUIRE(twice != NULL && again == 0 && strcmp(once, twice) == 0, "go on from what was done");
        free(twice);
    }
    free(before);
    free(once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH_SIZE];
    struct grt_fake_work fake;
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    put_file(fuzz_path("journal", path), (const char *)data, size, &fake);
    continue_twice(path, merge(path, &fake));
    unlink(path);
    return 0;
}
