#include "scenarios/generate/kim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "scenarios/generate/utilisation.h"
#include "sim/memory.h"
#include "sim/random.h"

struct grt_kim {
    struct grt_kim_spec spec;
    struct grt_periods periods;
};

struct grt_kim_spec grt_kim_spec_default(void) {
    return (struct grt_kim_spec){
        .seed = 1,
        .cores = 4,
        .tasks = {3, 5},
        .gpu_tasks = {0.1, 0.3},
        .periods = {.method = GRT_PERIODS_UNIFORM,
                    .least = 100 * GRT_MILLISECOND,
                    .most = 500 * GRT_MILLISECOND,
                    .granularity = GRT_MILLISECOND},
        .utilisation = {0.3, 0.5},
        .gpu_ratio = {0.1, 0.3},
        .segments = {1, 3},
        .host_ratio = {0.1, 0.2},
        .epsilon = 50 * GRT_MICROSECOND,
    };
}

/* ---- What can be ---- */

static void check_range(const struct grt_generated_range *range, double least, double most, const char *name,
                        struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path path = {.parent = &root, .key = name};
    if (!(range->low >= least && range->low <= range->high && range->high <= most)) {
        grt_error_add(errors, &path, "must be from %g to %g, the lower bound first (got %g to %g)", least,
                      most, range->low, range->high);
    }
}

static void check_count(const struct grt_generated_count *count, int64_t most, const char *name,
                        struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path path = {.parent = &root, .key = name};
    if (count->low < 1 || count->low > count->high || count->high > most) {
        grt_error_add(errors, &path,
                      "must be from 1 to %" PRId64 ", the smaller number first (got %" PRId64 " to %" PRId64
                      ")",
                      most, count->low, count->high);
    }
}

static void check_cores(int64_t cores, struct grt_errors *errors) {
    static const struct grt_path root = {0}, path = {.parent = &root, .key = "cpus"};
    if (cores < 1 || cores > GRT_MAX_CORES) {
        grt_error_add(errors, &path, "must be 1 to %d (got %" PRId64 ")", GRT_MAX_CORES, cores);
    }
}

static void check_epsilon(grt_time epsilon, struct grt_errors *errors) {
    static const struct grt_path root = {0}, path = {.parent = &root, .key = "epsilon"};
    char text[GRT_TIME_TEXT_SIZE];
    if (epsilon < 0 || epsilon > GRT_TIME_LIMIT) {
        grt_error_add(errors, &path, "must be from 0s to %" PRId64 "s (got %s)", GRT_TIME_LIMIT / GRT_SECOND,
                      grt_time_text(epsilon, text));
    }
}

/* Ratios below this leave nothing of whole nanoseconds, those above nothing of the rest. */
#define LEAST_RATIO 1e-6
#define MOST_RATIO 1e6

static void check(const struct grt_kim_spec *spec, struct grt_errors *errors) {
    check_cores(spec->cores, errors);
    check_count(&spec->tasks, GRT_KIM_MOST_TASKS, "tasks-per-core", errors);
    check_range(&spec->gpu_tasks, 0, 1, "gpu-tasks", errors);
    check_range(&spec->utilisation, LEAST_RATIO, 1, "core-utilisation", errors);
    check_range(&spec->gpu_ratio, LEAST_RATIO, MOST_RATIO, "gpu-ratio", errors);
    check_count(&spec->segments, GRT_KIM_MOST_SEGMENTS, "gpu-segments", errors);
    check_range(&spec->host_ratio, 0, MOST_RATIO, "host-ratio", errors);
    check_epsilon(spec->epsilon, errors);
    if (spec->cores > 0 && spec->tasks.high > GRT_KIM_MOST_TASKS / spec->cores) {
        static const struct grt_path root = {0};
        const struct grt_path path = {.parent = &root, .key = "tasks-per-core"};
        grt_error_add(errors, &path,
                      "%" PRId64 " cores can have up to %" PRId64 " tasks each (got %" PRId64 ")",
                      spec->cores, GRT_KIM_MOST_TASKS / spec->cores, spec->tasks.high);
    }
}

struct grt_kim *grt_kim_create(const struct grt_kim_spec *spec, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_periods periods;
    bool prepared = grt_periods_prepare(&spec->periods, &periods, errors);
    check(spec, errors);
    if (errors->count > before) {
        if (prepared) {
            free(periods.choices);
        }
        return NULL;
    }
    struct grt_kim *kim = grt_allocate(sizeof *kim);
    *kim = (struct grt_kim){.spec = *spec, .periods = periods};
    return kim;
}

void grt_kim_free(struct grt_kim *kim) {
    if (kim != NULL) {
        free(kim->periods.choices);
        free(kim);
    }
}

size_t grt_kim_most_tasks(const struct grt_kim *kim) {
    return (size_t)(kim->spec.cores * kim->spec.tasks.high);
}

/* ---- First stage: tasks, their periods and utilisations ---- */

static int64_t draw_count(const struct grt_generated_count *count, struct grt_random *random) {
    return count->low + (int64_t)grt_random_below(random, (uint64_t)(count->high - count->low) + 1);
}

static double draw_in(const struct grt_generated_range *range, struct grt_random *random) {
    return range->low + (range->high - range->low) * grt_random_uniform(random);
}

static void draw_cores(const struct grt_kim_spec *spec, uint64_t number, struct grt_kim_set *set) {
    struct grt_random random = grt_random_stream(spec->seed, "kim tasks", number, 0);
    set->count = 0;
    for (int64_t core = 0; core < spec->cores; core++) {
        int64_t tasks = draw_count(&spec->tasks, &random);
        for (int64_t i = 0; i < tasks; i++) {
            set->tasks[set->count].core = core;
            set->tasks[set->count++].segments = 0;
        }
    }
    struct grt_random server = grt_random_stream(spec->seed, "kim server", number, 0);
    set->server_core = (int64_t)grt_random_below(&server, (uint64_t)spec->cores);
}

static void draw_utilisations(const struct grt_kim_spec *spec, uint64_t number, struct grt_kim_set *set) {
    struct grt_random random = grt_random_stream(spec->seed, "kim utilisation", number, 0);
    double values[GRT_KIM_MOST_TASKS];
    for (size_t from = 0, to = 0; from < set->count; from = to) {
        for (to = from; to < set->count && set->tasks[to].core == set->tasks[from].core;) {
            to++;
        }
        grt_uunifast(&random, values, to - from, draw_in(&spec->utilisation, &random));
        for (size_t i = from; i < to; i++) {
            set->tasks[i].utilisation = values[i - from];
        }
    }
}

static void draw_periods(const struct grt_kim *kim, uint64_t number, struct grt_kim_set *set) {
    struct grt_random random = grt_random_stream(kim->spec.seed, "kim period", number, 0);
    for (size_t i = 0; i < set->count; i++) {
        set->tasks[i].period = grt_periods_draw(&kim->periods, &random);
    }
}

/* Every subset of that size equally: D. E. Knuth, The Art of Computer Programming, volume 2, algorithm S. */
static void draw_gpu_tasks(const struct grt_kim_spec *spec, uint64_t number, struct grt_kim_set *set) {
    struct grt_random random = grt_random_stream(spec->seed, "kim GPU tasks", number, 0);
    double share = draw_in(&spec->gpu_tasks, &random);
    uint64_t wanted = (uint64_t)floor(share * (double)set->count + 0.5), left = set->count;
    for (size_t i = 0; i < set->count; i++, left--) {
        bool chosen = grt_random_below(&random, left) < wanted;
        set->tasks[i].segments = chosen ? draw_count(&spec->segments, &random) : 0;
        wanted -= chosen;
    }
}

/* ---- Second stage: the shape of each task ---- */

static void sort(grt_time *values, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        grt_time value = values[i];
        int64_t place = i;
        for (; place > 0 && values[place - 1] > value; place--) {
            values[place] = values[place - 1];
        }
        values[place] = value;
    }
}

/* Cuts a whole into pieces of at least 1, at places that are drawn uniformly. whole >= count. */
static void cut(grt_time whole, grt_time *pieces, int64_t count, struct grt_random *random) {
    grt_time places[GRT_KIM_MOST_SEGMENTS + 1], last = 0;
    for (int64_t i = 0; i + 1 < count; i++) {
        places[i] = (grt_time)grt_random_below(random, (uint64_t)(whole - count) + 1);
    }
    places[count - 1] = whole - count;
    sort(places, count);
    for (int64_t i = 0; i < count; i++) {
        pieces[i] = places[i] - last + 1;
        last = places[i];
    }
}

static grt_time round_time(double span, grt_time least) {
    grt_time rounded = (grt_time)floor(span + 0.5);
    return rounded > least ? rounded : least;
}

/* G = G^e + G^m with the ratio drawn for each: G^e = G / (1 + G^m / G^e). */
static void shape_gpu(const struct grt_kim_spec *spec, grt_time gpu, struct grt_kim_task *task,
                      struct grt_random *pieces, struct grt_random *host) {
    grt_time segments[GRT_KIM_MOST_SEGMENTS];
    cut(gpu, segments, task->segments, pieces);
    for (int64_t i = 0; i < task->segments; i++) {
        grt_time device = round_time((double)segments[i] / (1 + draw_in(&spec->host_ratio, host)), 1);
        task->device[i] = device < segments[i] ? device : segments[i];
        task->after[i] = (segments[i] - task->device[i]) / 2;
        task->before[i] = segments[i] - task->device[i] - task->after[i];
    }
}

/* U T = C + G and G / C = ratio: C = U T / (1 + ratio). Each to the nearest nanosecond, at least 1 for every segment. */
static void shape_tasks(const struct grt_kim_spec *spec, uint64_t number, struct grt_kim_set *set) {
    struct grt_random ratios = grt_random_stream(spec->seed, "kim GPU ratio", number, 0);
    struct grt_random pieces = grt_random_stream(spec->seed, "kim GPU pieces", number, 0);
    struct grt_random normal = grt_random_stream(spec->seed, "kim pieces", number, 0);
    struct grt_random host = grt_random_stream(spec->seed, "kim host ratio", number, 0);
    for (size_t i = 0; i < set->count; i++) {
        struct grt_kim_task *task = &set->tasks[i];
        double work = task->utilisation * (double)task->period;
        double ratio = task->segments > 0 ? draw_in(&spec->gpu_ratio, &ratios) : 0;
        cut(round_time(work / (1 + ratio), task->segments + 1), task->normal, task->segments + 1, &normal);
        if (task->segments > 0) {
            shape_gpu(spec, round_time(work * ratio / (1 + ratio), task->segments), task, &pieces, &host);
        }
    }
}

void grt_kim_make(const struct grt_kim *kim, uint64_t number, struct grt_kim_set *set) {
    set->cores = kim->spec.cores;
    set->epsilon = kim->spec.epsilon;
    draw_cores(&kim->spec, number, set);
    draw_utilisations(&kim->spec, number, set);
    draw_periods(kim, number, set);
    draw_gpu_tasks(&kim->spec, number, set);
    shape_tasks(&kim->spec, number, set);
}

grt_time grt_kim_normal(const struct grt_kim_task *task) {
    grt_time sum = 0;
    for (int64_t i = 0; i <= task->segments; i++) {
        sum += task->normal[i];
    }
    return sum;
}

grt_time grt_kim_gpu(const struct grt_kim_task *task) {
    grt_time sum = 0;
    for (int64_t i = 0; i < task->segments; i++) {
        sum += task->before[i] + task->device[i] + task->after[i];
    }
    return sum;
}
