/* Blocks: which kernel they are of, where they may run, what they take of an SM, and that each is there once.
 *
 * That every number of a grid comes once is seen from how many blocks ended and from the sum of a hash of their numbers, so that no list
 * of blocks is kept. */
#include <stdlib.h>

#include "models/occupancy.h"
#include "models/task/kernel_walk.h"
#include "verify/audit/internal.h"

static grt_time at_least_one(grt_time time) {
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

/* The finalizer of SplitMix64 (G. L. Steele Jr., D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
static inline uint64_t hash_of(uint64_t number) {
    uint64_t bits = number + UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

/* ---- what the scenario says of kernels ---- */

static void fill_charges(const struct grt_device *device, const struct grt_kernel *spec,
                         struct audit_kernel *kernel) {
    if (spec->whole_device) {
        kernel->charges[0] = device->max_threads_per_sm / device->warp_size;
        kernel->charges[1] = 1;
        return;
    }
    struct grt_occupancy occupancy = grt_occupancy_of(device, &spec->needs);
    kernel->charges[0] = occupancy.warps;
    kernel->charges[1] = 1;
    kernel->charges[2] = occupancy.registers;
    kernel->charges[3] = occupancy.shared_memory;
}

/* W1: on which SMs the kernel may run. */
static uint8_t *sms_of(struct grt_audit *audit, const struct grt_device *device,
                       const struct grt_number_list *tpcs) {
    if (tpcs->count == 0) {
        return NULL;
    }
    uint8_t *sms = grt_arena_array(&audit->arena, (size_t)device->sm_count, 1);
    for (size_t i = 0; i < tpcs->count; i++) {
        for (int64_t j = 0; j < device->sms_per_tpc; j++) {
            int64_t sm = tpcs->items[i] * device->sms_per_tpc + j;
            if (sm >= 0 && sm < device->sm_count) {
                sms[sm] = 1;
            }
        }
    }
    return sms;
}

struct filler {
    struct grt_audit *audit;
    struct audit_task *task;
    struct audit_kernel *host, *launched, *least;
};

/* W8. */
static void fill_pin(struct grt_audit *audit, struct audit_task *task, const struct grt_kernel *spec,
                     struct audit_kernel *kernel) {
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    kernel->items = (uint64_t)(spec->items > 0 ? spec->items : spec->blocks);
    kernel->exit_time = at_least_one(spec->exit_time);
    kernel->pinned_to = grt_arena_array(&audit->arena, (size_t)device->sm_count, 1);
    for (size_t i = 0; i < spec->sms.count; i++) {
        kernel->pinned_to[spec->sms.items[i]] = 1;
    }
    audit_pinned_create(audit, task);
}

/* What is known of a block of a launched kernel before its kernel's record says which: the least of them all. */
static void lower_least(struct audit_kernel *least, const struct audit_kernel *kernel, bool first) {
    for (int i = 0; i < AUDIT_RESOURCES; i++) {
        bool lower = first || kernel->charges[i] < least->charges[i];
        least->charges[i] = lower ? kernel->charges[i] : least->charges[i];
    }
}

static void fill(void *state, const struct grt_kernel *spec, size_t level, const struct grt_path *path) {
    struct filler *filler = state;
    const struct audit_gpu *gpu = &filler->audit->gpus[filler->task->spec->gpu];
    struct audit_kernel *kernel = level == 0 ? filler->host : filler->launched++;
    bool constant = grt_distribution_is_constant(&spec->block_time);
    (void)path;
    *kernel = (struct audit_kernel){
        .blocks = (uint64_t)(spec->whole_device ? gpu->device->sm_count : spec->blocks),
        .least = at_least_one(constant ? spec->block_time.max : spec->block_time.min),
        .most = at_least_one(spec->block_time.max),
        .same_time = constant || spec->whole_device || spec->draw_per == GRT_DRAW_PER_KERNEL,
        .whole_device = spec->whole_device,
        .launches = spec->launches.count > 0,
    };
    fill_charges(gpu->device, spec, kernel);
    if (grt_device_has_shares(gpu->device)) { /* as one that is described by its time, but it has no blocks */
        kernel->whole_device = true;
        kernel->blocks = 0;
        audit_shares_work(gpu->device, spec, &kernel->least, &kernel->most);
    }
    if (spec->sms.count > 0) {
        fill_pin(filler->audit, filler->task, spec, kernel);
    }
    for (size_t i = 0; i < spec->launches.count; i++) {
        kernel->waits |= ((const struct grt_launch_spec *)spec->launches.items)[i].wait;
    }
    if (level == 0) {
        const struct grt_number_list *tpcs = spec->tpcs.count > 0 ? &spec->tpcs : &filler->task->spec->tpcs;
        kernel->sms = sms_of(filler->audit, gpu->device, tpcs);
    } else {
        lower_least(filler->least, kernel, filler->least->charges[1] == 0);
    }
}

/* The segment's kernels by command, those launched by blocks behind them, and then the least of these. */
static struct audit_kernel *kernels_of(struct grt_audit *audit, struct audit_task *task,
                                       const struct grt_segment *segment) {
    size_t count = segment->command_count;
    for (size_t i = 0; i < segment->command_count; i++) {
        bool kernel = segment->commands[i].kind == GRT_COMMAND_KERNEL;
        count += kernel ? grt_launches_count(&segment->commands[i].kernel) : 0;
    }
    struct audit_kernel *kernels = grt_arena_array(&audit->arena, count + 1, sizeof *kernels);
    struct filler filler = {audit, task, kernels, kernels + segment->command_count, kernels + count};
    for (size_t i = 0; i < segment->command_count; i++) {
        filler.host = &kernels[i];
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            grt_kernel_walk(&segment->commands[i].kernel, NULL, fill, &filler);
        }
    }
    audit->gpus[task->spec->gpu].has_launches |= count > segment->command_count;
    return kernels;
}

/* ---- which resources can be the scarcest ---- */

static void capacities(const struct grt_device *device, int64_t *of) {
    of[0] = device->max_threads_per_sm / device->warp_size;
    of[1] = device->max_blocks_per_sm;
    of[2] = device->registers_per_sm;
    of[3] = device->shared_memory_per_sm;
}

/* Whether every kernel takes at least as large a part of resource `other` as of `one`: then counting `other` is enough. */
static bool is_implied(const struct audit_kernel *kernels, size_t count, const int64_t *capacity, int one,
                       int other) {
    for (size_t i = 0; i < count; i++) {
        if ((double)kernels[i].charges[one] / (double)capacity[one] >
            (double)kernels[i].charges[other] / (double)capacity[other]) {
            return false;
        }
    }
    return true;
}

struct all_kernels {
    struct audit_kernel *items;
    uint32_t count, capacity;
};

static void add_kernels(struct all_kernels *all, const struct audit_task *task) {
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        size_t j = 0;
        for (const struct audit_kernel *kernel = task->kernels[i]; kernel != NULL; kernel++, j++) {
            bool least = j >= segment->command_count && kernel->blocks == 0;
            if (kernel->charges[1] > 0) {
                all->items = grt_array_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
                all->items[all->count++] = *kernel;
            }
            if (least) {
                break;
            }
        }
    }
}

static void choose_checks(struct grt_audit *audit, struct audit_gpu *gpu) {
    struct all_kernels all = {0};
    int64_t capacity[AUDIT_RESOURCES];
    capacities(gpu->device, capacity);
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        if (audit->tasks[i].spec->gpu == gpu->number) {
            add_kernels(&all, &audit->tasks[i]);
        }
    }
    for (int i = 0; i < AUDIT_RESOURCES; i++) {
        gpu->checks[i] = true;
    }
    for (int i = 0; i < AUDIT_RESOURCES; i++) {
        for (int j = 0; j < AUDIT_RESOURCES && gpu->checks[i]; j++) {
            gpu->checks[i] = i == j || !gpu->checks[j] || !is_implied(all.items, all.count, capacity, i, j);
        }
    }
    free(all.items);
}

static void create_rooms(struct grt_audit *audit, const struct audit_gpu *gpu) {
    size_t processes = gpu->turns ? audit->scenario->process_count : 1;
    int64_t capacity[AUDIT_RESOURCES];
    capacities(gpu->device, capacity);
    for (uint32_t i = 0; i < gpu->device->sm_count; i++) {
        struct audit_sm *sm = &audit->sms[gpu->first_sm + i];
        sm->rooms = grt_arena_array(&audit->arena, processes * AUDIT_RESOURCES, sizeof *sm->rooms);
        for (size_t j = 0; j < processes * AUDIT_RESOURCES; j++) {
            if (gpu->checks[j % AUDIT_RESOURCES]) {
                audit_room_start(&sm->rooms[j], capacity[j % AUDIT_RESOURCES]);
            }
        }
    }
}

void audit_kernels_create(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        task->kernels =
            grt_arena_array(&audit->arena, task->spec->segment_count, sizeof(struct audit_kernel *));
        for (size_t j = 0; j < task->spec->segment_count; j++) {
            if (task->spec->segments[j].kind == GRT_SEGMENT_GPU) {
                task->kernels[j] = kernels_of(audit, task, &task->spec->segments[j]);
            }
        }
    }
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        choose_checks(audit, &audit->gpus[i]);
        create_rooms(audit, &audit->gpus[i]);
    }
}

/* ---- grids ---- */

void audit_grid_clear(struct audit_grid *grid) {
    *grid = (struct audit_grid){.first_start = GRT_TIME_NEVER, .shortest = GRT_TIME_NEVER};
}

static uint32_t place_of(const struct audit_grids *grids, uint64_t key) {
    uint32_t place = (uint32_t)hash_of(key) & (grids->capacity - 1);
    while (grids->entries[place].key != 0 && grids->entries[place].key != key) {
        place = (place + 1) & (grids->capacity - 1);
    }
    return place;
}

static void grow(struct audit_grids *grids) {
    struct audit_grids larger = {.count = grids->count,
                                 .capacity = grids->capacity > 0 ? 2 * grids->capacity : 16};
    larger.entries = grt_allocate(larger.capacity * sizeof *larger.entries);
    for (uint32_t i = 0; i < larger.capacity; i++) {
        larger.entries[i].key = 0;
    }
    for (uint32_t i = 0; i < grids->capacity; i++) {
        if (grids->entries[i].key != 0) {
            larger.entries[place_of(&larger, grids->entries[i].key)] = grids->entries[i];
        }
    }
    free(grids->entries);
    *grids = larger;
}

struct audit_grid *audit_grid_of(struct grt_audit *audit, struct audit_task *task,
                                 const struct grt_trace_record *record) {
    uint64_t number = grt_trace_grid(record->row);
    struct audit_grids *grids = &audit->grids;
    if (number == 0) {
        return &task->grid;
    }
    if (2 * (grids->count + 1) > grids->capacity) {
        grow(grids);
    }
    uint64_t key = (uint64_t)task->number << 16 | number;
    struct audit_grids_entry *entry = &grids->entries[place_of(grids, key)];
    if (entry->key == 0) {
        entry->key = key;
        grids->count++;
        audit_grid_clear(&entry->grid);
    }
    return &entry->grid;
}

/* Takes an entry out; those behind it move up to where they are found. */
static void forget(struct audit_grids *grids, uint32_t place) {
    uint32_t mask = grids->capacity - 1, hole = place;
    grids->count--;
    for (uint32_t i = (place + 1) & mask; grids->entries[i].key != 0; i = (i + 1) & mask) {
        uint32_t wanted = (uint32_t)hash_of(grids->entries[i].key) & mask;
        if (((i - wanted) & mask) >= ((i - hole) & mask)) {
            grids->entries[hole] = grids->entries[i];
            hole = i;
        }
    }
    grids->entries[hole].key = 0;
}

void audit_grid_done(struct grt_audit *audit, struct audit_task *task,
                     const struct grt_trace_record *record) {
    uint64_t number = grt_trace_grid(record->row);
    if (number == 0) {
        audit_grid_clear(&task->grid);
    } else {
        forget(&audit->grids, place_of(&audit->grids, (uint64_t)task->number << 16 | number));
    }
}

/* Blocks of launched kernels that never ended, but for the number that several share. */
void audit_kernels_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->grids.capacity; i++) {
        const struct audit_grids_entry *entry = &audit->grids.entries[i];
        if (entry->key != 0 && (entry->key & 0xffff) != GRT_DEVICE_MAX_LAUNCHES) {
            audit_find(audit, AUDIT_KERNELS, entry->grid.first_start, (uint32_t)(entry->key >> 16), 0,
                       "has blocks of a launched kernel of which there is no record");
        }
    }
}

void audit_kernels_free(struct grt_audit *audit) {
    free(audit->grids.entries);
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        const struct audit_gpu *gpu = &audit->gpus[i];
        size_t rooms = AUDIT_RESOURCES * (gpu->turns ? audit->scenario->process_count : 1);
        for (size_t j = 0; j < (size_t)gpu->device->sm_count * rooms; j++) {
            free(audit->sms[gpu->first_sm + j / rooms].rooms[j % rooms].units);
        }
    }
}

uint64_t audit_hash_of_block(uint64_t number) {
    return hash_of(number);
}

uint64_t audit_sum_of_blocks(uint64_t blocks) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        sum += hash_of(i);
    }
    return sum;
}

/* ---- a block ---- */

/* Of a pinned kernel each item of a block's work has a slice; what exits has no time of the kernel's. */
static inline void note(struct audit_grid *grid, const struct grt_trace_record *record, bool pinned) {
    bool exits = pinned && (record->flags & GRT_TRACE_EXITED) != 0,
         goes_on = pinned && (record->flags & GRT_TRACE_GOES_ON) != 0;
    grt_time length = record->time - record->other;
    grid->first_start = record->other < grid->first_start ? record->other : grid->first_start;
    grid->last_end = record->time > grid->last_end ? record->time : grid->last_end;
    if (record->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) {
        grid->longest_cut = length > grid->longest_cut && !exits ? length : grid->longest_cut;
        return;
    }
    if (!goes_on) {
        grid->count++;
        grid->sum += hash_of(record->detail);
    }
    if (exits) {
        return;
    }
    grid->shortest = length < grid->shortest ? length : grid->shortest;
    grid->longest = length > grid->longest ? length : grid->longest;
}

/* The kernel that a block is of, as far as it is known; NULL: it cannot be of any. */
static const struct audit_kernel *kernel_of(const struct grt_audit *audit, struct audit_task *task,
                                            const struct grt_trace_record *record) {
    if (task->state != AUDIT_ON_GPU && task->state != AUDIT_DRAINING) {
        return NULL;
    }
    const struct grt_segment *segment = &task->spec->segments[task->segment];
    const struct audit_kernel *kernels = task->kernels[task->segment];
    if (grt_trace_grid(record->row) != 0) {
        size_t last = segment->command_count;
        while (kernels[last].blocks > 0) {
            last++;
        }
        return kernels[last].charges[1] > 0 ? &kernels[last] : NULL;
    }
    if (audit->any_order) {
        return audit_scattered_least(task);
    }
    bool known =
        task->command < segment->command_count && segment->commands[task->command].kind == GRT_COMMAND_KERNEL;
    return known ? &kernels[task->command] : NULL;
}

static bool fits(struct grt_audit *audit, const struct audit_gpu *gpu, const struct audit_task *task,
                 const struct audit_kernel *kernel, const struct grt_trace_record *record) {
    size_t process = gpu->turns ? (size_t)task->spec->process : 0;
    struct audit_room *rooms = audit->sms[grt_trace_row(record->row)].rooms + process * AUDIT_RESOURCES;
    bool good = true;
    for (int i = 0; i < AUDIT_RESOURCES; i++) {
        if (gpu->checks[i] && kernel->charges[i] > 0) {
            good &= audit_room_take(&rooms[i], record->other, record->time, kernel->charges[i]);
        }
    }
    return good;
}

void audit_block(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    const struct audit_kernel *kernel = kernel_of(audit, task, record);
    bool good = kernel != NULL && audit_current(task, record) != NULL && !grt_device_has_shares(gpu->device);
    audit_check(audit, AUDIT_BLOCKS, good, record, "is a block of a job that has no such kernel on the GPU");
    if (!good) {
        return;
    }
    if (audit->any_order && grt_trace_grid(record->row) == 0) {
        audit_scattered_block(task, record);
    } else {
        note(audit_grid_of(audit, task, record), record, kernel->items > 0);
    }
    if (kernel->items > 0) {
        audit_pinned_block(audit, task, kernel, record);
    }
    audit_stay_block(audit, gpu, task, record);
    if (audit->hears_blocks) {
        audit_families_block(audit, task, record);
    }
    uint32_t sm = grt_trace_row(record->row) - gpu->first_sm;
    bool on_gpu = grt_trace_row(record->row) >= gpu->first_sm && sm < gpu->device->sm_count;
    audit_check(audit, AUDIT_SMS, on_gpu && (kernel->sms == NULL || kernel->sms[sm]), record,
                "has a block on an SM that its kernel may not use");
    /* of a kernel in pieces that may be over: it may be one of the next kernel's */
    bool sure = !task->in_kernel || !kernel->whole_device || task->kernel_least < kernel->least;
    if (on_gpu && sure) {
        audit_check(audit, AUDIT_ROOM, fits(audit, gpu, task, kernel, record), record,
                    "has a block on an SM that had no room for it");
    }
}
