/* The binary trace: what is written is read back; files that are cut, foreign or hostile are refused in words. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace_file.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FILE_NAME GRT_SCRATCH_DIR "/trace.bin"

static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "small"},       {GRT_NAME_TASK, 0, 0, 0, 0, "detect"},
    {GRT_NAME_KERNEL, 0, 1, 2, 256, "größer"}, {GRT_NAME_TASK, 1, 0, 0, 0, "map"},
    {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
};
enum { NAME_BYTES = 5 + 6 + 8 + 3 + 4, HEADER_BYTES = (32 + 5 * 24 + NAME_BYTES + 31) / 32 * 32 };

static const struct grt_trace_record records[] = {
    {.time = 0, .other = 33000000, .job = 0, .task = 0, .kind = GRT_TRACE_RELEASE},
    {.time = 0, .other = GRT_TIME_NEVER, .job = 0, .task = 1, .kind = GRT_TRACE_RELEASE},
    {.time = 5, .other = 2, .job = 7, .detail = 8, .row = 9, .task = 1, .kind = GRT_TRACE_BLOCK, .flags = 16},
    {.time = GRT_TIME_LIMIT,
     .other = 5,
     .job = UINT32_MAX,
     .detail = UINT32_MAX,
     .row = 0,
     .task = 1,
     .kind = GRT_TRACE_UNFINISHED,
     .flags = GRT_TRACE_LATE | GRT_TRACE_OPEN},
};

static void write_trace(const struct grt_trace_record *all, size_t count) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &grt_trace_file_sink, output);
    grt_trace_names(trace, names, COUNT(names));
    for (size_t i = 0; i < count; i++) {
        grt_trace_add(trace, all[i]);
    }
    CU_ASSERT(grt_trace_finish(trace));
    grt_trace_free(trace);
    CU_ASSERT(grt_output_close(output, &errors));
}

static unsigned char *read_bytes(size_t *size) {
    static unsigned char bytes[4096];
    FILE *file = fopen(FILE_NAME, "rb");
    CU_ASSERT_FATAL(file != NULL);
    *size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return bytes;
}

static void put_bytes(const void *bytes, size_t size) {
    FILE *file = fopen(FILE_NAME, "wb");
    CU_ASSERT_FATAL(file != NULL);
    fwrite(bytes, 1, size, file);
    fclose(file);
}

/* Expects the file to be refused with "<name>: <sentence>". */
static void check_refused(const char *sentence) {
    struct grt_errors errors = {0};
    struct grt_trace_memory memory = {0};
    CU_ASSERT_FALSE(grt_trace_file_read(FILE_NAME, &memory, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    const char *message = errors.messages[0] + sizeof FILE_NAME - 1 + 2;
    if (strcmp(message, sentence) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", message, sentence);
    }
    CU_ASSERT_STRING_EQUAL(message, sentence);
    CU_ASSERT_PTR_NULL(memory.records);
    CU_ASSERT_PTR_NULL(memory.names);
    grt_errors_clear(&errors);
}

/* Expects the file to hold the first `count` of the records. */
static void check_read(size_t count, bool cut) {
    struct grt_errors errors = {0};
    struct grt_trace_memory memory = {0};
    CU_ASSERT_FATAL(grt_trace_file_read(FILE_NAME, &memory, &errors));
    CU_ASSERT_EQUAL(memory.record_count, count);
    CU_ASSERT_EQUAL(memory.cut, cut);
    CU_ASSERT(count == 0 || memcmp(memory.records, records, count * sizeof records[0]) == 0);
    CU_ASSERT_EQUAL_FATAL(memory.name_count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        CU_ASSERT_STRING_EQUAL(memory.names[i].text, names[i].text);
        CU_ASSERT_EQUAL(memory.names[i].kind, names[i].kind);
        CU_ASSERT_EQUAL(memory.names[i].index, names[i].index);
        CU_ASSERT_EQUAL(memory.names[i].segment, names[i].segment);
        CU_ASSERT_EQUAL(memory.names[i].command, names[i].command);
        CU_ASSERT_EQUAL(memory.names[i].weight, names[i].weight);
    }
    grt_trace_memory_free(&memory);
}

static void test_round_trip(void) {
    write_trace(records, COUNT(records));
    check_read(COUNT(records), false);
    write_trace(records, 0);
    check_read(0, false);
}

static void test_bytes(void) {
    size_t size;
    write_trace(records, COUNT(records));
    const unsigned char *bytes = read_bytes(&size);
    static const unsigned char start[] = {'G',          'P', 'U', 'R', 'T', 'T', 'R', 'C', 1, 0, 0, 0,
                                          HEADER_BYTES, 0,   0,   0,   32,  0,   0,   0,   5, 0, 0, 0,
                                          NAME_BYTES};
    CU_ASSERT_EQUAL_FATAL(size, HEADER_BYTES + sizeof records);
    CU_ASSERT_EQUAL(memcmp(bytes, start, sizeof start), 0);
    static const unsigned char block[] = {5,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          2,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          7,
                                          0,
                                          0,
                                          0,
                                          8,
                                          0,
                                          0,
                                          0,
                                          9,
                                          0,
                                          0,
                                          0,
                                          1,
                                          0,
                                          GRT_TRACE_BLOCK,
                                          16};
    CU_ASSERT_EQUAL(memcmp(bytes + HEADER_BYTES + 64, block, sizeof block), 0);
}

/* More than one lot, and more than one lot of the reader. */
static void test_many_records(void) {
    enum { MANY = 70000 };
    struct grt_trace_record *many = calloc(MANY, sizeof *many);
    for (int i = 0; i < MANY; i++) {
        many[i] = (struct grt_trace_record){
            .time = i, .other = i / 2, .detail = (uint32_t)i, .kind = GRT_TRACE_BLOCK};
    }
    write_trace(many, MANY);
    struct grt_errors errors = {0};
    struct grt_trace_memory memory = {0};
    CU_ASSERT_FATAL(grt_trace_file_read(FILE_NAME, &memory, &errors));
    CU_ASSERT_EQUAL_FATAL(memory.record_count, MANY);
    CU_ASSERT_EQUAL(memcmp(memory.records, many, MANY * sizeof *many), 0);
    grt_trace_memory_free(&memory);
    struct grt_trace_memory limited = {.record_limit = 1000};
    CU_ASSERT_FATAL(grt_trace_file_read(FILE_NAME, &limited, &errors));
    CU_ASSERT_EQUAL(limited.record_count, 1000);
    CU_ASSERT(limited.cut);
    grt_trace_memory_free(&limited);
    free(many);
}

static void test_cut_at_every_byte(void) {
    size_t size;
    write_trace(records, COUNT(records));
    unsigned char whole[4096];
    memcpy(whole, read_bytes(&size), sizeof whole);
    put_bytes(whole, 0);
    check_refused("is empty, not a gpurt trace");
    for (size_t cut = 1; cut < HEADER_BYTES; cut++) {
        put_bytes(whole, cut);
        check_refused("is cut short within its header");
    }
    for (size_t cut = HEADER_BYTES; cut <= size; cut++) {
        put_bytes(whole, cut);
        check_read((cut - HEADER_BYTES) / 32, (cut - HEADER_BYTES) % 32 != 0);
    }
}

static void test_foreign(void) {
    put_bytes("{\"gpurt\": 1}", 12);
    check_refused("is not a gpurt trace (it does not begin with \"GPURTTRC\")");
    put_bytes("x", 1);
    check_refused("is not a gpurt trace (it does not begin with \"GPURTTRC\")");
    remove(FILE_NAME);
    struct grt_errors errors = {0};
    struct grt_trace_memory memory = {0};
    CU_ASSERT_FALSE(grt_trace_file_read(FILE_NAME, &memory, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], FILE_NAME ": cannot open: No such file or directory");
    grt_errors_clear(&errors);
    CU_ASSERT_FALSE(grt_trace_file_read(GRT_SCRATCH_DIR, &memory, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], GRT_SCRATCH_DIR ": cannot read: Is a directory");
    grt_errors_clear(&errors);
}

/* One changed 32-bit word of a good file, and what is said about it. */
struct change {
    size_t offset;
    uint32_t value;
    const char *sentence;
};

static void test_hostile(void) {
    static const char sizes[] = "has a header whose sizes contradict each other";
    static const char table[] = "has a damaged table of names";
    static const struct change changes[] = {
        {8, 2, "has trace format 2; this program reads format 1"},
        {12, 0, sizes},
        {12, UINT32_MAX, sizes},
        {12, UINT32_MAX - 31, sizes},
        {12, HEADER_BYTES + 32, sizes},
        {12, HEADER_BYTES - 32, sizes},
        {16, 0, sizes},
        {16, 64, sizes},
        {20, UINT32_MAX, sizes},
        {20, 0, sizes},
        {24, UINT32_MAX, sizes},
        {32, GRT_NAME_KINDS, table},
        {32 + 16, UINT32_MAX, table},
        {32 + 16, NAME_BYTES, table},
        {32 + 20, UINT32_MAX, table},
        {32 + 20, NAME_BYTES + 1, table},
        {32 + 5 * 24, 0x0a646564, table}, /* a line feed in a name */
        {32 + 5 * 24, 0x00646564, table},
        {HEADER_BYTES + 64 + 28, 0x00000001, "record 2 is of no known kind"},
        {HEADER_BYTES + 64 + 28, GRT_TRACE_KINDS << 16 | 1, "record 2 is of no known kind"},
        {HEADER_BYTES + 64 + 28, 0x000a0002, "record 2 belongs to a task that the header does not name"},
        {HEADER_BYTES + 64 + 8, 6, "record 2 ends before it starts"},
        {HEADER_BYTES + 64 + 12, 0x80000000, "record 2 ends before it starts"},
        {HEADER_BYTES + 64 + 4, 0x80000000, "record 2 goes back in time"},
        {HEADER_BYTES + 4, 0x80000000, "record 0 goes back in time"},
    };
    size_t size;
    write_trace(records, COUNT(records));
    unsigned char whole[4096];
    memcpy(whole, read_bytes(&size), sizeof whole);
    for (size_t i = 0; i < COUNT(changes); i++) {
        unsigned char changed[4096];
        memcpy(changed, whole, size);
        memcpy(changed + changes[i].offset, &changes[i].value, 4);
        put_bytes(changed, size);
        check_refused(changes[i].sentence);
    }
}

/* A header that promises 4 GiB of names takes no more memory than the file has. */
static void test_huge_promise(void) {
    uint32_t header[8] = {0, 0, 1, 0, 32, 178956968, 0, 0};
    memcpy(header, GRT_TRACE_FILE_MAGIC, 8);
    header[3] = (32 + 178956968u * 24 + 31) / 32 * 32;
    put_bytes(header, sizeof header);
    check_refused("is cut short within its header");
}

/* Any single wrong byte is either noticed or changes nothing but values. */
static void test_flipped_bytes(void) {
    size_t size;
    write_trace(records, COUNT(records));
    unsigned char whole[4096];
    memcpy(whole, read_bytes(&size), sizeof whole);
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            struct grt_errors errors = {0};
            struct grt_trace_memory memory = {0};
            whole[i] ^= (unsigned char)(1 << bit);
            put_bytes(whole, size);
            bool read = grt_trace_file_read(FILE_NAME, &memory, &errors);
            CU_ASSERT(read ? errors.count == 0 && memory.record_count == COUNT(records) : errors.count == 1);
            whole[i] ^= (unsigned char)(1 << bit);
            grt_trace_memory_free(&memory);
            grt_errors_clear(&errors);
        }
    }
}

static void test_full_disk(void) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open("/dev/full", &errors);
    CU_ASSERT_FATAL(output != NULL);
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &grt_trace_file_sink, output);
    grt_trace_names(trace, names, COUNT(names));
    grt_trace_add(trace, records[0]);
    CU_ASSERT_FALSE(grt_trace_finish(trace));
    grt_trace_free(trace);
    CU_ASSERT_FALSE(grt_output_close(output, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "/dev/full: cannot write: No space left on device");
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"round trip", test_round_trip},       {"bytes", test_bytes},
        {"many records", test_many_records},   {"cut at every byte", test_cut_at_every_byte},
        {"foreign files", test_foreign},       {"hostile files", test_hostile},
        {"a huge promise", test_huge_promise}, {"flipped bytes", test_flipped_bytes},
        {"full disk", test_full_disk},         CU_TEST_INFO_NULL,
    };
    return grt_suite_run("trace file", tests);
}
