/* Text Gantt charts of small made-up traces, character by character. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "viz/gantt/text_cells.h"
#include "viz/gantt/text_gantt.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MS GRT_MILLISECOND

/* One time is in milliseconds, as in the drawings. */
#define RELEASE(t, task_, job_, deadline_)                                                                   \
    { .time = (t)*MS, .other = (deadline_)*MS, .job = job_, .task = task_, .kind = GRT_TRACE_RELEASE }
#define INSTANT(t, kind_, task_, job_, other_)                                                               \
    { .time = (t)*MS, .other = (other_)*MS, .job = job_, .task = task_, .kind = GRT_TRACE_##kind_ }
#define SLICE(from_, to_, kind_, task_, job_, row_, detail_, flags_)                                         \
    {                                                                                                        \
        .time = (grt_time)((to_)*MS), .other = (grt_time)((from_)*MS), .job = job_, .detail = detail_,       \
        .row = row_, .task = task_, .kind = GRT_TRACE_##kind_, .flags = flags_                               \
    }

/* A trace of constants as a kept one. */
static struct grt_trace_memory trace_of(const struct grt_trace_name *names, size_t name_count,
                                        const struct grt_trace_record *records, size_t record_count) {
    struct grt_trace_memory trace = {0};
    grt_trace_memory_sink.names(&trace, names, name_count);
    grt_trace_memory_sink.write(&trace, records, record_count);
    return trace;
}

static void check_drawing(const struct grt_trace_memory *trace, struct grt_text_gantt_options options,
                          const char *expected) {
    char *drawing = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawing, &size);
    grt_text_gantt_write(trace, &options, out);
    fclose(out);
    if (strcmp(drawing, expected) != 0) {
        printf("\ngot:\n%s\nexpected:\n%s\n", drawing, expected);
    }
    CU_ASSERT_STRING_EQUAL(drawing, expected);
    free(drawing);
}

/* ---- Rows of the policy's own: what happened there to a task, or to none ---- */

static void test_rows_of_the_policy(void) {
    static const struct grt_trace_name names[] = {
        {GRT_NAME_RUN, 0, 0, 0, 0, "own"},   {GRT_NAME_TASK, 0, 0, 0, 0, "a"},
        {GRT_NAME_TASK, 1, 0, 0, 0, "b"},    {GRT_NAME_ROW, 0, 0, 0, 0, "reservation"},
        {GRT_NAME_ROW, 1, 0, 0, 0, "slots"}, {GRT_NAME_LABEL, 0, 0, 0, 0, "activation"},
    };
    static const struct grt_trace_record records[] = {
        SLICE(1, 3, ROW_SLICE, 0, 0, 1, 0, 0),
        SLICE(3, 6, ROW_SLICE, 1, 0, 1, 0, 0),
        SLICE(1, 7, ROW_SLICE, GRT_TRACE_NO_TASK, 0, 0, 0, 0),
        {.time = 8 * MS, .kind = GRT_TRACE_ROW_MARK, .row = 1, .task = 1},
        {.time = 12 * MS, .kind = GRT_TRACE_ROW_MARK, .row = 1, .task = 1},
    };
    struct grt_trace_memory trace = trace_of(names, COUNT(names), records, COUNT(records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 10 * MS, .width = 23, .utf8 = true},
                  "own: 0s to 10ms, a column is 1ms\n"
                  "         ms  0\n"
                  "             ┬─────────\n"
                  "             ┊\n"
                  "A a          ┊\n"
                  "             ┊\n"
                  "B b          ┊\n"
                  "             ┊\n"
                  "reservation  ┊◊◊◊◊◊◊\n"
                  "slots        ┊AABBB  ◊\n"
                  "◊ the policy's own\n");
    grt_trace_memory_free(&trace);
}

/* ---- One task on a core and a GPU of one SM, which misses its second deadline ---- */

static const struct grt_trace_name one_names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "one"},     {GRT_NAME_TASK, 0, 0, 0, 0, "detect"},
    {GRT_NAME_KERNEL, 0, 1, 1, 512, "k"},  {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_ENGINE, 0, 0, 0, 0, "copy"}, {GRT_NAME_SM, 0, 0, 0, 1024, "SM 0"},
};
static const struct grt_trace_record one_records[] = {
    RELEASE(0, 0, 0, 10),
    SLICE(1, 3, CPU, 0, 0, 0, 0, 0),
    SLICE(4, 5, COPY, 0, 0, 0, 1 << 16, 0),
    SLICE(5, 8, BLOCK, 0, 0, 0, 0, 0),
    SLICE(5, 8, KERNEL, 0, 0, 0, 1 << 16 | 1, 0),
    SLICE(8, 9, COPY, 0, 0, 0, 1 << 16 | 2, GRT_TRACE_D2H),
    SLICE(3, 9, GPU_SEGMENT, 0, 0, 0, 1, 0),
    SLICE(0, 9, FINISH, 0, 0, 0, 0, 0),
    RELEASE(10, 0, 1, 20),
    SLICE(10, 23, CPU, 0, 1, 0, 0, 0),
    SLICE(10, 23, FINISH, 0, 1, 0, 0, GRT_TRACE_LATE),
};

static void test_one_task(void) {
    struct grt_trace_memory trace = trace_of(one_names, COUNT(one_names), one_records, COUNT(one_records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 25 * MS, .width = 40, .utf8 = true},
                  "one: 0s to 25ms, a column is 1ms\n"
                  "      ms  0         10        20\n"
                  "          ┬─────────┬─────────┬────\n"
                  "          ↑         ↕         ✗\n"
                  "A detect  ┄━━░»███« ━━━━━━━━━━━━━\n"
                  "          ┊         ┊         ┊\n"
                  "cpu 0     ┊AA       AAAAAAAAAAAAA\n"
                  "copy      ┊   A   A ┊         ┊\n"
                  "SM 0      ┊    ▄▄▄  ┊         ┊\n"
                  "          ┊    AAA  ┊         ┊\n"
                  "↑ release  ↕ release and deadline\n"
                  "✗ missed deadline\n"
                  "┄ ready, waits for a core\n"
                  "░ waits for the GPU  » copy to the GPU\n"
                  "« copy from the GPU  ━ on a core\n"
                  "█ kernel\n"
                  "▁ to █ share of the SM's threads\n");
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 25 * MS, .width = 40},
                  "one: 0s to 25ms, a column is 1ms\n"
                  "      ms  0         10        20\n"
                  "          +---------+---------+----\n"
                  "          ^         |         !\n"
                  "A detect  -==.>###< =============\n"
                  "          :         :         :\n"
                  "cpu 0     :AA       AAAAAAAAAAAAA\n"
                  "copy      :   A   A :         :\n"
                  "SM 0      :    444  :         :\n"
                  "          :    AAA  :         :\n"
                  "^ release  | release and deadline\n"
                  "! missed deadline\n"
                  "- ready, waits for a core\n"
                  ". waits for the GPU  > copy to the GPU\n"
                  "< copy from the GPU  = on a core\n"
                  "# kernel\n"
                  "1 to 8 share of the SM's threads\n");
    check_drawing(&trace,
                  (struct grt_text_gantt_options){.from = 4 * MS, .to = 9 * MS, .width = 40, .utf8 = true},
                  "one: 4ms to 9ms, a column is 200us\n"
                  "      ms  4         6         8\n"
                  "          ┬─────────┬─────────┬────\n"
                  "          ┊         ┊         ┊\n"
                  "A detect  »»»»»███████████████«««««\n"
                  "          ┊         ┊         ┊\n"
                  "cpu 0     ┊         ┊         ┊\n"
                  "copy      AAAAA     ┊         AAAAA\n"
                  "SM 0      ┊    ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄┊\n"
                  "          ┊    AAAAAAAAAAAAAAA┊\n"
                  "» copy to the GPU  « copy from the GPU\n"
                  "█ kernel\n"
                  "▁ to █ share of the SM's threads\n");
    check_drawing(
        &trace, (struct grt_text_gantt_options){.from = 15 * MS, .to = 23 * MS, .width = 40, .colour = true},
        "one: 15ms to 23ms, a column is 400us\n"
        "      ms    16   18   20   22\n"
        "          --+----+----+----+--\n"
        "            \033[2m:    :    \033[0;1;31m!    \033[0;2m:\033[0m\n"
        "A detect  \033[36m============\033[0;1;31m========\033[0m\n"
        "            \033[2m:    :    :    :\033[0m\n"
        "cpu 0     \033[36mAAAAAAAAAAAAAAAAAAAA\033[0m\n"
        "copy        \033[2m:    :    :    :\033[0m\n"
        "! missed deadline  = on a core\n");
    grt_trace_memory_free(&trace);
}

/* ---- Marks: what hides what ---- */

static const struct grt_trace_name marks_names[] = {
    {GRT_NAME_TASK, 0, 0, 0, 0, "both"},  {GRT_NAME_TASK, 1, 0, 0, 0, "miss"},
    {GRT_NAME_TASK, 2, 0, 0, 0, "abort"}, {GRT_NAME_TASK, 3, 0, 0, 0, "skip"},
    {GRT_NAME_TASK, 4, 0, 0, 0, "never"}, {GRT_NAME_TASK, 5, 0, 0, 0, "end"},
};
static const struct grt_trace_record marks_records[] = {
    RELEASE(0, 0, 0, 10),
    RELEASE(0, 1, 0, 10),
    RELEASE(0, 2, 0, 10),
    {.time = 0, .other = GRT_TIME_NEVER, .task = 4, .kind = GRT_TRACE_RELEASE},
    SLICE(0, 4, FINISH, 0, 0, 0, 0, 0),
    RELEASE(10, 0, 1, 20), /* at the deadline of the first job */
    RELEASE(10, 1, 1, 20), /* hidden by the miss of the first job */
    INSTANT(10, MISS, 2, 0, 10),
    SLICE(0, 10, ABORT, 2, 0, 0, 0, 0), /* hidden by the miss, too */
    RELEASE(10, 2, 1, 20),
    SLICE(0, 11, FINISH, 1, 0, 0, 0, GRT_TRACE_LATE),
    INSTANT(12, SKIP, 3, 0, 12),
    SLICE(10, 14, ABORT, 2, 1, 0, 0, 0), /* by a policy, before its deadline */
    SLICE(10, 15, FINISH, 0, 1, 0, 0, 0),
    RELEASE(20, 5, 0, 30), /* at the end of the window */
    SLICE(10, 22, UNFINISHED, 1, 1, 0, 0, GRT_TRACE_LATE | GRT_TRACE_OPEN),
    SLICE(0, 22, UNFINISHED, 4, 0, 0, 0, GRT_TRACE_OPEN),
};

static void test_marks(void) {
    struct grt_trace_memory trace =
        trace_of(marks_names, COUNT(marks_names), marks_records, COUNT(marks_records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 20 * MS, .width = 40, .utf8 = true},
                  "0s to 20ms, a column is 1ms\n"
                  "     ms  0         10\n"
                  "         ┬─────────┬─────────\n"
                  "         ↑         ↕        ↓\n"
                  "A both   ┄┄┄┄      ┄┄┄┄┄\n"
                  "         ↑         ✗        ✗\n"
                  "B miss   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄\n"
                  "         ↑         ✗   ⊗    ↓\n"
                  "C abort  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄\n"
                  "         ┊         ┊ ○\n"
                  "D skip   ┊         ┊\n"
                  "         ↑         ┊\n"
                  "E never  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄\n"
                  "         ┊         ┊        ↑\n"
                  "F end    ┊         ┊\n"
                  "         ┊         ┊\n"
                  "↑ release  ↓ deadline\n"
                  "↕ release and deadline  ○ skipped job\n"
                  "⊗ abort  ✗ missed deadline\n"
                  "┄ ready, waits for a core\n");
    /* Ten times as much in a column: the misses are still there. */
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 200 * MS, .width = 40},
                  "0s to 200ms, a column is 10ms\n"
                  "     ms  0         100\n"
                  "         +---------+---------\n"
                  "         ^|v       :\n"
                  "A both   --        :\n"
                  "         ^!!       :\n"
                  "B miss   ---       :\n"
                  "         ^!v       :\n"
                  "C abort  --        :\n"
                  "         :o        :\n"
                  "D skip   :         :\n"
                  "         ^         :\n"
                  "E never  ---       :\n"
                  "         : ^v      :\n"
                  "F end    :         :\n"
                  "         :         :\n"
                  "^ release  v deadline\n"
                  "| release and deadline  o skipped job\n"
                  "! missed deadline\n"
                  "- ready, waits for a core\n");
    grt_trace_memory_free(&trace);
}

/* ---- Short slices ---- */

static const struct grt_trace_name short_names[] = {
    {GRT_NAME_TASK, 0, 0, 0, 0, "long"},
    {GRT_NAME_TASK, 1, 0, 0, 0, "short"},
    {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_ENGINE, 0, 0, 0, 0, "copy"},
};
static const struct grt_trace_record short_records[] = {
    RELEASE(0, 0, 0, 100),
    SLICE(0, 19.9, CPU, 0, 0, 0, 0, GRT_TRACE_PREEMPTED),
    SLICE(19.9, 20.0, CPU, 1, 0, 0, 0, 0), /* a preemption of 0.1 ms */
    SLICE(20.0, 35.2, CPU, 0, 0, 0, 0, 0),
    SLICE(35.2, 35.3, COPY, 0, 0, 0, 1 << 16, 0), /* between two long slices */
    SLICE(35.3, 65.0, BLOCK, 0, 0, 0, 0, 0),
    SLICE(35.3, 65.0, KERNEL, 0, 0, 0, 1 << 16 | 1, 0),
    SLICE(65.0, 65.1, COPY, 0, 0, 0, 1 << 16 | 2, GRT_TRACE_D2H),
    SLICE(35.2, 65.1, GPU_SEGMENT, 0, 0, 0, 1, 0),
    SLICE(65.1, 65.2, CPU, 0, 0, 0, 2, 0),
    SLICE(0, 65.2, FINISH, 0, 0, 0, 0, 0),
    /* All of a job within two columns: kernel and core are seen, the copy is not. */
    SLICE(70.5, 71, CPU, 1, 1, 0, 0, 0),
    SLICE(71, 71.2, COPY, 1, 1, 0, 1 << 16, 0),
    SLICE(71.2, 76, BLOCK, 1, 1, 0, 0, 0),
    SLICE(71.2, 76, KERNEL, 1, 1, 0, 1 << 16 | 1, 0),
    SLICE(71, 76, GPU_SEGMENT, 1, 1, 0, 1, 0),
    SLICE(70, 76, FINISH, 1, 1, 0, 0, 0),
};

static void test_short_slices(void) {
    struct grt_trace_memory trace =
        trace_of(short_names, COUNT(short_names), short_records, COUNT(short_records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 100 * MS, .width = 40},
                  "0s to 100ms, a column is 4ms\n"
                  "     ms  0    20   40   60   80\n"
                  "         +----+----+----+----+----\n"
                  "         ^    :    :    :    :   v\n"
                  "A long   ========>#######=   :\n"
                  "         :    :    :    :    :\n"
                  "B short  :   =:    :    : =# :\n"
                  "         :    :    :    :    :\n"
                  "cpu 0    AAAABAAAA :    :AB  :\n"
                  "copy     :    :  A :    :AB  :\n"
                  "^ release  v deadline  > copy to the GPU\n"
                  "= on a core  # kernel\n");
    grt_trace_memory_free(&trace);
}

/* ---- Waits ---- */

static const struct grt_trace_name wait_names[] = {
    {GRT_NAME_TASK, 0, 0, 0, 0, "waves"},
    {GRT_NAME_TASK, 1, 0, 0, 0, "abort"},
    {GRT_NAME_TASK, 2, 0, 0, 0, "open"},
    {GRT_NAME_TASK, 3, 0, 0, 0, "after"},
};
static const struct grt_trace_record wait_records[] = {
    RELEASE(0, 0, 0, 30),
    RELEASE(0, 1, 0, 10),
    RELEASE(5, 2, 0, 30),
    SLICE(2, 5, BLOCK, 0, 0, 0, 0, 0),
    SLICE(3, 6, BLOCK, 0, 0, 1, 1, 0),                        /* overlaps the one before */
    SLICE(6, 8, BLOCK, 0, 0, 0, 2, 0),                        /* directly behind */
    SLICE(1, 10, GPU_SEGMENT, 1, 0, 0, 0, GRT_TRACE_ABORTED), /* without a kernel */
    SLICE(0, 10, ABORT, 1, 0, 0, 0, 0),
    SLICE(11, 14, BLOCK, 0, 0, 1, 3, 0), /* after others had the SMs */
    SLICE(2, 14, KERNEL, 0, 0, 0, 0, 0),
    SLICE(1, 14, GPU_SEGMENT, 0, 0, 0, 0, 0),
    SLICE(0, 14, FINISH, 0, 0, 0, 0, 0),
    SLICE(5, 24, GPU_SEGMENT, 2, 0, 0, 0, GRT_TRACE_OPEN),
    SLICE(5, 24, UNFINISHED, 2, 0, 0, 0, GRT_TRACE_OPEN),
    SLICE(4, 24, UNFINISHED, 3, 0, 0, 0, GRT_TRACE_OPEN | GRT_TRACE_LATE), /* released behind the window */
};

static void test_waits(void) {
    struct grt_trace_memory trace =
        trace_of(wait_names, COUNT(wait_names), wait_records, COUNT(wait_records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 20 * MS, .width = 40, .utf8 = true},
                  "0s to 20ms, a column is 1ms\n"
                  "     ms  0         10\n"
                  "         ┬─────────┬─────────\n"
                  "         ↑         ┊\n"
                  "A waves  ┄░██████░░░███\n"
                  "         ↑         ⊗\n"
                  "B abort  ┄░░░░░░░░░┊\n"
                  "         ┊    ↑    ┊\n"
                  "C open   ┊    ░░░░░░░░░░░░░░░\n"
                  "         ┊         ┊\n"
                  "D after  ┊         ┊\n"
                  "         ┊         ┊\n"
                  "↑ release  ⊗ abort\n"
                  "┄ ready, waits for a core\n"
                  "░ waits for the GPU  █ kernel\n");
    grt_trace_memory_free(&trace);
}

/* ---- SMs ---- */

enum { MANY_SMS = 20 };

static void test_many_sms(void) {
    char texts[MANY_SMS][16];
    struct grt_trace_name names[4 + MANY_SMS + 1] = {{GRT_NAME_TASK, 0, 0, 0, 0, "wide"},
                                                     {GRT_NAME_TASK, 1, 0, 0, 0, "late"},
                                                     {GRT_NAME_KERNEL, 0, 0, 0, 256, "k"},
                                                     {GRT_NAME_KERNEL, 1, 3, 2, 1024, "k"}};
    struct grt_trace_record records[MANY_SMS + 6] = {0};
    size_t count = 0;
    for (uint32_t i = 0; i < MANY_SMS; i++) {
        snprintf(texts[i], sizeof texts[i], "gpu0 SM %u", i);
        names[4 + i] = (struct grt_trace_name){GRT_NAME_SM, i, 0, 0, 1024, texts[i]};
        records[count++] =
            (struct grt_trace_record)SLICE(0, 10, BLOCK, 0, 0, i, i, 0); /* a quarter of each */
    }
    names[4 + MANY_SMS] = (struct grt_trace_name){GRT_NAME_SM, MANY_SMS, 0, 0, 1024, "gpu1 SM 0"};
    records[count++] = (struct grt_trace_record)SLICE(0, 10, KERNEL, 0, 0, 0, 0, 0);
    records[count++] = (struct grt_trace_record)SLICE(0, 10, GPU_SEGMENT, 0, 0, 0, 0, 0);
    records[count++] = (struct grt_trace_record)SLICE(5, 20, BLOCK, 1, 0, 19, 0, 0);
    records[count++] = (struct grt_trace_record)SLICE(10, 20, BLOCK, 1, 0, MANY_SMS, 1, 0);
    records[count++] = (struct grt_trace_record)SLICE(5, 20, KERNEL, 1, 0, 0, 3 << 16 | 2, 0);
    records[count++] = (struct grt_trace_record)SLICE(0, 20, GPU_SEGMENT, 1, 0, 0, 3, 0);
    struct grt_trace_memory trace = trace_of(names, COUNT(names), records, count);
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 20 * MS, .width = 40, .utf8 = true},
                  "0s to 20ms, a column is 1ms\n"
                  "            ms  0         10\n"
                  "                ┬─────────┬─────────\n"
                  "                ┊         ┊\n"
                  "A wide          ██████████┊\n"
                  "                ┊         ┊\n"
                  "B late          ░░░░░███████████████\n"
                  "                ┊         ┊\n"
                  "gpu0 SM 0-2     ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "gpu0 SM 3-5     ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "gpu0 SM 6-8     ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "gpu0 SM 9-11    ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "gpu0 SM 12-14   ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "gpu0 SM 15-17   ▂▂▂▂▂▂▂▂▂▂┊\n"
                  "                AAAAAAAAAA┊\n"
                  "gpu0 SM 18-19   ▂▂▂▂▂▆▆▆▆▆▄▄▄▄▄▄▄▄▄▄\n"
                  "                AAAAABBBBBBBBBBBBBBB\n"
                  "gpu1 SM 0       ┊         ██████████\n"
                  "                ┊         BBBBBBBBBB\n"
                  "░ waits for the GPU  █ kernel\n"
                  "▁ to █ share of the SM's threads\n");
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 20 * MS, .width = 40},
                  "0s to 20ms, a column is 1ms\n"
                  "            ms  0         10\n"
                  "                +---------+---------\n"
                  "                :         :\n"
                  "A wide          ##########:\n"
                  "                :         :\n"
                  "B late          .....###############\n"
                  "                :         :\n"
                  "gpu0 SM 0-2     2222222222:\n"
                  "gpu0 SM 3-5     2222222222:\n"
                  "gpu0 SM 6-8     2222222222:\n"
                  "gpu0 SM 9-11    2222222222:\n"
                  "gpu0 SM 12-14   2222222222:\n"
                  "gpu0 SM 15-17   2222222222:\n"
                  "                AAAAAAAAAA:\n"
                  "gpu0 SM 18-19   22222666664444444444\n"
                  "                AAAAABBBBBBBBBBBBBBB\n"
                  "gpu1 SM 0       :         8888888888\n"
                  "                :         BBBBBBBBBB\n"
                  ". waits for the GPU  # kernel\n"
                  "1 to 8 share of the SM's threads\n");
    grt_trace_memory_free(&trace);
}

/* ---- Axis ---- */

static void check_axis(grt_time from, grt_time to, int width, const char *expected) {
    struct grt_trace_name name = {GRT_NAME_TASK, 0, 0, 0, 0, "t"};
    struct grt_trace_memory trace = trace_of(&name, 1, NULL, 0);
    char *drawing = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawing, &size);
    grt_text_gantt_write(&trace, &(struct grt_text_gantt_options){.from = from, .to = to, .width = width},
                         out);
    fclose(out);
    size_t end = 0; /* of the third line */
    for (int lines = 0; lines < 3 && drawing[end] != '\0'; end++) {
        lines += drawing[end] == '\n';
    }
    drawing[end] = '\0';
    if (strcmp(drawing, expected) != 0) {
        printf("\ngot:\n%s\nexpected:\n%s\n", drawing, expected);
    }
    CU_ASSERT_STRING_EQUAL(drawing, expected);
    free(drawing);
    grt_trace_memory_free(&trace);
}

static void test_axis(void) {
    check_axis(0, 1, 40,
               "0s to 1ns, a column is 1ns\n"
               " ns  0\n"
               "     +\n");
    check_axis(0, 33 * MS, 40,
               "0s to 33ms, a column is 1ms\n"
               " ms  0         10        20        30\n"
               "     +---------+---------+---------+--\n");
    check_axis(0, 100 * MS, 80,
               "0s to 100ms, a column is 2ms\n"
               " ms  0         20        40        60        80\n"
               "     +---------+---------+---------+---------+---------\n");
    check_axis(7 * MS, 130 * MS, 60,
               "7ms to 130ms, a column is 2.5ms\n"
               " ms       20      40      60      80      100     120\n"
               "     -----+-------+-------+-------+-------+-------+----\n");
    check_axis(1234567, 1234999, 60,
               "1.234567ms to 1.234999ms, a column is 10ns\n"
               " ns     1234600   1234700   1234800   1234900\n"
               "     ---+---------+---------+---------+---------+\n");
    check_axis(999 * GRT_SECOND, 1003 * GRT_SECOND, 60,
               "999s to 1003s, a column is 100ms\n"
               "  s  999       1000      1001      1002\n"
               "     +---------+---------+---------+---------\n");
    check_axis(0, GRT_TIME_LIMIT, 60,
               "0s to 1000000000s, a column is 20000000s\n"
               "  s  0                   400000000           800000000\n"
               "     +---------+---------+---------+---------+---------\n");
    check_axis(GRT_TIME_LIMIT - 7, GRT_TIME_LIMIT, 60,
               "999999999.999999993s to 1000000000s, a column is 1ns\n"
               " ns\n"
               "     -------\n");
}

/* Every window and width gives a chart of no more than the width. */
static void test_widths(void) {
    struct grt_trace_memory trace = trace_of(one_names, COUNT(one_names), one_records, COUNT(one_records));
    for (int width = 40; width < 140; width++) {
        for (grt_time to = 3; to < GRT_TIME_LIMIT / 7; to *= 7) {
            char *drawing = NULL;
            size_t size = 0;
            FILE *out = open_memstream(&drawing, &size);
            struct grt_text_gantt_options options = {.from = to / 3, .to = to, .width = width, .utf8 = true};
            grt_text_gantt_write(&trace, &options, out);
            fclose(out);
            strtok(drawing, "\n"); /* the heading is a sentence */
            for (char *line = strtok(NULL, "\n"); line != NULL; line = strtok(NULL, "\n")) {
                CU_ASSERT(grt_text_cells(line) <= (size_t)width);
            }
            free(drawing);
        }
    }
    grt_trace_memory_free(&trace);
}

/* ---- Many tasks ---- */

static void test_many_tasks(void) {
    enum { MANY = 200 };
    static char texts[MANY][16];
    static struct grt_trace_name names[MANY];
    static struct grt_trace_record records[2 * MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "task%u", i);
        names[i] = (struct grt_trace_name){GRT_NAME_TASK, i, 0, 0, 0, texts[i]};
        records[i] = (struct grt_trace_record)RELEASE(0, (uint16_t)i, 0, 5);
        records[MANY + i] = (struct grt_trace_record)SLICE(0, 7, FINISH, (uint16_t)i, 0, 0, 0, 0);
        records[MANY + i].flags = i == 177 ? GRT_TRACE_LATE : 0;
    }
    struct grt_trace_memory trace = trace_of(names, MANY, records, 2 * MANY);
    char *drawing = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawing, &size);
    grt_text_gantt_write(&trace, &(struct grt_text_gantt_options){.to = 10 * MS, .width = 60}, out);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(drawing, "* task62 "));
    CU_ASSERT_PTR_NULL(strstr(drawing, "* task63 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(drawing, "* task177 ")); /* missed its deadline */
    CU_ASSERT_PTR_NOT_NULL(strstr(drawing, "\n136 more tasks are not shown\n"));
    free(drawing);
    grt_trace_memory_free(&trace);
}

/* ---- Cells ---- */

static void check_put(const char *text, size_t cells, enum grt_text_side side, const char *expected) {
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    grt_text_put(out, text, cells, side);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(result, expected);
    free(result);
}

static void test_cells(void) {
    CU_ASSERT_EQUAL(grt_text_cells(""), 0);
    CU_ASSERT_EQUAL(grt_text_cells("größe"), 5);
    CU_ASSERT_EQUAL(grt_text_cells("后台"), 4);
    CU_ASSERT_EQUAL(grt_text_cells("e\xcc\x81"), 1); /* e and a combining accent */
    CU_ASSERT_EQUAL(grt_text_cells("\xff\xc3"), 2);
    CU_ASSERT_EQUAL(grt_text_cells("a\033b"), 3);
    check_put("ab", 4, GRT_TEXT_LEFT, "ab  ");
    check_put("ab", 4, GRT_TEXT_RIGHT, "  ab");
    check_put("größer", 4, GRT_TEXT_LEFT, "grö~");
    check_put("后台", 3, GRT_TEXT_LEFT, "后~");
    check_put("后台", 2, GRT_TEXT_LEFT, " ~");
    check_put("a\033\xff\xc2\x9b", 4, GRT_TEXT_LEFT, "a???");
    check_put("\xed\xa0\x80", 3, GRT_TEXT_LEFT, "???"); /* half a surrogate pair */
}

/* ---- calls ---- */

/* A wait for an event that takes time is shown, and a record, which takes none, is not. */
static void test_calls(void) {
    static const struct grt_trace_name names[] = {{GRT_NAME_TASK, 0, 0, 0, 0, "detect"},
                                                  {GRT_NAME_KERNEL, 0, 0, 1, 512, "k"},
                                                  {GRT_NAME_SM, 0, 0, 0, 1024, "SM 0"}};
    static const struct grt_trace_record records[] = {
        RELEASE(0, 0, 0, 10),
        SLICE(0, 4, CALL, 0, 0, 0, 0, 0),
        SLICE(4, 7, BLOCK, 0, 0, 0, 0, 0),
        SLICE(4, 7, KERNEL, 0, 0, 0, 1, 0),
        SLICE(7, 7, CALL, 0, 0, 0, 2, 0),
        SLICE(0, 8, GPU_SEGMENT, 0, 0, 0, 0, 0),
        SLICE(0, 8, FINISH, 0, 0, 0, 0, 0),
    };
    struct grt_trace_memory trace = trace_of(names, COUNT(names), records, COUNT(records));
    check_drawing(&trace, (struct grt_text_gantt_options){.to = 10 * MS, .width = 30},
                  "0s to 10ms, a column is 500us\n"
                  "      ms  0         5\n"
                  "          +---------+---------\n"
                  "          ^         :        v\n"
                  "A detect  ~~~~~~~~######..\n"
                  "          :         :\n"
                  "SM 0      :       444444\n"
                  "          :       AAAAAA\n"
                  "^ release  v deadline\n"
                  ". waits for the GPU\n"
                  "~ in a call  # kernel\n"
                  "1 to 8 share of the SM's threads\n");
    grt_trace_memory_free(&trace);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"one task", test_one_task},
        {"rows of the policy", test_rows_of_the_policy},
        {"marks", test_marks},
        {"short slices", test_short_slices},
        {"waits", test_waits},
        {"many SMs", test_many_sms},
        {"axis", test_axis},
        {"widths", test_widths},
        {"many tasks", test_many_tasks},
        {"cells", test_cells},
        {"calls", test_calls},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("text gantt", tests);
}
