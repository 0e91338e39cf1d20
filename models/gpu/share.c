/* Kernels that progress at speeds: GPUs of granularity shares.
 *
 * Rules F1 to F5 (docs/gpu-model.md). A kernel here stands for an application's many short launches, so it has no blocks: it begins as soon as it
 * is the head of its stream, whatever else runs, and has a speed that follows from the shares of all streams with a kernel and from the device's
 * contention model (models/device/contention.h). Speeds are computed anew whenever a kernel begins or ends, a share is changed, or tokens run out; between
 * two such instants they are constant. Each running kernel has one end pending, and the GPU one event, the earliest of them.
 *
 * Sources: Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022, sections 3 and 5; J. Gu et al., "GaiaGPU: Sharing GPUs in Container Clouds", ISPA
 * 2018, for shares as limits of utilisation. */
#include "models/gpu/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "models/device/token_bucket.h"
#include "models/gpu/execute.h"
#include "models/gpu/trace.h"
#include "models/span.h"
#include "sim/check.h"
#include "sim/hash.h"

/* A kernel that has begun. */
struct runner {
    uint32_t command;
    struct grt_progress progress; /* of its work: ns alone with the whole GPU */
    grt_time work;
    grt_time end; /* at its present speed; GRT_TIME_NEVER: it stands still */
    /* when it may stop or go on for want of tokens; GRT_TIME_NEVER: without a cause from elsewhere it does not */
    grt_time tokens_change;
};

/* In the order in which they began. */
struct share_engine {
    struct grt_contention *contention;
    struct runner *runners;
    struct grt_sharer *sharers;
    double *speeds;
    struct grt_token_bucket *buckets; /* by stream, where shares are limits over time (F4); else NULL */
    uint32_t bucket_capacity;
    uint32_t count, capacity, sharer_capacity, speed_capacity;
    bool unsettled; /* something changed that may change a speed */
    grt_time busy_since, busy;
    double sm_work; /* ns, summed over SMs: of kernels that have ended */
};

/* The tokens of a runner's stream, or NULL where there are none. */
static struct grt_token_bucket *bucket_of(const struct grt_gpu *gpu, const struct runner *runner) {
    const struct share_engine *shares = gpu->shares;
    return shares->buckets != NULL ? &shares->buckets[gpu->commands[runner->command].stream] : NULL;
}

static struct grt_progress now_of(const struct grt_gpu *gpu, const struct runner *runner) {
    struct grt_progress progress = runner->progress;
    grt_progress_advance(&progress, gpu->options.loop->now);
    return progress;
}

/* ---- begin and end ---- */

/* F1: waves of as many blocks as fit on the whole GPU. */
static grt_time work_of(const struct command *command) {
    grt_time blocks = command->block_end - command->next_block, wave = command->kernel->wave;
    grt_time work = grt_span_product_within(command->block_time, (blocks + wave - 1) / wave, GRT_TIME_LIMIT);
    return work <= GRT_TIME_LIMIT ? work : GRT_TIME_LIMIT;
}

static void begin(struct grt_gpu *gpu, uint32_t number) {
    struct share_engine *shares = gpu->shares;
    if (shares->count == 0) {
        shares->busy_since = gpu->options.loop->now;
    }
    uint32_t place = shares->count++;
    shares->runners =
        grt_array_grow(shares->runners, &shares->capacity, shares->count, sizeof *shares->runners);
    shares->runners[place] = (struct runner){
        .command = number,
        .progress = grt_progress_start(gpu->options.loop->now),
        .work = work_of(&gpu->commands[number]),
        .end = GRT_TIME_NEVER,
        .tokens_change = GRT_TIME_NEVER,
    };
    struct grt_token_bucket *bucket = bucket_of(gpu, &shares->runners[place]);
    if (bucket != NULL) {
        int64_t rate = grt_token_bucket_rate(gpu->commands[number].kernel->usage);
        grt_token_bucket_begin(bucket, rate, shares->runners[place].work, gpu->options.loop->now);
    }
    gpu->commands[number].next_block = gpu->commands[number].block_end; /* nothing of it is in a queue */
    shares->unsettled = true;
    gpu_command_begin(gpu, &gpu->commands[number]);
    gpu_execute_leave_queue(gpu, number);
}

/* F1: what stands in a queue begins, the most urgent first. */
void gpu_shares_decide(struct grt_gpu *gpu) {
    struct context *context = gpu->active;
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        struct command_list *list = &context->levels[level];
        while (list->head != NONE) {
            begin(gpu, list_pop(list, gpu->commands, queue_link));
        }
    }
    context->undispatched = false;
}

/* What it has done on the SMs counts for the utilisation. */
static void remove_runner(struct grt_gpu *gpu, uint32_t place) {
    struct share_engine *shares = gpu->shares;
    struct runner *runner = &shares->runners[place];
    const struct grt_gpu_kernel *kernel = gpu->commands[runner->command].kernel;
    struct grt_token_bucket *bucket = bucket_of(gpu, runner);
    if (bucket != NULL) {
        grt_token_bucket_advance(bucket, &runner->progress, gpu->options.loop->now);
    }
    double done = (double)now_of(gpu, runner).done;
    shares->sm_work += done * (1 - kernel->usage->host_fraction) * kernel->usage->sm_utilisation *
                       (double)gpu->device->sm_count;
    memmove(runner, runner + 1, (--shares->count - place) * sizeof *runner);
    if (shares->count == 0) {
        shares->busy += gpu->options.loop->now - shares->busy_since;
    }
    shares->unsettled = true;
    *gpu->options.changed = true;
}

static uint32_t find_ended(const struct share_engine *shares, grt_time now) {
    uint32_t place = 0;
    while (place < shares->count && shares->runners[place].end > now) {
        place++;
    }
    return place;
}

/* Whether tokens came or ran out. */
static bool tokens_changed(const struct share_engine *shares, grt_time now) {
    for (uint32_t i = 0; i < shares->count; i++) {
        if (shares->runners[i].tokens_change <= now) {
            return true;
        }
    }
    return false;
}

/* The earliest end has come, or change of tokens; several may be at one instant. */
static void ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    struct share_engine *shares = gpu->shares;
    (void)index;
    for (uint32_t place = find_ended(shares, now); place < shares->count; place = find_ended(shares, now)) {
        uint32_t number = shares->runners[place].command;
        remove_runner(gpu, place);
        gpu->kernels++;
        gpu_trace_kernel(gpu, number, gpu->commands[number].aborted ? GRT_TRACE_ABORTED : 0);
        gpu_command_complete(gpu, number);
    }
    if (tokens_changed(shares, now)) {
        shares->unsettled = *gpu->options.changed = true;
    }
}

/* F5: nothing of a running kernel is left after an abort. */
void gpu_shares_cancel(struct grt_gpu *gpu, uint32_t number) {
    struct share_engine *shares = gpu->shares;
    for (uint32_t place = 0; place < shares->count; place++) {
        if (shares->runners[place].command == number) {
            remove_runner(gpu, place);
            gpu_trace_kernel(gpu, number, GRT_TRACE_ABORTED);
            return;
        }
    }
}

/* ---- speeds ---- */

static void set_speed(const struct grt_gpu *gpu, struct runner *runner, double speed) {
    const struct grt_token_bucket *bucket = bucket_of(gpu, runner);
    grt_progress_advance(&runner->progress, gpu->options.loop->now);
    runner->progress.speed = (uint64_t)ceil(speed * (double)GRT_FULL_SPEED);
    runner->end =
        runner->progress.speed > 0 ? grt_progress_end(&runner->progress, runner->work) : GRT_TIME_NEVER;
    if (bucket != NULL) {
        runner->tokens_change = grt_token_bucket_next(bucket, &runner->progress);
    }
}

/* How many vprocessors a runner may use now: with tokens all of them, and none without. */
static int64_t share_of(const struct grt_gpu *gpu, const struct runner *runner) {
    struct grt_token_bucket *bucket = bucket_of(gpu, runner);
    if (bucket == NULL) {
        return gpu->streams[gpu->commands[runner->command].stream].share;
    }
    bool runs = grt_token_bucket_advance(bucket, &runner->progress, gpu->options.loop->now);
    return runs ? GRT_FULL_SHARE : 0;
}

static void find_speeds(struct grt_gpu *gpu) {
    struct share_engine *shares = gpu->shares;
    shares->sharers =
        grt_array_grow(shares->sharers, &shares->sharer_capacity, shares->count, sizeof *shares->sharers);
    shares->speeds =
        grt_array_grow(shares->speeds, &shares->speed_capacity, shares->count, sizeof *shares->speeds);
    for (uint32_t i = 0; i < shares->count; i++) {
        const struct command *command = &gpu->commands[shares->runners[i].command];
        shares->sharers[i] = (struct grt_sharer){.usage = command->kernel->usage,
                                                 .class_number = command->kernel->class_number,
                                                 .share = share_of(gpu, &shares->runners[i])};
    }
    grt_contention_speeds(shares->contention, shares->sharers, shares->count, shares->speeds);
}

/* F2, F3: computes speeds and ends where something changed; waits for the earliest. */
void gpu_shares_settle(struct grt_gpu *gpu) {
    struct share_engine *shares = gpu->shares;
    if (!shares->unsettled) {
        return;
    }
    grt_time earliest = GRT_TIME_NEVER;
    find_speeds(gpu);
    for (uint32_t i = 0; i < shares->count; i++) {
        struct runner *runner = &shares->runners[i];
        set_speed(gpu, runner, shares->speeds[i]);
        earliest = runner->end < earliest ? runner->end : earliest;
        earliest = runner->tokens_change < earliest ? runner->tokens_change : earliest;
    }
    shares->unsettled = false;
    grt_loop_schedule(gpu->options.loop, gpu->source, earliest);
}

/* ---- what the world asks ---- */

/* What was launched until now was launched with the old share. */
static void set_share_of_bucket(const struct grt_gpu *gpu, uint32_t stream, int64_t share) {
    struct grt_token_bucket *bucket = &gpu->shares->buckets[stream];
    for (uint32_t i = 0; i < gpu->shares->count; i++) {
        const struct runner *runner = &gpu->shares->runners[i];
        if (gpu->commands[runner->command].stream == stream) {
            grt_token_bucket_advance(bucket, &runner->progress, gpu->options.loop->now);
        }
    }
    grt_token_bucket_set_share(bucket, share, gpu->options.loop->now);
}

void grt_gpu_set_share(struct grt_gpu *gpu, uint32_t number, int64_t share) {
    struct stream *stream = &gpu->streams[number];
    GRT_REQUIRE(gpu->shares != NULL && share >= 0 && share <= GRT_FULL_SHARE,
                "shares of 0 to 100 are set on GPUs of granularity shares");
    if (stream->share == share) {
        return;
    }
    if (gpu->shares->buckets != NULL) {
        set_share_of_bucket(gpu, number, share);
    }
    stream->share = (uint8_t)share;
    gpu->shares->unsettled = true;
    *gpu->options.changed = true;
    if (gpu->options.trace != NULL) {
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){.time = gpu->options.loop->now,
                                                                    .other = share,
                                                                    .row = stream->row,
                                                                    .task = GRT_TRACE_NO_TASK,
                                                                    .kind = GRT_TRACE_SHARE});
    }
}

void grt_gpu_workload(const struct grt_gpu *gpu, uint32_t stream, double *indicators) {
    GRT_REQUIRE(gpu->shares != NULL, "GPUs of granularity shares have counters");
    memset(indicators, 0, GRT_INDICATORS * sizeof *indicators);
    for (uint32_t i = 0; i < gpu->shares->count; i++) {
        const struct runner *runner = &gpu->shares->runners[i];
        const struct command *command = &gpu->commands[runner->command];
        double speed = (double)runner->progress.speed / (double)GRT_FULL_SPEED;
        for (int indicator = 0; command->stream != stream && indicator < GRT_INDICATORS; indicator++) {
            indicators[indicator] += speed * command->kernel->usage->counters[indicator];
        }
    }
}

double grt_gpu_completion(const struct grt_gpu *gpu, uint32_t stream) {
    GRT_REQUIRE(gpu->shares != NULL, "kernels on GPUs of granularity shares are done to a part");
    for (uint32_t i = 0; i < gpu->shares->count; i++) {
        const struct runner *runner = &gpu->shares->runners[i];
        if (gpu->commands[runner->command].stream == stream) {
            return (double)now_of(gpu, runner).done / (double)runner->work;
        }
    }
    return 0;
}

/* ---- what the device calls ---- */

void gpu_shares_create(struct grt_gpu *gpu) {
    if (!grt_device_has_shares(gpu->device)) {
        return;
    }
    gpu->shares = grt_arena_new(gpu->options.arena, struct share_engine);
    gpu->shares->contention = grt_contention_create(gpu->device, gpu->options.arena);
    gpu->source = grt_loop_add_front(gpu->options.loop, GRT_CLASS_COMPLETION, ended, gpu, 0);
}

void gpu_shares_add_stream(struct grt_gpu *gpu, uint32_t number) {
    struct share_engine *shares = gpu->shares;
    const struct grt_device *device = gpu->device;
    gpu->streams[number].share = GRT_FULL_SHARE;
    if (device->share_interval > 0) {
        shares->buckets =
            grt_array_grow(shares->buckets, &shares->bucket_capacity, number + 1, sizeof *shares->buckets);
        shares->buckets[number] =
            grt_token_bucket_start(device->share_interval, device->share_launch, GRT_FULL_SHARE, 0);
    }
}

static uint64_t hash_bucket(const struct grt_token_bucket *bucket, grt_time now, uint64_t hash) {
    hash = grt_hash_add(hash, (uint64_t)(now - bucket->refills * bucket->interval));
    hash = grt_hash_add(hash, (uint64_t)bucket->tokens);
    return grt_hash_add(hash, (uint64_t)(bucket->work - bucket->covered));
}

/* Their order counts for who has what of the SMs; speeds follow from what runs. */
uint64_t gpu_shares_state(const struct grt_gpu *gpu, uint64_t hash) {
    for (uint32_t i = 0; i < gpu->shares->count; i++) {
        const struct runner *runner = &gpu->shares->runners[i];
        struct grt_progress progress = now_of(gpu, runner);
        hash = grt_hash_add(hash, gpu->commands[runner->command].stream);
        hash = grt_hash_add(hash, (uint64_t)(runner->work - progress.done));
        hash = grt_hash_add(hash, progress.fraction);
    }
    for (uint32_t i = 0; i < gpu->stream_count; i++) {
        hash = grt_hash_add(hash, gpu->streams[i].share);
        if (gpu->shares->buckets != NULL) {
            hash = hash_bucket(&gpu->shares->buckets[i], gpu->options.loop->now, hash);
        }
    }
    return hash;
}

void gpu_shares_finish(struct grt_gpu *gpu, struct grt_gpu_result *result) {
    struct share_engine *shares = gpu->shares;
    while (shares->count > 0) {
        gpu_trace_kernel(gpu, shares->runners[0].command, GRT_TRACE_OPEN);
        remove_runner(gpu, 0);
    }
    result->shares = true;
    result->busy = shares->busy;
    result->sm_busy = result->thread_time = shares->sm_work;
}

void gpu_shares_free(struct grt_gpu *gpu) {
    if (gpu->shares != NULL) {
        free(gpu->shares->runners);
        free(gpu->shares->sharers);
        free(gpu->shares->speeds);
        free(gpu->shares->buckets);
    }
}
