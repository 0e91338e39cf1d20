/* labels: soak */
#define _GNU_SOURCE /* RLIMIT_FSIZE's signal */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "calib/program/files/raw_read.h"
#include "calib/raw/raw_shapes.h"
#include "calib/raw/raw_write.h"
#include "sim/random.h"
#include "tests/support/suite.h"

static const char path[] = GRT_SCRATCH_DIR "/raw.jsonl";

static const struct grt_raw_head head = {.program = "gpurt-calib 1",
                                         .build = "b",
                                         .backend = "sim",
                                         .started = "2026-11-23T02:31:00Z",
                                         .command = "measure \"a b\" \\ \xFF \xC3\xA9 \x01",
                                         .seed = 9007199254740991,
                                         .budget_s = 12.5,
                                         .driver = {.path = "/lib/x", .version = 13000},
                                         .kernels = {.made_by = "clang", .hash = "12ab"}};

static const struct grt_raw_workload workload = {.name = "fma",
                                                 .kernel = GRT_KERNEL_FMA,
                                                 .amount = 4096,
                                                 .blocks = 1056,
                                                 .threads = 256,
                                                 .registers = 19,
                                                 .occupancy = 8,
                                                 .ptx_version = 60,
                                                 .binary_version = 90,
                                                 .made_by = "NVRTC 13.0; hash 12"};

static struct grt_raw_writer *open_writer(void) {
    struct grt_errors errors = {0};
    struct grt_raw_writer *writer = grt_raw_writer_open(path, true, &errors);
    CU_ASSERT_FATAL(writer != NULL);
    return writer;
}

static void close_writer(struct grt_raw_writer *writer) {
    struct grt_errors errors = {0};
    CU_ASSERT(grt_raw_writer_close(writer, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
}

static struct grt_bench_device some_device(void) {
    struct grt_bench_device device = {.name = "GPU \"X\"", .uuid = "u", .bus_id = "0:1", .sm_count = 132};
    device.priority_greatest = -5;
    device.memory_bytes = INT64_C(150) << 30;
    return device;
}

static struct grt_raw_batch waves(const int64_t *values, size_t count, int64_t blocks) {
    return (struct grt_raw_batch){
        .experiment = "waves",
        .keys = {{.name = "kernel", .text = "fma"}, {.name = "blocks", .number = blocks}},
        .key_count = 2,
        .at_ns = 5,
        .count = count,
        .dropped = 1,
        .columns = {{.name = "span_ns", .values = values}},
        .column_count = 1};
}

static void write_start(struct grt_raw_writer *writer) {
    struct grt_bench_device device = some_device();
    CU_ASSERT(grt_raw_write_head(writer, &head));
    CU_ASSERT(grt_raw_write_device(writer, &device));
    CU_ASSERT(grt_raw_write_origin(writer, -7, UINT64_MAX));
    CU_ASSERT(grt_raw_write_workload(writer, &workload));
}

static struct grt_raw *read_back(struct grt_arena *arena) {
    struct grt_errors errors = {0};
    struct grt_raw *raw = grt_raw_read(path, arena, &errors);
    grt_errors_print(&errors, stderr, "");
    CU_ASSERT_FATAL(raw != NULL);
    return raw;
}

static void check_start(const struct grt_raw *raw) {
    CU_ASSERT_STRING_EQUAL(raw->program, "gpurt-calib 1");
    CU_ASSERT_STRING_EQUAL(raw->command, "measure \"a b\" \\ ? \xC3\xA9 ?");
    CU_ASSERT_STRING_EQUAL(raw->host, "");
    CU_ASSERT_STRING_EQUAL(raw->driver_path, "/lib/x");
    CU_ASSERT_STRING_EQUAL(raw->kernels_made_by, "clang");
    CU_ASSERT_EQUAL(raw->seed, 9007199254740991);
    CU_ASSERT_EQUAL(raw->host_origin_ns, -7);
    CU_ASSERT_EQUAL(raw->device_origin_ns, UINT64_MAX);
    struct grt_bench_device device = some_device();
    CU_ASSERT_EQUAL(memcmp(&raw->device, &device, sizeof device), 0);
    CU_ASSERT_EQUAL_FATAL(raw->workload_count, 1);
    const struct grt_raw_workload *got = grt_raw_workload(raw, "fma");
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    CU_ASSERT(got->kernel == GRT_KERNEL_FMA && got->amount == 4096 && got->blocks == 1056);
    CU_ASSERT(got->threads == 256 && got->registers == 19 && got->occupancy == 8);
    CU_ASSERT(got->ptx_version == 60 && got->binary_version == 90);
    CU_ASSERT_STRING_EQUAL(got->made_by, "NVRTC 13.0; hash 12");
}

static void test_round_trip(void) {
    struct grt_raw_writer *writer = open_writer();
    write_start(writer);
    const int64_t first[] = {1, -9007199254740991, 9007199254740991}, second[] = {4};
    struct grt_raw_batch batches[] = {waves(first, 3, 10), waves(second, 1, 20), waves(second, 1, 10)};
    batches[0].sm_mhz = 1980.5;
    batches[2].sm_mhz = 1970;
    batches[0].has_cpu = batches[2].has_cpu = true;
    batches[0].cpu = 5;
    batches[2].cpu = 0;
    batches[0].dropped = 3;
    batches[0].dropped_for[GRT_RAW_DROP_CLOCK] = 2;
    batches[0].dropped_for[GRT_RAW_DROP_RECORD] = 1;
    batches[1].dropped_for[GRT_RAW_DROP_OVERLAP] = 1; /* of the last one nobody says why */
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT(grt_raw_write_batch(writer, &batches[i]));
    }
    struct grt_bench_health health = {
        .known = true, .sm_mhz = 1980, .celsius = -3, .reasons = 4, .pcie_generation = 5, .pcie_lanes = 8};
    CU_ASSERT(grt_raw_write_health(writer, 6, &health));
    health.pcie_generation = 1;
    health.pcie_most_lanes = 16;
    CU_ASSERT(grt_raw_write_health(writer, 7, &health));
    struct grt_partition partition = {
        .how = GRT_PARTITION_GREEN, .sm_count = 2, .sms = (uint16_t[]){3, 65535}};
    CU_ASSERT(grt_raw_write_partition(writer, &partition));
    CU_ASSERT(grt_raw_write_skipped(writer, "partition", "no green contexts"));
    CU_ASSERT(grt_raw_write_end(writer, 181.25));
    close_writer(writer);
    struct grt_arena arena = {0};
    struct grt_raw *raw = read_back(&arena);
    check_start(raw);
    CU_ASSERT(raw->complete && !raw->cut_off && raw->stopped == NULL);
    CU_ASSERT_EQUAL_FATAL(raw->cell_count, 2);
    const struct grt_raw_cell *cell = grt_raw_next(raw, "waves", NULL);
    CU_ASSERT_EQUAL(grt_raw_number(cell, "blocks", -1), 10);
    CU_ASSERT_EQUAL(grt_raw_number(cell, "kernel", -1), -1);
    CU_ASSERT_EQUAL(grt_raw_number(cell, "grid", -2), -2);
    CU_ASSERT_STRING_EQUAL(grt_raw_text(cell, "kernel"), "fma");
    CU_ASSERT(cell->count == 4 && cell->dropped == 4);
    CU_ASSERT(cell->cpu_batches == 2 && cell->cpu_low == 0 && cell->cpu_high == 5);
    CU_ASSERT_EQUAL(raw->health.count, 2);
    CU_ASSERT(raw->health.pcie_generation_low == 1 && raw->health.pcie_generation_high == 5);
    CU_ASSERT(raw->health.pcie_lanes_low == 8 && raw->health.pcie_lanes_high == 8);
    CU_ASSERT(raw->health.pcie_most_generation == 0 && raw->health.pcie_most_lanes == 16);
    CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_CLOCK], 2);
    CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_RECORD], 1);
    CU_ASSERT_EQUAL(cell->dropped_for[GRT_RAW_DROP_OVERLAP], 0);
    const int64_t *values = grt_raw_values(cell, "span_ns");
    CU_ASSERT(values[0] == 1 && values[1] == first[1] && values[2] == first[2] && values[3] == 4);
    CU_ASSERT_PTR_NULL(grt_raw_values(cell, "block_ns"));
    CU_ASSERT(cell->visits[0] == 0 && cell->visits[1] == 0 && cell->visits[2] == 0); /* of a line each */
    CU_ASSERT_EQUAL(cell->visits[3], 1);
    CU_ASSERT_EQUAL(cell->sm_mhz_low, 1970);
    CU_ASSERT_EQUAL(cell->sm_mhz_high, 1980.5);
    cell = grt_raw_next(raw, "waves", cell);
    CU_ASSERT(cell != NULL && grt_raw_number(cell, "blocks", -1) == 20 && cell->count == 1);
    CU_ASSERT_EQUAL(cell->sm_mhz_high, 0);
    CU_ASSERT(cell->dropped == 1 && cell->dropped_for[GRT_RAW_DROP_OVERLAP] == 1);
    CU_ASSERT_PTR_NULL(grt_raw_next(raw, "waves", cell));
    CU_ASSERT_EQUAL_FATAL(raw->skipped_count, 1);
    CU_ASSERT_STRING_EQUAL(raw->skipped[0].why, "no green contexts");
    grt_arena_clear(&arena);
}

static char *file_text(size_t *size) {
    FILE *file = fopen(path, "rb");
    CU_ASSERT_FATAL(file != NULL);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

/* Every line of a shape is as it was; a file that was cut anywhere gives what is whole before, and says so. */
static void write_everything(void) {
    struct grt_raw_writer *writer = open_writer();
    write_start(writer);
    const int64_t values[] = {1, 0, 1}; /* that any column may have, as the number 1 any key */
    const struct grt_raw_shape *shape;
    for (size_t i = 0; (shape = grt_raw_shape(i)) != NULL; i++) {
        struct grt_raw_batch batch = {.experiment = shape->experiment, .count = i % 4};
        char words[GRT_RAW_KEYS][32];
        batch.key_count = shape->key_count;
        batch.column_count = shape->column_count;
        for (size_t j = 0; j < shape->key_count; j++) {
            const struct grt_raw_shape_key *key = &shape->keys[j];
            const char *text = key->kind == GRT_RAW_KEY_WORD ? key->choices : "fma";
            size_t length = strcspn(text, " ");
            snprintf(words[j], sizeof words[j], "%.*s", (int)length, text);
            bool is_number = key->kind == GRT_RAW_KEY_NUMBER;
            batch.keys[j] = (struct grt_raw_key){
                .name = key->name, .text = is_number ? NULL : words[j], .number = is_number ? 1 : 0};
        }
        for (size_t j = 0; j < shape->column_count; j++) {
            batch.columns[j] = (struct grt_raw_column){.name = shape->columns[j], .values = values};
        }
        CU_ASSERT(grt_raw_write_batch(writer, &batch));
    }
    CU_ASSERT(grt_raw_write_stopped(writer, "interrupted", 3));
    close_writer(writer);
}

static void test_cut_off_anywhere(void) {
    write_everything();
    size_t size;
    char *text = file_text(&size);
    size_t cells_before = 0;
    for (size_t cut = (size_t)(strchr(text, '\n') - text) + 1; cut <= size; cut++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_raw *raw = grt_raw_read_text(text, cut, "f", &arena, &errors);
        CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
        CU_ASSERT_EQUAL(raw->cut_off, text[cut - 1] != '\n');
        CU_ASSERT(raw->cell_count >= cells_before && raw->cell_count <= cells_before + 1);
        CU_ASSERT_EQUAL(raw->stopped != NULL, cut == size);
        CU_ASSERT(!raw->complete);
        cells_before = raw->cell_count;
        grt_arena_clear(&arena);
    }
    size_t shapes = 0;
    while (grt_raw_shape(shapes) != NULL) {
        shapes++;
    }
    CU_ASSERT_EQUAL(cells_before, shapes);
    free(text);
}

/* Whatever bytes change, reading ends with a file or with errors that have a line. */
static void test_spoilt_bytes(void) {
    write_everything();
    size_t size, refused = 0;
    char *text = file_text(&size);
    struct grt_random random = grt_random_stream(1, "spoil", 0, 0);
    const int cases = grt_suite_cases(1500, 100000);
    for (int i = 0; i < cases; i++) {
        char *copy = malloc(size);
        memcpy(copy, text, size);
        for (uint64_t j = 0; j <= grt_random_below(&random, 3); j++) {
            static const char likely[] = "{}[]\",:0-9ae\n\\\xFF";
            size_t at = grt_random_below(&random, size);
            copy[at] = likely[grt_random_below(&random, sizeof likely)];
        }
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_raw *raw = grt_raw_read_text(copy, size, "f", &arena, &errors);
        CU_ASSERT_EQUAL(raw == NULL, errors.count > 0);
        if (raw == NULL) {
            refused++;
            CU_ASSERT(strncmp(errors.messages[0], "line ", 5) == 0 ||
                      strncmp(errors.messages[0], "is ", 3) == 0);
        }
        grt_errors_clear(&errors);
        grt_arena_clear(&arena);
        free(copy);
    }
    CU_ASSERT(refused > (size_t)cases / 2);
    free(text);
}

/* A full disk: here a limit on the file's size. The file ends with a whole line. */
static void test_full_disk(void) {
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit, old;
    getrlimit(RLIMIT_FSIZE, &old);
    for (rlim_t most = 1300; most < 1600; most += 7) {
        struct grt_raw_writer *writer = open_writer();
        limit = (struct rlimit){.rlim_cur = most, .rlim_max = old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        write_start(writer);
        const int64_t values[] = {1, 2, 3};
        struct grt_raw_batch batch = waves(values, 3, 1);
        size_t lines = 0;
        while (grt_raw_write_batch(writer, &batch) && lines < 100) {
            lines++;
        }
        CU_ASSERT(lines < 100);
        CU_ASSERT_FALSE(grt_raw_write_end(writer, 1)); /* and nothing any more, even if there were room */
        setrlimit(RLIMIT_FSIZE, &old);
        CU_ASSERT_FALSE(grt_raw_write_end(writer, 1));
        struct grt_errors errors = {0};
        CU_ASSERT_FALSE(grt_raw_writer_close(writer, &errors));
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "cannot be written"));
        grt_errors_clear(&errors);
        struct grt_arena arena = {0};
        struct grt_raw *raw = read_back(&arena);
        CU_ASSERT(!raw->cut_off && !raw->complete);
        CU_ASSERT_EQUAL(raw->cell_count, lines > 0);
        CU_ASSERT(lines == 0 || raw->cells[0].count == 3 * lines);
        grt_arena_clear(&arena);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void test_opening(void) {
    struct grt_errors errors = {0};
    close_writer(open_writer());
    struct grt_raw_writer *writer = grt_raw_writer_open(path, false, &errors); /* empty: nothing is lost */
    CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
    write_start(writer);
    close_writer(writer);
    CU_ASSERT_PTR_NULL(grt_raw_writer_open(path, false, &errors));
    CU_ASSERT_PTR_NULL(grt_raw_writer_open(GRT_SCRATCH_DIR "/no/such", true, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "is there already"));
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[1], "No such file"));
    grt_errors_clear(&errors);
    writer = grt_raw_writer_open("/dev/full", false, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
    CU_ASSERT_FALSE(grt_raw_write_end(writer, 1));
    CU_ASSERT_FALSE(grt_raw_writer_close(writer, &errors));
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is written is read", test_round_trip},
        {"a file cut off anywhere is good up to there", test_cut_off_anywhere},
        {"spoilt files are read or refused", test_spoilt_bytes},
        {"a full disk leaves whole lines", test_full_disk},
        {"files that are there are not thrown away", test_opening},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("raw files", tests);
}
