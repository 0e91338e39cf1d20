/* Kernels of the engine on gpurt's model: prepared as those of scenarios are, and the records that their blocks leave. */
#include <stdlib.h>
#include <string.h>

#include "calib/pretend/model_internal.h"
#include "sim/check.h"
#include "sim/hash.h"
#include "sim/wide.h"

enum { TABLE_SIZE = 4096 };

/* Blocks that take longer than this are not told from others: 11 days. */
#define LONGEST INT64_C(1000000000000000)

/* Of a block that is on no SM. */
#define NO_SLOT UINT16_MAX

struct model_places {
    uint64_t sms[GRT_PLACE_WORDS], places[GRT_PLACE_WORDS];
    uint32_t first_sm;
    struct model_places *next;
};

/* What two launches have in common that are the same kernel to the GPU. */
struct kernel_key {
    uint64_t amount, launch;
    const uint64_t *places;
    uint32_t id, blocks, threads, shared_bytes;
    uint32_t items, sm_low, sm_high; /* filter */
    uint32_t one_by_one;             /* blocks have times of their own */
};

struct model_prepared {
    struct kernel_key key;
    struct grt_gpu_kernel kernel;
    struct model_prepared *next;
};

void model_kernels_create(struct model *model) {
    size_t sms = (size_t)model->device.sm_count;
    model->prepared = grt_arena_array(&model->arena, TABLE_SIZE, sizeof(struct model_prepared *));
    model->order = grt_arena_array(&model->arena, sms, sizeof *model->order);
    model->slots = grt_arena_array(&model->arena, sms, sizeof *model->slots);
    grt_device_sm_order(&model->device, model->order);
}

const uint64_t *model_places(struct model *model, const uint64_t *sms, uint32_t *first_sm) {
    struct model_places *set = model->places;
    *first_sm = 0;
    if (sms == NULL) {
        return NULL;
    }
    while (set != NULL && memcmp(set->sms, sms, sizeof set->sms) != 0) {
        set = set->next;
    }
    if (set == NULL) {
        set = grt_arena_new(&model->arena, struct model_places);
        memcpy(set->sms, sms, sizeof set->sms);
        for (uint32_t place = 0; place < model->device.sm_count; place++) {
            uint32_t sm = model->order[place];
            set->places[place / 64] |= (sms[sm / 64] >> sm % 64 & 1) << place % 64;
        }
        while ((sms[set->first_sm / 64] >> set->first_sm % 64 & 1) == 0) {
            set->first_sm++;
        }
        set->next = model->places;
        model->places = set;
    }
    *first_sm = set->first_sm;
    return set->places;
}

/* ---- how long blocks take ---- */

static bool is_filtered(const struct grt_engine_kernel *kernel) {
    return kernel->control.mode == GRT_KERNEL_FILTER;
}

static uint32_t logical_blocks(const struct grt_engine_kernel *kernel) {
    return is_filtered(kernel) ? kernel->control.block_count : kernel->blocks;
}

/* Without noise. The kernel that watches the timer sees a tick per unit. */
static grt_time time_of(const struct grt_pretend_spec *spec, const struct grt_engine_kernel *kernel,
                        uint64_t amount) {
    uint64_t per_unit_ps = (uint64_t)kernel->spec->per_unit_ps;
    if (kernel->id == GRT_KERNEL_TICK) {
        per_unit_ps += (uint64_t)spec->timer_tick * 1000;
    }
    grt_wide time = ((grt_wide)amount * per_unit_ps + 999) / 1000 + (uint64_t)kernel->spec->fixed;
    return time < (grt_wide)LONGEST ? (grt_time)time : LONGEST;
}

/* The noise, so much later. */
static struct grt_distribution later(struct grt_distribution noise, grt_time base) {
    noise.min += base;
    noise.max += base;
    noise.location += base;
    noise.declared = 0;
    return noise;
}

/* Whether blocks get their times one by one: from a table, or where measured noise cannot be moved to where the time is. */
static bool is_one_by_one(const struct grt_engine_kernel *kernel) {
    return kernel->table != NULL || kernel->spec->noise.kind == GRT_EMPIRICAL;
}

static grt_time *draw_times(struct model *model, const struct grt_engine_kernel *kernel) {
    uint32_t count = logical_blocks(kernel);
    grt_time *times = grt_allocate((count > 0 ? count : 1) * sizeof *times);
    struct grt_random random = grt_random_of_key(grt_random_bits(&model->keys));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t amount = kernel->table != NULL
                              ? kernel->table[kernel->amount + kernel->control.first_block + i]
                              : kernel->amount;
        times[i] =
            time_of(model->spec, kernel, amount) + grt_distribution_draw(&kernel->spec->noise, &random);
    }
    return times;
}

void model_kernel_called(struct model *model, struct model_command *command) {
    const struct grt_engine_kernel *kernel = &command->kernel;
    command->blocks = grt_allocate(kernel->blocks * sizeof *command->blocks);
    for (uint32_t i = 0; i < kernel->blocks; i++) {
        command->blocks[i] = (struct model_block){.slot = NO_SLOT};
    }
    if (is_one_by_one(kernel)) {
        command->block_times = draw_times(model, kernel);
    }
}

/* ---- what the GPU gets ---- */

/* Filtered kernels work on some SMs; where none of them can be reached, on all that they can reach, as the last of their blocks to come does. */
static void pin(struct model *model, struct grt_kernel *kernel, const struct kernel_key *key,
                struct grt_gpu_kernel *prepared) {
    uint32_t high = key->sm_high < model->device.sm_count ? key->sm_high : (uint32_t)model->device.sm_count;
    int64_t sms[GRT_DEVICE_MAX_SMS];
    kernel->items = key->items;
    kernel->exit_time = model->spec->filter_exit;
    kernel->sms = (struct grt_number_list){.items = sms};
    for (uint32_t sm = key->sm_low; sm < high; sm++) {
        sms[kernel->sms.count++] = sm;
    }
    const char *why = grt_gpu_kernel_pin(&model->device, kernel, &model->arena, prepared);
    if (why != NULL) {
        kernel->sms.count = 0;
        for (uint32_t sm = 0; sm < model->device.sm_count; sm++) {
            sms[kernel->sms.count++] = sm;
        }
        why = grt_gpu_kernel_pin(&model->device, kernel, &model->arena, prepared);
    }
    GRT_REQUIRE(why == NULL, "a stream has SMs");
    kernel->sms = (struct grt_number_list){0};
}

static void prepare(struct model *model, const struct grt_engine_kernel *kernel,
                    struct model_prepared *made) {
    const struct kernel_key *key = &made->key;
    struct grt_kernel description = {
        .name = grt_kernel_kinds[kernel->id].name,
        .blocks = key->blocks,
        .needs = {.threads = key->threads,
                  .registers_per_thread = kernel->spec->registers,
                  .shared_memory = key->shared_bytes,
                  .shared_memory_opt_in = true},
        .block_time = key->one_by_one ? (struct grt_distribution){.max = 1}
                                      : later(kernel->spec->noise, time_of(model->spec, kernel, key->amount)),
        .bandwidth = kernel->spec->bandwidth,
        .class_name = kernel->spec->class_name,
    };
    const char *why = grt_gpu_kernel_prepare(&model->device, &description, &made->kernel);
    GRT_REQUIRE(why == NULL, "the driver checks that a block fits on an SM");
    made->kernel.launch = (grt_time)key->launch;
    made->kernel.places = key->places;
    if (key->items > 0) {
        pin(model, &description, key, &made->kernel);
    }
    if (key->one_by_one) {
        made->kernel.same_time = made->kernel.together = false;
    }
}

/* The same for the same, so that the GPU sees that launches are of one kernel. */
static const struct grt_gpu_kernel *find(struct model *model, const struct grt_engine_kernel *kernel,
                                         const uint64_t *places, grt_time launch) {
    struct kernel_key key;
    memset(&key, 0, sizeof key); /* compared byte by byte */
    key.amount = kernel->table == NULL ? kernel->amount : 0;
    key.launch = (uint64_t)launch;
    key.places = places;
    key.id = kernel->id;
    key.blocks = kernel->blocks;
    key.threads = kernel->threads;
    key.shared_bytes = kernel->shared_bytes;
    key.one_by_one = is_one_by_one(kernel);
    if (is_filtered(kernel) && kernel->control.block_count > 0) {
        key.items = kernel->control.block_count;
        key.sm_low = kernel->control.sm_low;
        key.sm_high = kernel->control.sm_high;
    }
    uint64_t hash = grt_hash_add(grt_hash_add(key.amount, key.launch), (uint64_t)key.blocks << 32 | key.id);
    hash = grt_hash_add(hash, (uint64_t)key.items << 32 | key.sm_high);
    struct model_prepared **link = &model->prepared[hash % TABLE_SIZE];
    while (*link != NULL && memcmp(&(*link)->key, &key, sizeof key) != 0) {
        link = &(*link)->next;
    }
    if (*link == NULL) {
        *link = grt_arena_new(&model->arena, struct model_prepared);
        (*link)->key = key;
        prepare(model, kernel, *link);
    }
    return &(*link)->kernel;
}

void model_kernel_give(struct model *model, uint32_t number, grt_time launch) {
    const struct model_command *command = &model->commands[number];
    bool random = !grt_distribution_is_constant(&command->kernel.spec->noise);
    struct grt_gpu_command given = {
        .kind = GRT_COMMAND_KERNEL,
        .kernel = find(model, &command->kernel, model->streams[command->stream].places, launch),
        .block_times = command->block_times,
        .owner = number,
        .last = true,
        .random = random,
    };
    uint64_t key = random ? grt_random_bits(&model->keys) : 0;
    grt_gpu_submit(model->gpu, command->stream, &given, number, key);
}

/* ---- blocks ---- */

/* Adds to one of the kernel's counters; returns what was there. */
static uint32_t count(const struct grt_kernel_control *control, int which) {
    uint32_t *counters = (uint32_t *)(uintptr_t)control->counters;
    return counters != NULL ? counters[which]++ : 0;
}

enum { BEGUN, TAKEN, CAME, WORK };

/* The values of the timer that the only block of a kernel sees. */
static void write_ticks(const struct model *model, const struct grt_engine_kernel *kernel) {
    uint64_t value = model_timer(model->spec, model->loop.now);
    for (uint64_t i = 0; i < kernel->amount; i++) {
        kernel->out[i] = value + (i + 1) * (uint64_t)model->spec->timer_tick;
    }
}

void model_block_begins(void *state, uint32_t number, uint32_t index, uint32_t item, uint32_t sm) {
    struct model *model = state;
    grt_trace_flush(model->trace); /* what has ended leaves its slots and records */
    struct model_command *command = &model->commands[number];
    const struct grt_kernel_control *control = &command->kernel.control;
    struct model_block *block = &command->blocks[index];
    bool filtered = is_filtered(&command->kernel), works = item != GRT_GPU_NO_ITEM;
    bool goes_on = block->slot != NO_SLOT;
    if (!goes_on) {
        block->slot = (uint16_t)__builtin_ctzll(~model->slots[sm]);
        model->slots[sm] |= UINT64_C(1) << block->slot;
    }
    block->sm = (uint16_t)sm;
    block->item = item;
    if (filtered && !goes_on) {
        count(control, CAME);
        if (works) {
            count(control, WORK);
        }
    }
    if (works) {
        block->order = count(control, BEGUN);
        if (filtered) {
            count(control, TAKEN);
        }
        if (command->kernel.out != NULL) {
            write_ticks(model, &command->kernel);
        }
    }
}

static void write_record(const struct model *model, const struct grt_kernel_control *control,
                         const struct model_block *block, grt_time start, grt_time end) {
    uint32_t logical = control->first_block + block->item;
    uint32_t every = control->record_every > 0 ? control->record_every : 1;
    if (control->records == 0 || logical % every != 0) {
        return;
    }
    struct grt_block_record *records = (struct grt_block_record *)(uintptr_t)control->records;
    records[logical / every] = (struct grt_block_record){
        .start_ns = model_timer(model->spec, start),
        .end_ns = model_timer(model->spec, end),
        .start_cycle = model_cycles(model->spec, block->sm, start),
        .end_cycle = model_cycles(model->spec, block->sm, end),
        .sm = block->sm,
        .slot = block->slot,
        .order = block->order,
    };
}

bool model_blocks_end(void *state, const struct grt_trace_record *records, size_t record_count) {
    struct model *model = state;
    for (size_t i = 0; i < record_count; i++) {
        const struct grt_trace_record *record = &records[i];
        if (record->kind != GRT_TRACE_BLOCK) {
            continue;
        }
        const struct model_command *command = &model->commands[record->job];
        struct model_block *block = &command->blocks[record->detail];
        if ((record->flags & GRT_TRACE_EXITED) == 0) {
            write_record(model, &command->kernel.control, block, record->other, record->time);
        }
        if ((record->flags & GRT_TRACE_GOES_ON) == 0) {
            model->slots[block->sm] &= ~(UINT64_C(1) << block->slot);
            block->slot = NO_SLOT;
        }
    }
    return true;
}

void model_latch_record(struct model *model, const struct model_command *latch) {
    const struct grt_kernel_control *control = &latch->kernel.control;
    struct model_block block = {.sm = (uint16_t)model->streams[latch->stream].first_sm};
    block.order = count(control, BEGUN);
    write_record(model, control, &block, latch->begin, model->loop.now);
}
