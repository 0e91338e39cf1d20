/* Files of samples: both formats, read as they were written; everything that is wrong with a line. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/samples.h"
#include "sim/random.h"
#include "tests/support/suite.h"

#define NAMES                                                                                                \
    "kernel,share,time_ns,instructions,warps,l2_read,l2_write,global_load,global_store,shared_load,"         \
    "shared_store,shared_load_conflicts,shared_store_conflicts,texture_load\n"

static bool parse(const char *text, struct grt_arena *arena, struct grt_sample_file *file,
                  struct grt_errors *errors) {
    return grt_samples_parse(text, strlen(text), arena, file, errors);
}

static struct grt_kernel_samples random_samples(const char *kernel, size_t count, struct grt_arena *arena) {
    struct grt_random random = grt_random_of_key(3);
    struct grt_kernel_samples samples = {kernel,
                                         {grt_arena_array(arena, count, sizeof(struct grt_sample)), count}};
    for (size_t i = 0; i < count; i++) {
        samples.samples.items[i].share = 1 + (int64_t)grt_random_below(&random, 100);
        samples.samples.items[i].time = 1 + 1e18 * grt_random_uniform(&random) / 2;
        for (size_t k = 0; k < GRT_INDICATORS; k++) {
            samples.samples.items[i].indicators[k] = k == 3 ? 0 : 1e10 * grt_random_uniform(&random);
        }
    }
    return samples;
}

static bool same(const struct grt_kernel_samples *a, const struct grt_kernel_samples *b) {
    bool result = strcmp(a->kernel, b->kernel) == 0 && a->samples.count == b->samples.count;
    for (size_t i = 0; result && i < a->samples.count; i++) {
        const struct grt_sample *left = &a->samples.items[i], *right = &b->samples.items[i];
        result = left->share == right->share && left->time == right->time &&
                 memcmp(left->indicators, right->indicators, sizeof left->indicators) == 0;
    }
    return result;
}

static void reads_what_it_writes(void) {
    for (int lines = 0; lines < 2; lines++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_sample_file file;
        const struct grt_kernel_samples first = random_samples("with, \"all\" {", 50, &arena),
                                        second = random_samples("lud", 7, &arena);
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        if (lines == 0) {
            grt_samples_write_names(out);
            grt_samples_write_csv(out, &first);
            grt_samples_write_csv(out, &second);
        } else {
            grt_samples_write_jsonl(out, &first);
            grt_samples_write_jsonl(out, &second);
        }
        fclose(out);
        CU_ASSERT_FATAL(grt_samples_parse(text, size, &arena, &file, &errors));
        CU_ASSERT(file.count == 2 && same(&file.items[0], &first) && same(&file.items[1], &second));
        free(text);
        grt_arena_clear(&arena);
    }
}

/* Columns in another order, lines of Windows, blank lines, a byte-order mark, kernels in turns. */
static void takes_what_spreadsheets_write(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_sample_file file;
    CU_ASSERT_FATAL(
        parse("\xEF\xBB\xBF"
              "time_ns,share,kernel,instructions,warps,l2_read,l2_write,global_load,global_store,"
              "shared_load,shared_store,shared_load_conflicts,shared_store_conflicts,texture_load\r\n"
              "5e6,10,a,1,2,3,4,5,6,7,8,9,10,11\r\n"
              "\r\n"
              "6e6,20,\"b\",0,0,0,0,0,0,0,0,0,0,0\r\n"
              "7e6,30,a,.5,0,0,0,0,0,0,0,0,0,0",
              &arena, &file, &errors));
    CU_ASSERT(file.count == 2 && file.items[0].samples.count == 2 && file.items[1].samples.count == 1);
    const struct grt_sample *sample = &file.items[0].samples.items[0];
    CU_ASSERT(sample->time == 5e6 && sample->share == 10);
    CU_ASSERT(sample->indicators[GRT_INDICATOR_INSTRUCTIONS] == 1);
    CU_ASSERT(sample->indicators[GRT_INDICATOR_TEXTURE_LOAD] == 11);
    CU_ASSERT(file.items[0].samples.items[1].indicators[0] == .5);
    grt_arena_clear(&arena);
}

static void refuse(const char *text, const char *message) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_sample_file file;
    CU_ASSERT(!parse(text, &arena, &file, &errors));
    CU_ASSERT_FATAL(errors.count >= 1);
    if (strcmp(errors.messages[0], message) != 0) {
        CU_FAIL("another message");
        printf("expected %s\ngot      %s\n", message, errors.messages[0]);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void refuses_what_is_wrong(void) {
    refuse("", "has no samples");
    refuse(NAMES, "has no samples");
    refuse("kernel,share\n", "line 1: time_ns: there is no such column");
    refuse("kernel,kernel\n", "line 1: kernel: is there twice");
    refuse("kernel,shares\n", "line 1: unknown column \"shares\" (did you mean \"share\"?)");
    refuse(NAMES "a,1,5\n", "line 2: must have 14 fields (got 3)");
    refuse(NAMES "a,1,5,0,0,0,0,0,0,0,0,0,0,0,0\n", "line 2: must have 14 fields (got 15)");
    refuse(NAMES "a,0,5,0,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: share: must be a whole number from 1 to 100 (got \"0\")");
    refuse(NAMES "a,1.5,5,0,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: share: must be a whole number from 1 to 100 (got \"1.5\")");
    refuse(NAMES "a,1,0,0,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: time_ns: must be a number of ns from 1 to 10^18 (got \"0\")");
    refuse(NAMES "a,1,nan,0,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: time_ns: must be a number of ns from 1 to 10^18 (got \"nan\")");
    refuse(NAMES "a,1,5,inf,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: instructions: must be a number of events per second from 0 to 10^18 (got \"inf\")");
    refuse(NAMES "a,1,5,-1,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: instructions: must be a number of events per second from 0 to 10^18 (got \"-1\")");
    refuse(NAMES "a,1,5,0,0,0,0,0,0,0,0,0,0,1 \n",
           "line 2: texture_load: must be a number of events per second from 0 to 10^18 (got \"1 \")");
    refuse(NAMES ",1,5,0,0,0,0,0,0,0,0,0,0,0\n",
           "line 2: kernel: must be a name of 1 to 64 printable characters (got \"\")");
    refuse(NAMES "\"a,1,5,0,0,0,0,0,0,0,0,0,0,0\n", "line 2: must have 14 fields (got 1)");
    refuse("{\"kernel\":1}\n", "line 1: kernel: must be a name of 1 to 64 printable characters (got \"\")");
    refuse("{\"kernel\":\"a\"}\n", "line 1: share: required");
    refuse("{\"kernels\":\"a\"}\n", "line 1: unknown column \"kernels\" (did you mean \"kernel\"?)");
    refuse("\n{\"kernel\":\"a\"\n", "line 2: 1:14: the text ends too early");
    refuse("{\"kernel\":\"a\",\"kernel\":\"b\"}\n", "line 1: kernel: given twice");
}

static void refuses_bytes_that_are_no_text(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_sample_file file;
    CU_ASSERT(!grt_samples_parse("kernel\0", 7, &arena, &file, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "holds zero bytes: it is no text");
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

/* Random bytes in place of others never crash it. */
static void survives_noise(void) {
    struct grt_random random = grt_random_of_key(9);
    for (int i = 0; i < 3000; i++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_sample_file file;
        char text[] = NAMES "a,1,5,0,0,0,0,0,0,0,0,0,0,0\n\"b\",2,6,0,0,0,0,0,0,0,0,0,0,0\n";
        static const char bytes[] = ",\"\n\r{}0a\xFF.";
        for (int k = 0; k < 3; k++) {
            size_t at = (size_t)grt_random_below(&random, sizeof text - 1);
            text[at] = bytes[grt_random_below(&random, sizeof bytes - 1)];
        }
        bool good = parse(text, &arena, &file, &errors);
        CU_ASSERT(good == (errors.count == 0));
        grt_errors_clear(&errors);
        grt_arena_clear(&arena);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"reads what it writes", reads_what_it_writes},
        {"takes what spreadsheets write", takes_what_spreadsheets_write},
        {"refuses what is wrong", refuses_what_is_wrong},
        {"refuses bytes that are no text", refuses_bytes_that_are_no_text},
        {"survives noise", survives_noise},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("files of samples", tests);
}
