/* labels: soak */
/* The bounds of GPU-TDMh's server against a server that is written here: slot by slot, with work that is taken unit by unit. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/tdm/assignment.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/tdm_sets.h"

struct server {
    const struct grt_tdm_set *set;
    const struct tdm_rule *rule;
    struct tdm_slot slots[GRT_TDM_MOST];
    int64_t period;
};

static int64_t window_of(const struct tdm_task *task) {
    int64_t end = task->deadline < task->period ? task->deadline : task->period;
    return end - task->jitter;
}

/* ---- one job among others that are pending or not, as an adversary likes ---- */

/* When the turn of task `of` begins in an activation that begins at 0, if the tasks of the bit set `pending` use all of their slots. */
static int64_t turn(const struct server *server, size_t of, unsigned pending) {
    int64_t at = 0;
    for (size_t i = 0; i < of; i++) {
        bool counts = server->rule->slots == TDM_SLOTS_TABLE || (pending >> i & 1) != 0;
        at += counts ? server->slots[i].length : 0;
    }
    return at;
}

/* The response time of a job of task `of` released at `release` in activation 0, where the tasks `first` are pending; in all later ones the
 * tasks `later`. A job released at the instant of its turn gets it. */
static int64_t response(const struct server *server, size_t of, int64_t release, unsigned first,
                        unsigned later) {
    const struct tdm_task *task = &server->set->tasks[of];
    struct grt_step_cursor cursor = {0};
    int64_t end = 0;
    for (int64_t activation = release <= turn(server, of, first) ? 0 : 1; cursor.step < task->step_count;
         activation++) {
        int64_t start = activation * server->period + turn(server, of, activation == 0 ? first : later);
        end = start + grt_tdm_take(task, &cursor, server->slots[of].length);
    }
    return end - release;
}

/* The longest over all releases within a period and all sets of others. */
static int64_t worst_response(const struct server *server, size_t of) {
    int64_t worst = 0;
    for (unsigned first = 0; first < 1u << of; first++) {
        for (unsigned later = 0; later < 1u << of; later++) {
            for (int64_t release = 0; release < server->period; release++) {
                int64_t time = response(server, of, release, first, later);
                worst = time > worst ? time : worst;
            }
        }
    }
    return worst;
}

/* What a job does not use of its last slot. */
static int64_t unused_of_last(const struct server *server, size_t of) {
    const struct tdm_task *task = &server->set->tasks[of];
    struct grt_step_cursor cursor = {0};
    int64_t used = 0;
    while (cursor.step < task->step_count) {
        used = grt_tdm_take(task, &cursor, server->slots[of].length);
    }
    return server->slots[of].length - used;
}

static bool make(struct server *server, struct grt_tdm_set *set, const struct tdm_rule *rule, uint64_t seed) {
    struct grt_random random = grt_random_stream(seed, "tdm-server", 0, 0);
    struct tdm_assignment found;
    grt_tdm_small(set, &random);
    int64_t first = grt_pick(&random, 1, 40);
    *server = (struct server){.set = set, .rule = rule};
    for (int64_t i = 0; i < 40; i++) { /* any period that is feasible, not only those that a method likes */
        server->period = 1 + (first + i) % 40;
        if (tdm_evaluate(set->tasks, set->count, rule, server->period, server->slots, &found)) {
            return true;
        }
    }
    return false;
}

struct tally {
    int servers, bounded, attained;
    int more, misses; /* tasks with one slot more, and those that then miss their deadline */
    bool as_said;     /* all these misses, and no others, are where the bound says */
};

/* With one slot more than counted, and the shorter slots that this allows. */
static void try_one_more(struct server server, size_t of, struct tally *tally) {
    const struct tdm_task *task = &server.set->tasks[of];
    struct tdm_slot *slot = &server.slots[of];
    int64_t count = slot->count + 1, window = window_of(task);
    slot->length = grt_steps_budget(task->steps, task->step_count, count) + task->overhead;
    if (grt_tdm_pieces(task, slot->length) != count) {
        return;
    }
    int64_t before = server.rule->slots == TDM_SLOTS_PACKED ? slot->offset : 0;
    bool late = count * server.period + before + slot->length - unused_of_last(&server, of) - 1 > window;
    bool missed = worst_response(&server, of) > window;
    tally->more++;
    tally->misses += missed;
    tally->as_said = tally->as_said && late == missed;
}

static bool check_tasks(const struct server *server, struct tally *tally) {
    for (size_t i = 0; i < server->set->count; i++) {
        int64_t bound =
            tdm_response(server->set->tasks, (uint32_t)i, server->rule, server->slots, server->period);
        int64_t worst = worst_response(server, i), window = window_of(&server->set->tasks[i]);
        tally->bounded++;
        tally->attained += worst == bound - 1 - unused_of_last(server, i); /* released 1 ns after the turn */
        if (worst > bound || bound > window) {
            fprintf(stderr, "task %zu: %" PRId64 ", bound %" PRId64 ", window %" PRId64 "\n", i, worst, bound,
                    window);
            return false;
        }
        try_one_more(*server, i, tally);
    }
    return true;
}

static struct tally tally_of(const struct tdm_rule *rule, int cases) {
    struct tally tally = {.as_said = true};
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        struct grt_tdm_set set;
        struct server server;
        if (make(&server, &set, rule, (uint64_t)i)) {
            tally.servers++;
            right = check_tasks(&server, &tally);
        }
        if (!right) {
            fprintf(stderr, "set %d, count %" PRId64 ", slots %" PRId64 "\n", i, rule->count, rule->slots);
        }
    }
    CU_ASSERT(right);
    return tally;
}

/* Every bound is attained, but for what the job leaves of its last slot and for the nanosecond by which it came too late for a turn. */
static void bounds_are_attained(void) {
    int cases = grt_suite_cases(400, 30000);
    for (int64_t i = 0; i < 6; i++) {
        struct tdm_rule rule = {.count = i / 2, .slots = i % 2};
        struct tally tally = tally_of(&rule, cases);
        CU_ASSERT(tally.servers > cases / 4);
        CU_ASSERT_EQUAL(tally.attained, tally.bounded);
        CU_ASSERT(tally.as_said && tally.misses > 0);
        CU_ASSERT(rule.count != TDM_COUNT_TIGHT || tally.misses > tally.more * 8 / 10);
    }
}

/* ---- all tasks, released at random ---- */

struct job {
    int64_t arrival, release;
    struct grt_step_cursor cursor;
};

static void next_job(const struct tdm_task *task, struct job *job, struct grt_random *random) {
    int64_t gap = grt_pick(random, 0, 2) == 0 ? grt_pick(random, 0, task->period) : 0;
    *job = (struct job){.arrival = job->arrival + task->period + gap};
    job->release = job->arrival + grt_pick(random, 0, 1) * grt_pick(random, 0, task->jitter);
}

/* A slot of task `of` at `at`, if it has a job. Returns when it ends; counts a job that ends late. */
static int64_t give_slot(const struct server *server, size_t of, int64_t at, struct job *job,
                         struct grt_random *random, int *misses) {
    const struct tdm_task *task = &server->set->tasks[of];
    if (job->release > at) {
        return at;
    }
    int64_t end = at + grt_tdm_take(task, &job->cursor, server->slots[of].length);
    if (job->cursor.step == task->step_count) {
        *misses += end > job->arrival + task->deadline;
        next_job(task, job, random);
    }
    return end;
}

/* How many jobs miss their deadlines in some hundred activations. */
static int serve(const struct server *server, struct grt_random *random) {
    struct job jobs[GRT_TDM_MOST] = {{0}};
    int misses = 0;
    for (size_t i = 0; i < server->set->count; i++) {
        jobs[i].arrival = grt_pick(random, 0, 90) - server->set->tasks[i].period;
        next_job(&server->set->tasks[i], &jobs[i], random);
    }
    for (int64_t activation = 0; activation < 300; activation++) {
        int64_t at = activation * server->period;
        for (size_t i = 0; i < server->set->count; i++) {
            if (server->rule->slots == TDM_SLOTS_TABLE) {
                at = activation * server->period + server->slots[i].offset;
            }
            at = give_slot(server, i, at, &jobs[i], random, &misses);
        }
        if (at > (activation + 1) * server->period) {
            return INT32_MAX; /* into the next activation */
        }
    }
    return misses;
}

/* Admitted sets, whatever admits them; `blind` to jitter, as the paper is, some of them miss. */
static int misses_of(const struct tdm_rule *rule, bool blind, int cases, int *served) {
    int sets = 0;
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "tdm-serve", 0, 0);
        struct grt_tdm_set set;
        struct server server = {.set = &set, .rule = rule};
        struct tdm_assignment found;
        int64_t jitter[GRT_TDM_MOST];
        grt_tdm_small(&set, &random);
        for (size_t j = 0; j < set.count; j++) {
            jitter[j] = set.tasks[j].jitter;
            set.tasks[j].jitter = blind ? 0 : jitter[j];
        }
        bool feasible = tdm_assign(set.tasks, set.count, rule, server.slots, &found);
        for (size_t j = 0; j < set.count; j++) {
            set.tasks[j].jitter = jitter[j];
        }
        server.period = found.period;
        *served += feasible;
        sets += feasible && serve(&server, &random) > 0;
    }
    return sets;
}

static void no_admitted_set_misses(void) {
    int cases = grt_suite_cases(3000, 100000);
    for (int64_t method = TDM_CUBIC; method <= TDM_EXACT; method++) {
        for (int64_t i = 0; i < 6; i++) {
            struct tdm_rule rule = {.method = method, .count = i / 2, .slots = i % 2};
            int served = 0;
            CU_ASSERT_EQUAL(misses_of(&rule, false, cases, &served), 0);
            CU_ASSERT(served > cases / 20);
        }
    }
}

static void sets_that_ignore_jitter_miss(void) {
    for (int64_t i = 0; i < 6; i++) {
        struct tdm_rule rule = {.method = TDM_EXACT, .count = i / 2, .slots = i % 2};
        int served = 0;
        CU_ASSERT(misses_of(&rule, true, 300, &served) > 0);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"bounds are attained", bounds_are_attained},
        {"no admitted set misses", no_admitted_set_misses},
        {"sets that ignore jitter miss", sets_that_ignore_jitter_miss},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("GPU-TDMh's server", tests);
}
