/* A policy that breaks rules, one at a time, as its parameter `does` says, in its third decision with somebody waiting; till then, and else,
 * first come, first served on one GPU. Its analysis may divide by zero, too. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/plugin.h"

enum deed {
    NOTHING,
    CRASHES_IN_START,
    CRASHES,
    FILLS_THE_STACK,
    ABORTS,
    DIVIDES_BY_ZERO,
    SUBMITS_TWICE,
    ASKS_FOR_NOBODY,
    NEVER_ENDS_THE_INSTANT,
    REFUSES,
    LEAVES,           /* the program */
    UNFAIR,           /* the last goes first */
    CLAIMS,           /* its other analysis: that the tasks are not schedulable, without a reason to */
    PROMISES_AT_ONCE, /* and keeps to one at a time */
    PROMISES_BATCHES,
    NEVER_RETURNS,
    UNFAIR_IF_PERIODIC,
    INTERRUPTS_IF_PERIODIC, /* the program, as Ctrl-C does */
    IDLES                   /* from the first on, and says that all is well */
};

static const char *const deeds[] = {"nothing",
                                    "crash-in-start",
                                    "crash",
                                    "full-stack",
                                    "abort",
                                    "division-by-zero",
                                    "submit-twice",
                                    "ask-for-nobody",
                                    "endless-instant",
                                    "refuse",
                                    "leave",
                                    "unfair",
                                    "claim",
                                    "promise-at-once",
                                    "promise-batches",
                                    "never-return",
                                    "unfair-if-periodic",
                                    "interrupt-if-periodic",
                                    "idle",
                                    NULL};

struct when {
    int64_t count;
};

struct parameters {
    int64_t does;
    int64_t count;
    struct when behind;
};

static const struct grt_field when_fields[] = {
    {.name = "decisions",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct when, count),
     .fallback = "0",
     .max = 100,
     .help = "How many of its decisions."},
};

static const struct grt_record when_record = {.name = "when",
                                              .size = sizeof(struct when),
                                              .fields = when_fields,
                                              .field_count = GRT_FIELD_COUNT(when_fields),
                                              .help = "When it misbehaves."};

static const struct grt_field fields[] = {
    {.name = "does",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct parameters, does),
     .fallback = "\"nothing\"",
     .choices = deeds,
     .help = "What it does."},
    {.name = "count",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct parameters, count),
     .fallback = "3",
     .min = 1,
     .max = 100,
     .help = "In which of its decisions with somebody waiting."},
    {.name = "behind",
     .type = GRT_FIELD_OBJECT,
     .offset = offsetof(struct parameters, behind),
     .fallback = "",
     .record = &when_record,
     .help = "So much later."},
};

static const struct grt_record record = {.name = "unruly",
                                         .size = sizeof(struct parameters),
                                         .fields = fields,
                                         .field_count = GRT_FIELD_COUNT(fields),
                                         .help = "How it misbehaves."};

struct unruly {
    struct grt_ready_queue waiting;
    grt_stream stream;
    uint32_t timer;
    int64_t decisions;
    bool busy;
};

#ifndef STATE_BYTES /* as it says; other plug-ins of this file say too little */
#define STATE_BYTES sizeof(struct unruly)
#endif

static volatile int *nowhere(void) {
    return NULL;
}

/* The compiler must not see that it never ends. */
static int fill_the_stack(volatile int *depth) {
    volatile char room[4096];
    room[0] = (char)*depth;
    *depth += 1;
    return *depth > 0 ? fill_the_stack(depth) + room[0] : 0;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    const struct parameters *parameters = grt_policy_parameters(world);
    struct unruly *unruly = state;
    if (parameters->does == CRASHES_IN_START) {
        *nowhere() = 1;
    } else if (parameters->does == REFUSES) {
        grt_error_add(errors, NULL, "unruly does not want to");
        return false;
    }
    unruly->stream = grt_policy_stream(world, 0, 0, "unruly");
    unruly->timer = grt_policy_new_timer(world);
    unruly->waiting = grt_policy_ready_queue(world, (uint32_t)grt_policy_scenario(world)->task_count);
    return true;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    const struct parameters *parameters = grt_policy_parameters(world);
    const struct grt_job_view *view = grt_policy_job(world, job);
    bool periodic = grt_policy_scenario(world)->tasks[view->task].arrival == GRT_ARRIVAL_PERIODIC;
    bool unfair = parameters->does == UNFAIR || (parameters->does == UNFAIR_IF_PERIODIC && periodic);
    if (parameters->does == INTERRUPTS_IF_PERIODIC && periodic) {
        raise(SIGINT);
    }
    grt_ready_queue_push(&((struct unruly *)state)->waiting, unfair ? -view->requested : view->requested,
                         view->tie, job);
}

static void gpu_withdrawn(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    grt_ready_queue_remove(&((struct unruly *)state)->waiting, job);
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    (void)job;
    ((struct unruly *)state)->busy = false;
}

/* A file, for who wants to know that it will not return from now on. */
static void leave_a_sign(void) {
    FILE *sign = fopen("endless", "w");
    if (sign != NULL) {
        fclose(sign);
    }
}

static void misbehave(struct unruly *unruly, struct grt_world *world, enum deed deed, grt_job job) {
    volatile int zero = 0;
    switch (deed) {
    case CRASHES:
        *nowhere() = 1;
        break;
    case FILLS_THE_STACK:
        fill_the_stack(&zero);
        break;
    case ABORTS:
        abort();
    case LEAVES:
        printf("has left\n");
        exit(0);
    case DIVIDES_BY_ZERO:
        unruly->decisions /= zero; /* meant: NOLINT(clang-analyzer-core.DivideZero) */
        break;
    case SUBMITS_TWICE:
        grt_policy_submit(world, job, unruly->stream);
        break;
    case NEVER_RETURNS:
        leave_a_sign();
        while (zero == 0) {
        }
        break;
    case ASKS_FOR_NOBODY:
        grt_policy_job(world, 1000000);
        break;
    default:
        break;
    }
}

static void decide(void *state, struct grt_world *world) {
    struct unruly *unruly = state;
    const struct parameters *parameters = grt_policy_parameters(world);
    if (parameters->does == NEVER_ENDS_THE_INSTANT && unruly->decisions >= parameters->count) {
        grt_policy_timer(world, unruly->timer, grt_policy_now(world));
    }
    if (parameters->does != IDLES && !unruly->busy && !grt_ready_queue_is_empty(&unruly->waiting)) {
        grt_job job = grt_ready_queue_pop(&unruly->waiting);
        grt_policy_submit(world, job, unruly->stream);
        unruly->busy = true;
        if (++unruly->decisions == parameters->count + parameters->behind.count) {
            misbehave(unruly, world, (enum deed)parameters->does, job);
        }
    }
}

static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct parameters *parameters = set->parameters;
    volatile int64_t divisor = parameters != NULL && parameters->does == DIVIDES_BY_ZERO ? 0 : 1;
    result->steps = set->tasks[0].period / divisor; /* meant: NOLINT(clang-analyzer-core.DivideZero) */
    result->verdict = GRT_VERDICT_UNKNOWN;
}

static const struct grt_analysis_ops analysis = {.name = "unruly-division",
                                                 .summary = "divides by zero",
                                                 .source = "none",
                                                 .scope = GRT_SCOPE_PLATFORM,
                                                 .covers = UINT32_MAX,
                                                 .run = analyse};

static void claim(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct parameters *parameters = set->parameters;
    if (parameters != NULL && parameters->does == IDLES) {
        result->verdict = GRT_VERDICT_SCHEDULABLE;
        for (size_t i = 0; i < set->count; i++) {
            result->response[i] = set->tasks[i].deadline;
        }
        return;
    }
    bool claims = parameters != NULL && parameters->does == CLAIMS;
    grt_analysis_fail(result, claims ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_UNKNOWN, 0,
                      "it does not look good");
}

static const struct grt_analysis_ops claiming = {.name = "unruly-claim",
                                                 .summary = "says so",
                                                 .source = "none",
                                                 .scope = GRT_SCOPE_PLATFORM,
                                                 .bounds = true,
                                                 .covers = UINT32_MAX,
                                                 .run = claim};

static const struct grt_analysis_ops *const analyses[] = {&analysis, &claiming, NULL};

static struct grt_promise promised(const void *parameters) {
    int64_t does = ((const struct parameters *)parameters)->does;
    bool one = does != PROMISES_AT_ONCE && does != PROMISES_BATCHES;
    return (struct grt_promise){.gpu = one                        ? GRT_PROMISE_ONE
                                       : does == PROMISES_BATCHES ? GRT_PROMISE_BATCHES
                                                                  : GRT_PROMISE_AT_ONCE,
                                .order = GRT_ORDER_REQUEST,
                                .whole = true,
                                .never_idle = true,
                                .aborts_nothing = true};
}

static const struct grt_policy_ops unruly = {
    .name = "unruly",
    .summary = "breaks a rule",
    .state_size = STATE_BYTES,
    .parameters_size = sizeof(struct parameters),
    .parameters = &record,
    .analyses = analyses,
    .promised = promised,
    .start = start,
    .gpu_request = gpu_request,
    .gpu_withdrawn = gpu_withdrawn,
    .gpu_done = gpu_done,
    .decide = decide,
};

GRT_PLUGIN(unruly);
