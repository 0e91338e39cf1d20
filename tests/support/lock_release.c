#include "tests/support/lock_release.h"

#include "sim/check.h"
#include "tests/support/pick.h"

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* ---- sets ---- */

/* What sets of a kind look like. Times in ns, loads and shares in percent. */
struct kind {
    int64_t least_cores, most_cores, least_tasks, most_tasks; /* tasks of a core */
    int64_t least_period, most_period;
    int64_t least_load, most_load;   /* of a core */
    int64_t least_users, most_users; /* of all tasks, those with GPU segments */
    int64_t least_gpu, most_gpu;     /* of such a task's work */
};

static const struct kind small = {2, 4, 1, 2, 10, 120, 20, 60, 40, 100, 10, 70};
static const struct kind dense = {2, 2, 1, 3, 12, 60, 50, 95, 40, 100, 10, 50};
static const struct kind table_2 = {4, 4, 3, 5, 1000, 5000, 30, 50, 10, 60, 9, 23};

/* Cuts `whole` into parts of at least `smallest` each. */
static void cut(struct grt_random *random, int64_t whole, int64_t smallest, int parts, int64_t *part) {
    int64_t rest = whole - smallest * parts;
    for (int i = 0; i < parts; i++) {
        int64_t extra = i + 1 == parts ? rest : grt_pick(random, 0, least(rest, 2 * rest / (parts - i)));
        part[i] = smallest + extra;
        rest -= extra;
    }
}

/* One GPU segment of that length. */
static void fill_segment(struct grt_reference_lock_task *task, int u, int64_t length,
                         struct grt_random *random) {
    int64_t host = grt_pick(random, 0, 1) * grt_pick(random, 0, length / 3);
    task->before[u] = grt_pick(random, 0, host);
    task->after[u] = host - task->before[u];
    task->device[u] = length - (task->asynchronous ? task->before[u] : host);
}

static void make_task(struct lock_world *it, struct grt_reference_lock *set, const struct kind *kind,
                      int64_t load, struct grt_random *random) {
    int number = set->count++;
    struct grt_reference_lock_task *task = &set->tasks[number];
    int64_t period = grt_pick(random, kind->least_period, kind->most_period), lengths[4];
    int64_t work = grt_pick(random, 1, 1 + 2 * load * period / 100);
    *task = (struct grt_reference_lock_task){
        .period = period, .deadline = period, .asynchronous = grt_pick(random, 0, 1) == 1};
    if (grt_pick(random, 0, 2) == 0) {
        task->deadline = grt_pick(random, period / 2, period);
    }
    int64_t users = grt_pick(random, kind->least_users, kind->most_users), most = 0;
    int segments = 0;
    if (grt_pick(random, 1, 100) <= users && work > 1) {
        most = work * grt_pick(random, kind->least_gpu, kind->most_gpu) / 100;
        most = most > 0 ? most : 1;
        segments = (int)grt_pick(random, 1, least(most, 3));
        cut(random, most, 1, segments, lengths);
    }
    task->segments = segments;
    task->normal = work - most;
    for (int u = 0; u < segments; u++) {
        fill_segment(task, u, lengths[u], random);
    }
    cut(random, task->normal, 0, segments + 1, it->normal[number]);
}

/* By deadlines, or any; never the same. */
static void give_priorities(struct grt_reference_lock *set, struct grt_random *random) {
    bool monotonic = grt_pick(random, 0, 3) > 0;
    for (int i = 0; i < set->count; i++) {
        int64_t rank = monotonic ? -set->tasks[i].deadline : grt_pick(random, 0, 1000);
        set->tasks[i].priority = rank * LOCK_WORLD_TASKS - i;
    }
}

void lock_release_draw_set(struct lock_world *it, struct grt_reference_lock *set, struct grt_random *random) {
    static const struct kind *const kinds[] = {&small, &small, &small, &small, &dense,
                                               &dense, &dense, &dense, &dense, &table_2};
    const struct kind *kind = kinds[grt_pick(random, 0, 9)];
    int64_t cores = grt_pick(random, kind->least_cores, kind->most_cores);
    *set = (struct grt_reference_lock){.server_core = grt_pick(random, -1, cores - 1)};
    for (int64_t core = 0; core < cores; core++) {
        int64_t count = grt_pick(random, kind->least_tasks, kind->most_tasks);
        int64_t load = grt_pick(random, kind->least_load, kind->most_load);
        for (int64_t i = 0; i < count; i++) {
            make_task(it, set, kind, load / count, random);
            set->tasks[set->count - 1].core = core;
        }
    }
    give_priorities(set, random);
    bool jitter = grt_pick(random, 0, 4) == 0;
    for (int i = 0; i < set->count && jitter; i++) {
        set->tasks[i].jitter = grt_pick(random, 0, 1) * grt_pick(random, 0, set->tasks[i].period / 4);
    }
    set->epsilon = grt_pick(random, 0, 2);
    if (grt_pick(random, 0, 3) == 0) {
        set->context_switch = grt_pick(random, 0, 1);
        set->wake_up = grt_pick(random, 0, 1);
    }
}

/* ---- releases ---- */

/* The first arrival of task `i` in a pattern that is aimed at a victim which arrives at `at`. */
static int64_t aim(const struct lock_world *it, int i, int victim, int64_t at, struct grt_random *random) {
    const struct grt_reference_lock_task *task = &it->set->tasks[i], *other = &it->set->tasks[victim];
    bool urgent = task->priority > other->priority;
    int64_t costs = it->set->wake_up + it->set->context_switch;
    int64_t asks = it->normal[i][0], victim_asks = it->normal[victim][0] + costs;
    switch (grt_pick(random, 0, 3)) {
    case 0:
        return at - grt_pick(random, 0, task->period);
    case 1: /* at the time of the victim's request */
        return at + victim_asks - asks - costs + grt_pick(random, -1, 1);
    default:
        return urgent || task->segments == 0 ? at + grt_pick(random, -1, 1)
                                             : at - asks - costs - grt_pick(random, 0, 1);
    }
}

struct pattern {
    int64_t from, until;
    int kind; /* together, any, any and sparser, any and sparser, and from 4 on aimed */
    int victim;
};

static int64_t first_of(const struct lock_world *it, const struct pattern *pattern, int64_t longest, int i,
                        struct grt_random *random) {
    if (pattern->kind == 0) {
        return pattern->from;
    }
    if (pattern->kind < 4) {
        return pattern->from + grt_pick(random, 0, it->set->tasks[i].period);
    }
    int64_t at = pattern->from + longest;
    int64_t first = i == pattern->victim ? at : aim(it, i, pattern->victim, at, random);
    first -= it->set->tasks[i].jitter; /* with which it comes */
    return first > pattern->from ? first : pattern->from;
}

static void append(struct lock_world *it, const struct pattern *pattern, int i, int64_t first,
                   struct grt_random *random) {
    const struct grt_reference_lock_task *task = &it->set->tasks[i];
    bool any = pattern->kind == 2 || pattern->kind == 3;
    for (int64_t at = first; at < pattern->until; at += task->period) {
        size_t index = it->arrival_count[i]++;
        GRT_REQUIRE(index < LOCK_WORLD_ARRIVALS, "make fewer patterns");
        it->arrivals[i][index] = at;
        it->delays[i][index] = at == first ? task->jitter : any ? grt_pick(random, 0, task->jitter) : 0;
        if (any && grt_pick(random, 0, 2) == 0) {
            at += grt_pick(random, 0, task->period / 2);
        }
    }
}

int64_t lock_release_patterns(struct lock_world *it, int patterns, int64_t from, struct grt_random *random) {
    int64_t longest = 0;
    for (int i = 0; i < it->set->count; i++) {
        longest = it->set->tasks[i].period > longest ? it->set->tasks[i].period : longest;
    }
    for (int i = 0; i < patterns; i++) {
        struct pattern pattern = {.from = from,
                                  .kind = i == 0 ? 0 : (int)grt_pick(random, 1, 12),
                                  .victim = (int)grt_pick(random, 0, it->set->count - 1)};
        bool longer = pattern.kind >= 4 || grt_pick(random, 0, 1) == 0;
        pattern.until = from + longest + (longer ? longest : 0);
        for (int j = 0; j < it->set->count; j++) {
            append(it, &pattern, j, first_of(it, &pattern, longest, j, random), random);
        }
        from = pattern.until + longest; /* what has come has ended by then */
    }
    return from;
}
