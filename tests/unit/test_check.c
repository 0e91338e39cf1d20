/* Assertions, each failed on purpose in a child process: the sentence on standard error, then the abort. */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "sim/check.h"
#include "sim/event.h"
#include "sim/loop.h"
#include "sim/memory.h"
#include "sim/program_name.h"
#include "sim/random.h"
#include "sim/ready_queue.h"
#include "sim/stats.h"
#include "sim/time.h"
#include "sim/trace.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { OUTPUT_SIZE = 4096 };

static bool aborts(void (*function)(void), char output[OUTPUT_SIZE]) {
    return grt_child_ended_by(grt_child_call(function, output, OUTPUT_SIZE), SIGABRT);
}

/* --- The macros. */

static void fail_by_hand(void) {
    grt_check_failed("2 < 1", "give a smaller number", "some/file.c", 12);
}

static void fail_under_a_name(void) {
    grt_program_set_name("gpurt-view");
    fail_by_hand();
}

enum { LINE_OF_FAILURE = __LINE__ + 3 };

static void fail_to_meet(void) {
    GRT_REQUIRE(1 + 1 == 3, "count again");
}

static void meet(void) {
    GRT_REQUIRE(1 + 1 == 2, "count again");
    GRT_ASSERT(true, "count again");
    GRT_AUDIT(true, "count again");
}

static void fail_an_invariant(void) {
    GRT_ASSERT(false, "keep this true");
}

static void fail_an_audit(void) {
    GRT_AUDIT(false, "keep this true as well");
}

static void says_what_is_wrong(void) {
    char output[OUTPUT_SIZE];
    CU_ASSERT(aborts(fail_by_hand, output));
    CU_ASSERT_STRING_EQUAL(output,
                           "gpurt: bug: broken rule: give a smaller number (2 < 1, some/file.c:12)\n");
    CU_ASSERT(aborts(fail_under_a_name, output));
    CU_ASSERT_STRING_EQUAL(output,
                           "gpurt-view: bug: broken rule: give a smaller number (2 < 1, some/file.c:12)\n");
    CU_ASSERT(aborts(fail_to_meet, output));
    char expected[OUTPUT_SIZE];
    snprintf(expected, sizeof expected, "gpurt: bug: broken rule: count again (1 + 1 == 3, %s:%d)\n",
             __FILE__, LINE_OF_FAILURE);
    CU_ASSERT_STRING_EQUAL(output, expected);
    CU_ASSERT(!aborts(meet, output));
    CU_ASSERT_STRING_EQUAL(output, "");
}

static void has_three_tiers(void) {
    char output[OUTPUT_SIZE];
    bool asserts = true, audits = false;
#ifdef NDEBUG
    asserts = false;
#endif
#ifdef GRT_AUDIT_BUILD
    audits = true;
#endif
    CU_ASSERT_EQUAL(aborts(fail_an_invariant, output), asserts);
    CU_ASSERT_EQUAL(strstr(output, "gpurt: bug: broken rule: keep this true (") == output, asserts);
    CU_ASSERT_EQUAL(aborts(fail_an_audit, output), audits);
    CU_ASSERT_EQUAL(strstr(output, "gpurt: bug: broken rule: keep this true as well (") == output, audits);
}

static int calls;

static bool call(void) {
    calls++;
    return true;
}

static void evaluates_a_condition_once(void) {
    calls = 0;
    GRT_REQUIRE(call(), "call");
    CU_ASSERT_EQUAL(calls, 1);
}

/* --- Misuse of the interfaces of sim/. */

static void reserve_too_many_slots(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, GRT_EVENT_MAX_SLOTS + 1);
}

static void decide_nothing(void *owner, grt_time now) {
    (void)owner, (void)now;
}

static void add_a_source(void *owner, uint32_t index, grt_time now) {
    (void)now;
    grt_loop_add(owner, GRT_CLASS_TIMER, add_a_source, owner, index);
}

static void add_a_source_late(void) {
    struct grt_loop loop;
    grt_loop_start(&loop, decide_nothing, NULL);
    grt_loop_schedule(&loop, grt_loop_add(&loop, GRT_CLASS_TIMER, add_a_source, &loop, 0), 1);
    grt_loop_run(&loop, 1);
}

static void ask_an_arena_for_everything(void) {
    struct grt_arena arena = {0};
    grt_arena_array(&arena, SIZE_MAX / 4, 8);
}

static void grow_an_array_beyond_bounds(void) {
    uint32_t capacity = 0;
    grt_array_grow(NULL, &capacity, UINT32_MAX, 1);
}

static void draw_below_nothing(void) {
    struct grt_random random = grt_random_of_key(1);
    grt_random_below(&random, 0);
}

static void push_into_a_full_queue(void) {
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, 1);
    grt_ready_queue_push(&queue, 1, 1, 1);
    grt_ready_queue_push(&queue, 2, 2, 2);
}

static void pop_from_an_empty_queue(void) {
    struct grt_arena arena = {0};
    struct grt_ready_queue queue = grt_ready_queue_create(&arena, 1);
    grt_ready_queue_pop(&queue);
}

static void ask_for_a_quantile(double q) {
    struct grt_arena arena = {0};
    struct grt_stats stats = grt_stats_create(&arena);
    grt_stats_quantile(&stats, q);
}

static void ask_for_a_quantile_above_one(void) {
    ask_for_a_quantile(1.5);
}

static void ask_for_a_quantile_below_zero(void) {
    ask_for_a_quantile(-0.5);
}

static void ask_for_no_quantile(void) {
    ask_for_a_quantile(NAN);
}

static void work_backwards(void) {
    grt_time_of_work(-1, 1);
}

static void work_at_no_rate(void) {
    grt_time_of_work(1, 0);
}

static void add_five_sinks(void) {
    struct grt_trace_memory memories[5] = {0};
    struct grt_trace *trace = grt_trace_create();
    for (int i = 0; i < 5; i++) {
        grt_trace_add_sink(trace, &grt_trace_memory_sink, &memories[i]);
    }
}

static void add_a_sink_late(void) {
    struct grt_trace_memory memory = {0};
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add(trace, (struct grt_trace_record){.kind = GRT_TRACE_RELEASE});
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
}

#ifndef NDEBUG
static void set_a_slot_that_is_not_there(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, 4);
    grt_event_set(&queue, 4, 1, grt_event_order(0, 4));
}

static void set_an_event_before_the_run(void) {
    struct grt_event_queue queue = {0};
    grt_event_queue_reserve(&queue, 4);
    grt_event_set(&queue, 3, -1, grt_event_order(0, 3));
}

static void schedule_the_past(void) {
    struct grt_loop loop;
    grt_loop_start(&loop, decide_nothing, NULL);
    grt_source source = grt_loop_add(&loop, GRT_CLASS_TIMER, NULL, NULL, 0);
    loop.now = 10;
    grt_loop_schedule(&loop, source, 9);
}

static void add_a_negative_span(void) {
    struct grt_arena arena = {0};
    struct grt_stats stats = grt_stats_create(&arena);
    grt_stats_add(&stats, -1);
}
#endif

static const struct {
    void (*misuse)(void);
    const char *file; /* which notices */
} misuses[] = {
    {reserve_too_many_slots, "sim/event.c:"},
    {add_a_source_late, "sim/loop.c:"},
    {ask_an_arena_for_everything, "sim/memory.c:"},
    {grow_an_array_beyond_bounds, "sim/memory.c:"},
    {draw_below_nothing, "sim/random.c:"},
    {push_into_a_full_queue, "sim/ready_queue.c:"},
    {pop_from_an_empty_queue, "sim/ready_queue.c:"},
    {ask_for_a_quantile_above_one, "sim/stats.c:"},
    {ask_for_a_quantile_below_zero, "sim/stats.c:"},
    {ask_for_no_quantile, "sim/stats.c:"},
    {work_backwards, "sim/time.c:"},
    {work_at_no_rate, "sim/time.c:"},
    {add_five_sinks, "sim/trace.c:"},
    {add_a_sink_late, "sim/trace.c:"},
#ifndef NDEBUG
    {set_a_slot_that_is_not_there, "sim/event.h:"},
    {set_an_event_before_the_run, "sim/event.h:"},
    {schedule_the_past, "sim/loop.h:"},
    {add_a_negative_span, "sim/stats.h:"},
#endif
};

static void misuse_of_sim_aborts(void) {
    for (size_t i = 0; i < COUNT(misuses); i++) {
        char output[OUTPUT_SIZE];
        bool good =
            aborts(misuses[i].misuse, output) && strncmp(output, "gpurt: bug: broken rule: ", 25) == 0 &&
            strstr(output, misuses[i].file) != NULL && strchr(output, '\n') == output + strlen(output) - 1;
        if (!good) {
            fprintf(stderr, "misuse %zu, %s no abort or another sentence: %s\n", i, misuses[i].file, output);
        }
        CU_ASSERT(good);
    }
}

/* The address sanitizer ends a program that asks for too much in its own words. */
#ifndef GRT_SANITIZED
static void allocate_everything(void) {
    grt_allocate(PTRDIFF_MAX - 64);
}

static void reallocate_everything(void) {
    static void *volatile kept; /* else valgrind says that it is lost as the program ends */
    kept = grt_allocate(1);
    kept = grt_reallocate(kept, PTRDIFF_MAX - 64);
}
#endif

static void no_memory_ends_the_program(void) {
#ifndef GRT_SANITIZED
    void (*const functions[])(void) = {allocate_everything, reallocate_everything};
    for (int i = 0; i < 2; i++) {
        char output[OUTPUT_SIZE];
        int status = grt_child_call(functions[i], output, OUTPUT_SIZE);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        CU_ASSERT(strstr(output, "out of memory") != NULL);
    }
#endif
}

int main(void) {
    CU_TestInfo tests[] = {
        {"says what is wrong", says_what_is_wrong},
        {"has three tiers", has_three_tiers},
        {"evaluates a condition once", evaluates_a_condition_once},
        {"misuse of sim aborts", misuse_of_sim_aborts},
        {"no memory ends the program", no_memory_ends_the_program},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("check", tests);
}
