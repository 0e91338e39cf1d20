#include "calib/program/import/ncu_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/measure/stop.h"
#include "calib/program/import/kernel_name.h"
#include "scenarios/records.h"

#define NONE GRT_NCU_METRICS

/* A demand up to so much above 1 is the counters' noise. */
static const double demand_noise = 0.1;

enum { SECTOR_BYTES = 32 };

/* What is worked on. */
struct maker {
    const struct grt_ncu *ncu;
    const struct grt_device *device;
    struct grt_ncu_usages *out;
    struct grt_errors *warnings, *errors;
    size_t *group;  /* of every launch, by its number */
    double *values; /* room for one number of each launch */
};

/* ---- one launch: quantities; a NaN is not known ---- */

static double value_of(const struct grt_ncu_launch *launch, enum grt_ncu_metric metric) {
    return metric != NONE && launch->known[metric] ? launch->values[metric] : (double)NAN;
}

static double either(double first, double second) {
    return isnan(first) ? second : first;
}

/* The indicators of performance models, as their profiler of old had them: l2 reads and writes include atomics, where these were counted. */
static const struct {
    enum grt_ncu_metric metric, instead; /* `instead` where the first is not there */
    bool with_atomics;
    enum grt_ncu_metric wavefronts, requests; /* conflicts: what is above the requests */
} indicators[GRT_INDICATORS] = {
    [GRT_INDICATOR_INSTRUCTIONS] = {GRT_NCU_INSTRUCTIONS, GRT_NCU_SM_INSTRUCTIONS, false, NONE, NONE},
    [GRT_INDICATOR_WARPS] = {GRT_NCU_WARPS, NONE, false, NONE, NONE},
    [GRT_INDICATOR_L2_READ] = {GRT_NCU_L2_READ, NONE, true, NONE, NONE},
    [GRT_INDICATOR_L2_WRITE] = {GRT_NCU_L2_WRITE, NONE, true, NONE, NONE},
    [GRT_INDICATOR_GLOBAL_LOAD] = {GRT_NCU_GLOBAL_LOAD, GRT_NCU_GLOBAL_LOAD_REQUESTS, false, NONE, NONE},
    [GRT_INDICATOR_GLOBAL_STORE] = {GRT_NCU_GLOBAL_STORE, GRT_NCU_GLOBAL_STORE_REQUESTS, false, NONE, NONE},
    [GRT_INDICATOR_SHARED_LOAD] = {GRT_NCU_SHARED_LOAD, NONE, false, NONE, NONE},
    [GRT_INDICATOR_SHARED_STORE] = {GRT_NCU_SHARED_STORE, NONE, false, NONE, NONE},
    [GRT_INDICATOR_SHARED_LOAD_CONFLICTS] = {GRT_NCU_SHARED_LOAD_CONFLICTS, NONE, false,
                                             GRT_NCU_SHARED_LOAD_WAVEFRONTS, GRT_NCU_SHARED_LOAD},
    [GRT_INDICATOR_SHARED_STORE_CONFLICTS] = {GRT_NCU_SHARED_STORE_CONFLICTS, NONE, false,
                                              GRT_NCU_SHARED_STORE_WAVEFRONTS, GRT_NCU_SHARED_STORE},
    [GRT_INDICATOR_TEXTURE_LOAD] = {GRT_NCU_TEXTURE, GRT_NCU_TEXTURE_REQUESTS, false, NONE, NONE},
};

/* Events per second. */
static double indicator_of(const struct grt_ncu_launch *launch, int indicator) {
    double count = either(value_of(launch, indicators[indicator].metric),
                          value_of(launch, indicators[indicator].instead));
    if (indicators[indicator].with_atomics) {
        count += either(value_of(launch, GRT_NCU_L2_ATOMIC), 0) +
                 either(value_of(launch, GRT_NCU_L2_REDUCTION), 0);
    }
    double wavefronts = value_of(launch, indicators[indicator].wavefronts),
           requests = value_of(launch, indicators[indicator].requests);
    if (isnan(count) && !isnan(wavefronts) && !isnan(requests)) {
        count = fmax(wavefronts - requests, 0);
    }
    return count / launch->values[GRT_NCU_TIME];
}

static double dram_bytes(const struct grt_ncu_launch *launch) {
    double read = either(value_of(launch, GRT_NCU_DRAM_READ_BYTES),
                         SECTOR_BYTES * value_of(launch, GRT_NCU_DRAM_READ_SECTORS)),
           written = either(value_of(launch, GRT_NCU_DRAM_WRITE_BYTES),
                            SECTOR_BYTES * value_of(launch, GRT_NCU_DRAM_WRITE_SECTORS));
    return either(value_of(launch, GRT_NCU_DRAM_BYTES), read + written);
}

/* Of a resource that does one thing a cycle on each of `units`. */
static double of_cycles(const struct grt_ncu_launch *launch, double count, int64_t units) {
    double cycles = value_of(launch, GRT_NCU_ELAPSED_CYCLES);
    return units > 0 && cycles > 0 ? count / (cycles * (double)units) : (double)NAN;
}

static double percent_of(const struct grt_ncu_launch *launch, enum grt_ncu_metric metric) {
    return value_of(launch, metric) / 100;
}

/* The fraction of a resource's capacity: as ncu says it, or by the device's peak. */
static double demand_of(const struct grt_ncu_launch *launch, const struct grt_device *device, int resource) {
    int64_t sms = device != NULL ? device->sm_count : 0;
    double bandwidth = device != NULL && device->memory_bytes_per_second > 0
                           ? (double)device->memory_bytes_per_second
                           : (double)NAN;
    switch (resource) {
    case GRT_RESOURCE_SM:
        return either(percent_of(launch, GRT_NCU_SM_PERCENT),
                      of_cycles(launch,
                                either(value_of(launch, GRT_NCU_INSTRUCTIONS),
                                       value_of(launch, GRT_NCU_SM_INSTRUCTIONS)),
                                device != NULL ? sms * device->sm_partitions : 0));
    case GRT_RESOURCE_L2:
        return percent_of(launch, GRT_NCU_L2_PERCENT);
    case GRT_RESOURCE_DRAM:
        return either(percent_of(launch, GRT_NCU_DRAM_PERCENT),
                      dram_bytes(launch) / launch->values[GRT_NCU_TIME] / bandwidth);
    case GRT_RESOURCE_SHARED_MEMORY:
        return either(percent_of(launch, GRT_NCU_SHARED_PERCENT),
                      of_cycles(launch,
                                value_of(launch, GRT_NCU_SHARED_LOAD_WAVEFRONTS) +
                                    value_of(launch, GRT_NCU_SHARED_STORE_WAVEFRONTS),
                                sms));
    default: /* the texture units: no peak is known */
        return (double)NAN;
    }
}

/* ---- medians over the launches of a group ---- */

/* Numbers as far as they mean something. */
static double rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

/* NaN where a launch has none of it. */
static double median_in(struct maker *maker, size_t group,
                        double (*quantity)(const struct maker *maker, size_t launch, int which), int which) {
    size_t count = 0;
    for (size_t i = 0; i < maker->ncu->count; i++) {
        if (maker->group[i] == group) {
            double value = quantity(maker, i, which);
            if (isnan(value)) {
                return value;
            }
            maker->values[count++] = value;
        }
    }
    return grt_median(maker->values, count);
}

static double indicator_at(const struct maker *maker, size_t launch, int which) {
    return indicator_of(&maker->ncu->launches[launch], which);
}

static double demand_at(const struct maker *maker, size_t launch, int which) {
    return demand_of(&maker->ncu->launches[launch], maker->device, which);
}

static double time_at(const struct maker *maker, size_t launch, int which) {
    (void)which;
    return maker->ncu->launches[launch].values[GRT_NCU_TIME];
}

/* The part of the SMs that had a block, over the time; by the average SM, else by their sum. */
static double busy_at(const struct maker *maker, size_t launch, int which) {
    const struct grt_ncu_launch *of = &maker->ncu->launches[launch];
    double average = value_of(of, GRT_NCU_ACTIVE_AVERAGE) / value_of(of, GRT_NCU_ELAPSED_CYCLES);
    (void)which;
    return either(average, of_cycles(of, value_of(of, GRT_NCU_ACTIVE_CYCLES),
                                     maker->device != NULL ? maker->device->sm_count : 0));
}

/* ---- figures ---- */

static void set_utilisation(struct maker *maker, struct grt_ncu_usage *usage, size_t group) {
    double busy = median_in(maker, group, busy_at, 0), blocks = usage->like->blocks;
    char *source = usage->utilisation_source;
    if (busy > 0) {
        snprintf(source, GRT_NCU_SOURCE_SIZE,
                 "measured: active cycles of the SMs by elapsed cycles, the median of the launches");
    } else if (maker->device != NULL && blocks > 0) {
        busy = blocks / (double)maker->device->sm_count;
        snprintf(source, GRT_NCU_SOURCE_SIZE,
                 "from its grid: %.0f blocks for the %lld SMs of %s, not measured", blocks,
                 (long long)maker->device->sm_count, maker->device->name);
    } else {
        busy = 1;
        snprintf(source, GRT_NCU_SOURCE_SIZE, "not known, taken as all: no cycles were counted");
        grt_error_add(maker->warnings, NULL,
                      "%s: sm_utilisation is not known and taken as 1: count sm__cycles_active.avg and "
                      "gpc__cycles_elapsed.max, or name the device",
                      usage->name);
    }
    usage->fields.usage.sm_utilisation = rounded(fmin(busy, 1));
}

static void set_demand(struct maker *maker, struct grt_ncu_usage *usage, size_t group, int resource) {
    double demand = median_in(maker, group, demand_at, resource);
    if (isnan(demand)) {
        return;
    }
    if (demand > 1 + demand_noise) {
        grt_error_add(maker->errors, NULL,
                      "%s: uses %.3g times all that there is of %s: it was another device than %s",
                      usage->name, demand, grt_resources_record.fields[resource].name,
                      maker->device != NULL ? maker->device->name : "said");
    }
    usage->has_demand[resource] = true;
    usage->fields.usage.demand[resource] = rounded(fmin(demand, 1));
}

/* Adds words to a list that is separated by commas. */
static void list(char *text, size_t size, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

static void set_demands(struct maker *maker, struct grt_ncu_usage *usage, size_t group) {
    char missing[128] = "";
    for (int resource = 0; resource < GRT_RESOURCES; resource++) {
        set_demand(maker, usage, group, resource);
        if (!usage->has_demand[resource]) {
            list(missing, sizeof missing, grt_resources_record.fields[resource].name);
        }
    }
    snprintf(usage->demand_source, GRT_NCU_SOURCE_SIZE,
             "measured: counts by what ncu says, or the device can do, in the kernel's time%s%s",
             missing[0] != '\0' ? "; not known: " : "", missing);
    if (missing[0] != '\0') {
        grt_error_add(maker->warnings, NULL, "%s: demand of %s is not known%s", usage->name, missing,
                      maker->device == NULL ? " (some need the device)" : "");
    }
}

static void set_counters(struct maker *maker, struct grt_ncu_usage *usage, size_t group) {
    char missing[160] = "";
    for (int indicator = 0; indicator < GRT_INDICATORS; indicator++) {
        double rate = median_in(maker, group, indicator_at, indicator);
        usage->has_counter[indicator] = !isnan(rate);
        if (isnan(rate)) {
            list(missing, sizeof missing, grt_counters_record.fields[indicator].name);
            const char *name = grt_ncu_metric_kinds[indicators[indicator].metric].name;
            grt_error_add(maker->warnings, NULL, "%s: no %s, for which %s is needed", usage->name,
                          grt_counters_record.fields[indicator].name, name);
        } else {
            usage->fields.usage.counters[indicator] = rounded(rate);
        }
    }
    snprintf(usage->counters_source, GRT_NCU_SOURCE_SIZE,
             "measured: counts by time, the median of %zu launches%s%s", usage->launches,
             missing[0] != '\0' ? "; not known: " : "", missing);
}

static void set_time(struct maker *maker, struct grt_ncu_usage *usage, size_t group) {
    double median = median_in(maker, group, time_at, 0); /* leaves the values in ascending order */
    usage->fields.measured_time = (grt_time)llround(median * (double)GRT_SECOND);
    usage->fields.measured_time = usage->fields.measured_time > 0 ? usage->fields.measured_time : 1;
    usage->time_spread = (maker->values[usage->launches - 1] - maker->values[0]) / median;
    if (usage->time_spread > 0.1) {
        grt_error_add(maker->warnings, NULL, "%s: its %zu launches took from %.4g to %.4g us: not all alike",
                      usage->name, usage->launches, maker->values[0] * 1e6,
                      maker->values[usage->launches - 1] * 1e6);
    }
}

/* ---- groups and names ---- */

static bool is_like(const struct grt_ncu_launch *a, const struct grt_ncu_launch *b) {
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->grid, b->grid) == 0 &&
           strcmp(a->block, b->block) == 0 && strcmp(a->device, b->device) == 0;
}

static const char *name_of(struct maker *maker, const struct grt_ncu_launch *launch) {
    struct grt_arena *arena = &maker->out->arena;
    const char *base = grt_kernel_name(arena, launch->kernel), *name = base;
    for (size_t number = 2, i = 0; i < maker->out->count; i++) {
        if (strcmp(maker->out->items[i].name, name) == 0) {
            char *next = grt_arena_array(arena, 80, 1);
            snprintf(next, 80, "%s-%zu", base, number++);
            name = next;
            i = (size_t)-1;
        }
    }
    return name;
}

/* Which launches are of one kernel. */
static void make_groups(struct maker *maker) {
    struct grt_ncu_usages *out = maker->out;
    out->items = grt_arena_array(&out->arena, maker->ncu->count, sizeof out->items[0]);
    for (size_t i = 0; i < maker->ncu->count; i++) {
        const struct grt_ncu_launch *launch = &maker->ncu->launches[i];
        size_t group = 0;
        while (group < out->count && !is_like(out->items[group].like, launch)) {
            group++;
        }
        if (group == out->count) {
            out->items[group] = (struct grt_ncu_usage){.like = launch, .name = name_of(maker, launch)};
            out->count++;
        }
        out->items[group].launches++;
        maker->group[i] = group;
    }
}

/* Peaks of one device say nothing of another one. */
static bool check_device(const struct maker *maker) {
    const struct grt_device *device = maker->device;
    for (size_t i = 0; device != NULL && device->compute_capability > 0 && i < maker->ncu->count; i++) {
        const struct grt_ncu_launch *launch = &maker->ncu->launches[i];
        if (launch->compute_capability > 0 && launch->compute_capability != device->compute_capability) {
            grt_error_add(maker->errors, NULL,
                          "line %zu: launch %.20s of %.80s was counted on compute capability %.8s, but %s "
                          "has %d.%d: name the device that it was counted on",
                          launch->line, launch->id, launch->kernel, launch->capability, device->name,
                          (int)(device->compute_capability / 10), (int)(device->compute_capability % 10));
            return false;
        }
    }
    return true;
}

bool grt_ncu_usages_make(const struct grt_ncu *ncu, const struct grt_device *device,
                         struct grt_ncu_usages *out, struct grt_errors *warnings, struct grt_errors *errors) {
    size_t before = errors->count;
    *out = (struct grt_ncu_usages){0};
    struct maker maker = {.ncu = ncu, .device = device, .out = out, .warnings = warnings, .errors = errors};
    if (!check_device(&maker)) {
        return false;
    }
    maker.group = grt_arena_array(&out->arena, ncu->count, sizeof maker.group[0]);
    maker.values = grt_arena_array(&out->arena, ncu->count, sizeof maker.values[0]);
    make_groups(&maker);
    for (size_t group = 0; group < out->count; group++) {
        struct grt_ncu_usage *usage = &out->items[group];
        usage->fields.version = 1;
        usage->fields.usage.name = usage->name;
        set_time(&maker, usage, group);
        set_utilisation(&maker, usage, group);
        set_demands(&maker, usage, group);
        set_counters(&maker, usage, group);
    }
    if (errors->count > before) {
        grt_ncu_usages_free(out);
        return false;
    }
    return true;
}

void grt_ncu_usages_free(struct grt_ncu_usages *usages) {
    grt_arena_clear(&usages->arena);
    *usages = (struct grt_ncu_usages){0};
}
