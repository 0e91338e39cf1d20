/* MIG: a GPU that is split into instances, each a device of its own with its part of the SMs, the memory and the copy engines
 * (rule W7).
 *
 * Source: NVIDIA, "Multi-Instance GPU" user guide: the parts of memory, L2 and copy engines of each profile on A100 and H100,
 * and SMs in sevenths; the numbers of SMs are those that nvidia-smi lists. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/records.h"

enum { COMPUTE_SLICES = 7, MEMORY_SLICES = 8, MOST_INSTANCES = 7 };

#define AT(member) offsetof(struct grt_mig_fields, member)

static const struct grt_field mig_fields[] = {
    {.name = "sms",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(sms),
     .min = 1,
     .max = GRT_DEVICE_MAX_SMS,
     .help = "SMs of the instance, whole TPCs."},
    {.name = "memory",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(memory),
     .min = 1,
     .max = MEMORY_SLICES,
     .help = "Its part of the memory bandwidth and the L2 cache, in eighths."},
    {.name = "copy_engines",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(copy_engines),
     .fallback = "1",
     .min = 1,
     .max = 16,
     .help = "Its copy engines."},
};

const struct grt_record grt_mig_record = {
    .name = "mig",
    .size = sizeof(struct grt_mig_fields),
    .fields = mig_fields,
    .field_count = GRT_FIELD_COUNT(mig_fields),
    .help = "A MIG instance for which there is no profile. Rule W7.",
};

struct profile {
    const char *name;
    int64_t slices, memory;
};

static const struct profile profiles[] = {
    {"1g", 1, 1}, {"2g", 2, 2}, {"3g", 3, 4}, {"4g", 4, 4}, {"7g", 7, 8}};

enum { PROFILES = sizeof profiles / sizeof profiles[0] };

/* What the profiles are on the devices that have them. */
static const struct {
    int64_t capability, sm_count;
    int64_t sms[PROFILES], copy_engines[PROFILES];
} devices[] = {
    {80, 108, {14, 28, 42, 56, 98}, {1, 2, 3, 4, 7}},  /* A100 */
    {90, 132, {16, 32, 60, 64, 132}, {1, 2, 3, 4, 8}}, /* H100 SXM, H200 */
};

static const struct profile *find_profile(const char *name) {
    for (size_t i = 0; i < PROFILES; i++) {
        if (strcmp(profiles[i].name, name) == 0) {
            return &profiles[i];
        }
    }
    return NULL;
}

GRT_READER(grt_read_mig) {
    (void)field;
    struct grt_field_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, 1, MOST_INSTANCES, &count)) {
        return;
    }
    struct grt_mig_fields *instances = grt_arena_array(reader->arena, count, sizeof *instances);
    struct grt_path place = {.parent = path};
    for (const cJSON *item = value->child; item != NULL; item = item->next, place.index++) {
        const struct profile *profile = cJSON_IsString(item) ? find_profile(item->valuestring) : NULL;
        if (profile != NULL) {
            instances[place.index].profile = profile->name;
        } else if (cJSON_IsObject(item)) {
            grt_read_record(reader, &grt_mig_record, item, &place, &instances[place.index]);
        } else {
            grt_read_error(reader, &place, item,
                           "must be \"1g\", \"2g\", \"3g\", \"4g\" or \"7g\", or an object of \"sms\" and "
                           "\"memory\"");
        }
    }
    *list = (struct grt_field_list){instances, count};
}

/* Fills in what a profile means on a device; false where it has none. */
static bool apply_profile(const struct grt_device *device, struct grt_mig_fields *instance) {
    size_t profile = (size_t)(find_profile(instance->profile) - profiles);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (devices[i].capability == device->compute_capability && devices[i].sm_count == device->sm_count) {
            instance->sms = devices[i].sms[profile];
            instance->copy_engines = devices[i].copy_engines[profile];
            instance->memory = profiles[profile].memory;
            return true;
        }
    }
    return false;
}

static void check_instance(struct grt_reader *reader, const struct grt_device *device,
                           struct grt_mig_fields *instance, const struct grt_path *path) {
    struct grt_path sms = {.parent = path, .key = "sms"};
    if (instance->profile != NULL && !apply_profile(device, instance)) {
        grt_error_add(
            reader->errors, path,
            "profiles are known of an A100 of 108 SMs and of an H100 or H200 of 132; give an object of "
            "\"sms\" and \"memory\"");
    } else if (instance->sms % device->sms_per_tpc != 0) {
        grt_error_add(reader->errors, &sms, "must be a multiple of sms_per_tpc, %lld (got %lld)",
                      (long long)device->sms_per_tpc, (long long)instance->sms);
    }
}

static void check_sum(struct grt_reader *reader, const struct grt_path *path, const char *what, int64_t sum,
                      int64_t most) {
    if (sum > most) {
        grt_error_add(reader->errors, path, "the instances have %lld %s together, at most %lld are there",
                      (long long)sum, what, (long long)most);
    }
}

static void check_sums(struct grt_reader *reader, const struct grt_device *device,
                       const struct grt_field_list *mig, const struct grt_path *path) {
    const struct grt_mig_fields *instances = mig->items;
    int64_t slices = 0, memory = 0, sms = 0;
    for (size_t i = 0; i < mig->count; i++) {
        slices += instances[i].profile != NULL ? find_profile(instances[i].profile)->slices : 0;
        memory += instances[i].memory;
        sms += instances[i].sms;
    }
    check_sum(reader, path, "compute slices", slices, COMPUTE_SLICES);
    check_sum(reader, path, "eighths of the memory", memory, MEMORY_SLICES);
    check_sum(reader, path, "SMs", sms, device->sm_count);
}

static struct grt_device instance_of(struct grt_reader *reader, const struct grt_device *device,
                                     const struct grt_mig_fields *instance) {
    struct grt_device result = *device;
    char name[GRT_NAME_LENGTH + 64], own[32];
    snprintf(own, sizeof own, "%lld SMs", (long long)instance->sms);
    snprintf(name, sizeof name, "%s MIG %s", device->name,
             instance->profile != NULL ? instance->profile : own);
    result.name = grt_arena_text(reader->arena, name);
    result.sm_count = instance->sms;
    result.copy_engines = device->copy_engines > 0 ? instance->copy_engines : 0;
    result.memory_bytes_per_second = device->memory_bytes_per_second / MEMORY_SLICES * instance->memory;
    result.memory_bus_bits = device->memory_bus_bits / MEMORY_SLICES * instance->memory;
    result.l2_bytes = device->l2_bytes / MEMORY_SLICES * instance->memory;
    return result;
}

bool grt_mig_split(struct grt_reader *reader, const struct grt_gpu_fields *gpu, const struct grt_path *path,
                   struct grt_device *instances) {
    struct grt_path mig = {.parent = path, .key = "mig"};
    const struct grt_device *device = &gpu->device;
    struct grt_mig_fields *fields = gpu->mig.items;
    size_t before = reader->errors->count;
    if (device->compute_capability > 0 && device->compute_capability < 80) {
        grt_error_add(reader->errors, &mig,
                      "needs a GPU of compute capability 8.0 or later (this one has %lld.%lld)",
                      (long long)device->compute_capability / 10, (long long)device->compute_capability % 10);
        return false;
    }
    for (size_t i = 0; i < gpu->mig.count; i++) {
        struct grt_path item = {.parent = &mig, .index = i};
        check_instance(reader, device, &fields[i], &item);
    }
    if (reader->errors->count == before) {
        check_sums(reader, device, &gpu->mig, &mig);
    }
    for (size_t i = 0; i < gpu->mig.count; i++) {
        instances[i] = instance_of(reader, device, &fields[i]);
    }
    return reader->errors->count == before;
}
