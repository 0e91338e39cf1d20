/* labels: robustness */
/* Trace files as streams: what a sink hears of them, in which lots, through pipes that deliver in pieces, where files are cut
 * or damaged, and where the sink fails. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/memory.h"
#include "sim/trace_file.h"
#include "tests/support/file_text.h"
#include "tests/support/heard_trace.h"
#include "tests/support/suite.h"

#define FILE_NAME GRT_SCRATCH_DIR "/stream.trc"

static const struct grt_trace_name names[] = {{GRT_NAME_RUN, 0, 0, 0, 0, "stream"},
                                              {GRT_NAME_TASK, 0, 0, 0, 0, "detect"},
                                              {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"}};
enum { NAMES = 3, TEXT_BYTES = 6 + 6 + 4, HEADER_BYTES = (32 + NAMES * 24 + TEXT_BYTES + 31) / 32 * 32 };

/* Block i ends at i ns. */
static struct grt_trace_record record_at(size_t i) {
    return (struct grt_trace_record){
        .time = (grt_time)i, .other = (grt_time)i / 2, .detail = (uint32_t)i, .kind = GRT_TRACE_BLOCK};
}

static void write_trace(size_t count) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_trace_file_sink.names(output, names, NAMES));
    for (size_t i = 0; i < count; i++) {
        struct grt_trace_record record = record_at(i);
        CU_ASSERT(grt_output_write(output, &record, sizeof record));
    }
    CU_ASSERT(grt_output_close(output, &errors));
}

/* Makes the file and returns its bytes, which the caller frees. */
static char *trace_bytes(size_t count, size_t *size) {
    write_trace(count);
    char *bytes = grt_file_text(FILE_NAME, size);
    CU_ASSERT_FATAL(bytes != NULL && *size == HEADER_BYTES + count * 32);
    return bytes;
}

static void check_heard(const struct heard_trace *heard, size_t count) {
    CU_ASSERT_EQUAL(heard->wrong_calls, 0);
    CU_ASSERT_EQUAL_FATAL(heard->kept.name_count, NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        CU_ASSERT_STRING_EQUAL(heard->kept.names[i].text, names[i].text);
        CU_ASSERT_EQUAL(heard->kept.names[i].weight, names[i].weight);
    }
    CU_ASSERT_EQUAL_FATAL(heard->kept.record_count, count);
    for (size_t i = 0; i < count; i++) {
        struct grt_trace_record wanted = record_at(i);
        if (memcmp(&heard->kept.records[i], &wanted, sizeof wanted) != 0) {
            CU_FAIL("a record is not what was written");
            return;
        }
    }
}

/* ---- Lots ---- */

static enum grt_trace_reading stream_file(struct heard_trace *heard, struct grt_errors *errors, bool *cut) {
    struct grt_trace_file file = {.fd = open(FILE_NAME, O_RDONLY)};
    CU_ASSERT_FATAL(file.fd >= 0);
    enum grt_trace_reading outcome = grt_trace_file_stream(&file, &heard_trace_sink, heard, errors);
    close(file.fd);
    *cut = file.cut;
    return outcome;
}

static void check_lots(size_t count, size_t lots, size_t last) {
    struct heard_trace heard = {0};
    struct grt_errors errors = {0};
    bool cut = true;
    write_trace(count);
    CU_ASSERT_EQUAL(stream_file(&heard, &errors, &cut), GRT_READING_DONE);
    CU_ASSERT_FALSE(cut);
    CU_ASSERT(heard.ended);
    CU_ASSERT_EQUAL(heard.lots, lots);
    CU_ASSERT_EQUAL(heard.smallest_lot, last);
    CU_ASSERT_EQUAL(errors.count, 0);
    check_heard(&heard, count);
    heard_trace_free(&heard);
}

static void test_lots(void) {
    check_lots(0, 0, 0);
    check_lots(1, 1, 1);
    check_lots(GRT_TRACE_LOT - 1, 1, GRT_TRACE_LOT - 1);
    check_lots(GRT_TRACE_LOT, 1, GRT_TRACE_LOT);
    check_lots(GRT_TRACE_LOT + 1, 2, 1);
    check_lots(3 * GRT_TRACE_LOT + 5, 4, 5);
}

/* ---- Pipes ---- */

/* A process writes the bytes into a pipe, in pieces; returns the end to read from. */
static int begin_pipe(const char *bytes, size_t size, size_t piece, pid_t *writer) {
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    *writer = fork();
    CU_ASSERT_FATAL(*writer >= 0);
    if (*writer == 0) {
        close(ends[0]);
        for (size_t at = 0; at < size; at += piece) {
            size_t rest = size - at < piece ? size - at : piece;
            if (write(ends[1], bytes + at, rest) != (ssize_t)rest) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void end_pipe(int fd, pid_t writer) {
    int status = -1;
    close(fd);
    CU_ASSERT_EQUAL(waitpid(writer, &status, 0), writer);
}

static void test_pieces(void) {
    static const size_t pieces[] = {1, 7, 31, 32, 33, 4096, 100000};
    enum { RECORDS = GRT_TRACE_LOT + 100 };
    size_t size;
    char *bytes = trace_bytes(RECORDS, &size);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct heard_trace heard = {0};
        struct grt_errors errors = {0};
        pid_t writer;
        struct grt_trace_file file = {.fd = begin_pipe(bytes, size, pieces[i], &writer)};
        CU_ASSERT_EQUAL(grt_trace_file_stream(&file, &heard_trace_sink, &heard, &errors), GRT_READING_DONE);
        CU_ASSERT_EQUAL(heard.lots, 2);
        CU_ASSERT_FALSE(file.cut);
        check_heard(&heard, RECORDS);
        end_pipe(file.fd, writer);
        heard_trace_free(&heard);
    }
    free(bytes);
}

/* Through a pipe that has the first bytes of a trace, of which the caller has taken some. */
static void check_cut(const char *bytes, size_t cut, size_t taken) {
    struct heard_trace heard = {0};
    struct grt_errors errors = {0};
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(write(ends[1], bytes + taken, cut - taken), (ssize_t)(cut - taken));
    close(ends[1]);
    struct grt_trace_file file = {.fd = ends[0], .name = "pipe", .first = bytes, .first_size = taken};
    enum grt_trace_reading outcome = grt_trace_file_stream(&file, &heard_trace_sink, &heard, &errors);
    close(ends[0]);
    if (cut < HEADER_BYTES) {
        CU_ASSERT_EQUAL(outcome, GRT_READING_REFUSED);
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT_STRING_EQUAL(errors.messages[0], cut == 0 ? "pipe: is empty, not a gpurt trace"
                                                            : "pipe: is cut short within its header");
        CU_ASSERT_FALSE(heard.named);
    } else {
        CU_ASSERT_EQUAL(outcome, GRT_READING_DONE);
        CU_ASSERT_EQUAL(file.cut, (cut - HEADER_BYTES) % 32 != 0);
        CU_ASSERT(heard.ended);
        check_heard(&heard, (cut - HEADER_BYTES) / 32);
    }
    grt_errors_clear(&errors);
    heard_trace_free(&heard);
}

static void test_cut_at_every_byte(void) {
    size_t size;
    char *bytes = trace_bytes(5, &size);
    for (size_t cut = 0; cut <= size; cut++) {
        for (size_t taken = 0; taken <= 8 && taken <= cut; taken += 4) {
            check_cut(bytes, cut, taken);
        }
    }
    free(bytes);
}

/* ---- Sinks that fail ---- */

static void check_failure(int fails_at, size_t lots) {
    struct heard_trace heard = {.fails_at = fails_at};
    struct grt_errors errors = {0};
    bool cut;
    CU_ASSERT_EQUAL(stream_file(&heard, &errors, &cut), GRT_READING_STOPPED);
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_EQUAL(heard.wrong_calls, 0);
    CU_ASSERT_EQUAL(heard.lots, lots);
    CU_ASSERT_EQUAL(heard.ended, fails_at == HEARD_FAILS_AT_END);
    heard_trace_free(&heard);
}

static void test_failing_sinks(void) {
    write_trace(2 * GRT_TRACE_LOT + 1);
    check_failure(HEARD_FAILS_AT_NAMES, 0);
    check_failure(1, 1);
    check_failure(2, 2);
    check_failure(3, 3);
    check_failure(HEARD_FAILS_AT_END, 3);
}

/* ---- Damage ---- */

/* Puts a 16-bit word into the file. */
static void damage(size_t offset, uint16_t value) {
    FILE *file = fopen(FILE_NAME, "r+b");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fseek(file, (long)offset, SEEK_SET), 0);
    CU_ASSERT_EQUAL(fwrite(&value, sizeof value, 1, file), 1);
    fclose(file);
}

static void check_refused(size_t lots, const char *sentence) {
    struct heard_trace heard = {0};
    struct grt_errors errors = {0};
    bool cut;
    CU_ASSERT_EQUAL(stream_file(&heard, &errors, &cut), GRT_READING_REFUSED);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], sentence);
    CU_ASSERT_EQUAL(heard.wrong_calls, 0);
    CU_ASSERT_EQUAL(heard.lots, lots);
    CU_ASSERT_FALSE(heard.ended);
    grt_errors_clear(&errors);
    heard_trace_free(&heard);
}

/* Lots before the damaged record have been heard; its own, and the end, never. */
static void test_late_damage(void) {
    enum { BAD = 2 * GRT_TRACE_LOT + 1 };
    write_trace(BAD + 1);
    damage(HEADER_BYTES + BAD * 32 + 28, 1);
    check_refused(2, "record 16385 belongs to a task that the header does not name");
    write_trace(BAD + 1);
    damage(HEADER_BYTES + 28, 1);
    check_refused(0, "record 0 belongs to a task that the header does not name");
    write_trace(BAD + 1);
    damage(HEADER_BYTES + GRT_TRACE_LOT * 32,
           0); /* the first of a lot is behind the last of the one before */
    damage(HEADER_BYTES + GRT_TRACE_LOT * 32 + 8, 0);
    check_refused(1, "record 8192 goes back in time");
}

/* Names that share their texts would take more memory than the file has bytes: a megabyte of text a thousand times. */
static void test_shared_texts(void) {
    enum { COUNT = 1000, TEXT = 1 << 20, BYTES = (32 + COUNT * 24 + TEXT + 31) / 32 * 32 };
    uint32_t header[8] = {0, 0, GRT_TRACE_FILE_VERSION, BYTES, 32, COUNT, TEXT, 0};
    memcpy(header, GRT_TRACE_FILE_MAGIC, 8);
    char *bytes = grt_allocate(BYTES);
    memset(bytes, 'x', BYTES);
    memcpy(bytes, header, sizeof header);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t entry[6] = {GRT_NAME_TASK, (uint32_t)i, 0, 0, 0, TEXT};
        memcpy(bytes + 32 + i * sizeof entry, entry, sizeof entry);
    }
    FILE *file = fopen(FILE_NAME, "wb");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, BYTES, file), BYTES);
    fclose(file);
    check_refused(0, "has a damaged table of names");
    free(bytes);
}

/* Every kind as an instant and as a slice that ends before it starts, with a task, an unknown one and none: what is told of
 * each, by the tables of docs/trace-format.md. */
static void test_kinds(void) {
    static const char instants[] = "release skip miss gpu-request row-mark priority lost-items share";
    static const char *const kinds[] = {"?",        "release",    "finish",        "abort",   "skip",
                                        "miss",     "cpu",        "gpu-request",   "segment", "kernel",
                                        "block",    "copy",       "unfinished",    "blocked", "row-slice",
                                        "row-mark", "context",    "launch-failed", "call",    "thread",
                                        "priority", "lost-items", "share"};
    CU_ASSERT_EQUAL(sizeof kinds / sizeof kinds[0], GRT_TRACE_KINDS);
    for (int kind = 1; kind < GRT_TRACE_KINDS; kind++) {
        bool instant = strstr(instants, kinds[kind]) != NULL;
        bool no_task = kind == GRT_TRACE_ROW_SLICE || kind == GRT_TRACE_ROW_MARK ||
                       kind == GRT_TRACE_CONTEXT || kind == GRT_TRACE_THREAD || kind == GRT_TRACE_CALL ||
                       kind == GRT_TRACE_SHARE;
        for (uint16_t task = 0; task < 3; task++) {
            for (int reversed = 0; reversed < 2; reversed++) {
                struct heard_trace heard = {0};
                struct grt_errors errors = {0};
                bool cut, bad_task = task == 1 || (task == 2 && !no_task);
                write_trace(1);
                damage(HEADER_BYTES + 8, (uint16_t)reversed); /* the start; the end is 0 */
                damage(HEADER_BYTES + 28, task == 2 ? GRT_TRACE_NO_TASK : task);
                damage(HEADER_BYTES + 30, (uint16_t)kind);
                bool good = !bad_task && (instant || reversed == 0);
                CU_ASSERT_EQUAL(stream_file(&heard, &errors, &cut),
                                good ? GRT_READING_DONE : GRT_READING_REFUSED);
                grt_errors_clear(&errors);
                heard_trace_free(&heard);
            }
        }
    }
}

/* The record of a stream's share, and what its reader says. */
static void check_share(uint16_t lowest_bits, uint16_t highest_bits, bool good) {
    struct heard_trace heard = {0};
    struct grt_errors errors = {0};
    bool cut;
    write_trace(1);
    damage(HEADER_BYTES + 8, lowest_bits);
    damage(HEADER_BYTES + 14, highest_bits);
    damage(HEADER_BYTES + 28, GRT_TRACE_NO_TASK);
    damage(HEADER_BYTES + 30, GRT_TRACE_SHARE);
    CU_ASSERT_EQUAL(stream_file(&heard, &errors, &cut), good ? GRT_READING_DONE : GRT_READING_REFUSED);
    CU_ASSERT_EQUAL_FATAL(errors.count, good ? 0 : 1);
    CU_ASSERT(good || strcmp(errors.messages[0], "record 0 sets a share that is not of 0 to 100") == 0);
    grt_errors_clear(&errors);
    heard_trace_free(&heard);
}

static void test_shares(void) {
    check_share(0, 0, true);
    check_share(100, 0, true);
    check_share(101, 0, false);
    check_share(50, 0x8000, false); /* below 0 */
}

int main(void) {
    CU_TestInfo tests[] = {{"lots", test_lots},
                           {"pipes in pieces", test_pieces},
                           {"cut at every byte", test_cut_at_every_byte},
                           {"failing sinks", test_failing_sinks},
                           {"late damage", test_late_damage},
                           {"shared texts", test_shared_texts},
                           {"every kind", test_kinds},
                           {"shares", test_shares},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("trace stream", tests);
}
