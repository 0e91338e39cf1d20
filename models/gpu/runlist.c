/* Runlists: whose turn it is on the engines of a GPU that several processes share.
 *
 * Source: J. Bakita, J. H. Anderson, "Demystifying NVIDIA GPU Internals to Enable Reliable GPU Management", RTAS 2024:
 * rules T1r to T3r, E5, E6; Amert et al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017, appendix A: T4r; the order of the
 * turns with interleave levels is that of NVIDIA's open kernel modules (T6r).
 *
 * T9r, priorities of processes: N. Capodieci, R. Cavicchioli, M. Bertogna, A. Paramakuru, "Deadline-Based Scheduling for GPU
 * with Preemption Support", RTSS 2018, and Y. Wang, C. Liu, D. Wong, H. Kim, "GCAPS: GPU Context-Aware Preemptive
 * Priority-Based Scheduling for Real-Time Tasks", ECRTS 2024.
 *
 * A runlist serves the SMs, or a copy engine, or all of them. The contexts that have something to do there take turns of
 * at most a time slice. Before a turn passes, the engines that the next context needs are freed: copies stop at the end
 * of their chunk; the SMs as the device's context_preemption says. A context that has nothing for the SMs leaves them
 * alone, while a copy engine always works for the context whose turn it is: so on a shared runlist kernels run on
 * through the turns of processes that only copy, and copies wait through the turns of those that only compute (E6). */
#include "models/gpu/runlist.h"

#include "models/gpu/internal.h"
#include "models/gpu/preempt.h"

/* ---- what there is to do ---- */

static bool wants_sms(const struct grt_gpu *gpu, const struct context *context) {
    if (context->running_blocks > 0) {
        return true;
    }
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        if (context->levels[level].head != NONE) {
            return true;
        }
    }
    return context->returning_count > 0;
}

static bool runs_on_engine(const struct grt_gpu *gpu, const struct context *context, uint32_t engine) {
    uint32_t running = gpu->engines[engine].running;
    return running != NONE && context_of(gpu, running) == context;
}

/* Whether a context has something to do on a runlist's engines. */
static bool has_work(const struct grt_gpu *gpu, const struct runlist *runlist,
                     const struct context *context) {
    if (runlist->has_sms && wants_sms(gpu, context)) {
        return true;
    }
    for (uint32_t i = runlist->first_engine; i < runlist->end_engine; i++) {
        if (context->copies[i].head != NONE || context->suspended[i] != NONE ||
            runs_on_engine(gpu, context, i)) {
            return true;
        }
    }
    return false;
}

/* T3r: whether it can have a turn. T9r: only those of one priority are on the runlist of the SMs. */
static bool is_pending(const struct grt_gpu *gpu, const struct runlist *runlist,
                       const struct context *context) {
    bool is_on = !gpu->ranked || !runlist->has_sms || context->spec.priority == runlist->priority;
    return is_on && has_work(gpu, runlist, context);
}

static bool is_another_pending(const struct grt_gpu *gpu, const struct runlist *runlist) {
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        if (gpu->contexts[i] != runlist->current && is_pending(gpu, runlist, gpu->contexts[i])) {
            return true;
        }
    }
    return false;
}

/* Whether the SMs must pass to a context before it can have its turn. */
static bool takes_sms(const struct grt_gpu *gpu, const struct runlist *runlist,
                      const struct context *context) {
    return runlist->has_sms && gpu->active != context && wants_sms(gpu, context);
}

/* ---- the SMs ---- */

static void trace_stay(struct grt_gpu *gpu, uint8_t flags) {
    grt_time now = gpu->options.loop->now;
    if (gpu->options.trace != NULL && gpu->used && gpu->active_since < now) {
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){.time = now,
                                                                    .other = gpu->active_since,
                                                                    .detail = gpu->active->label,
                                                                    .row = gpu->options.index,
                                                                    .task = GRT_TRACE_NO_TASK,
                                                                    .kind = GRT_TRACE_CONTEXT,
                                                                    .flags = flags});
    }
}

/* T4r: no more is begun for the active context; true once it can be switched out. */
static bool are_sms_free(struct grt_gpu *gpu) {
    gpu->held = true;
    switch (gpu->device->context_preemption) {
    case GRT_CONTEXT_PREEMPTION_INSTRUCTION:
    case GRT_CONTEXT_PREEMPTION_RESET:
        return true;
    case GRT_CONTEXT_PREEMPTION_BLOCK:
        return gpu->active->running_blocks == 0;
    default:
        return gpu->active->resident_kernels == 0;
    }
}

/* The blocks that run leave the SMs; returns how long saving them takes. Those of a context that was not back yet when its turn
 * was taken from it (T9r) have left already. */
static grt_time leave_sms(struct grt_gpu *gpu, struct context *context) {
    if (context->running_blocks == 0 || context->paused_at != GRT_TIME_NEVER) {
        return 0;
    }
    context->paused_at = gpu->options.loop->now;
    if (gpu->device->context_preemption == GRT_CONTEXT_PREEMPTION_RESET) {
        gpu_preempt_throw_away(gpu, context);
    }
    return gpu_preempt_move_time(gpu, context);
}

/* Puts a context on the SMs, which takes the device's context_switch, but for the first one of the run, and T4s: saving
 * the blocks of the old one and restoring those of the new one. */
static void switch_sms(struct grt_gpu *gpu, struct context *context) {
    grt_time now = gpu->options.loop->now;
    trace_stay(gpu, 0);
    gpu->ready_at = now + leave_sms(gpu, gpu->active) + gpu_preempt_move_time(gpu, context);
    gpu->ready_at += gpu->used ? gpu->device->context_switch : 0;
    gpu->active_since = gpu->ready_at;
    gpu->active = context;
    gpu->held = true;
    gpu->unsettled = true;
    context->undispatched = true;
}

static void restart_clock(const struct grt_gpu *gpu, struct context *context) {
    if (context->paused_at != GRT_TIME_NEVER) {
        context->lag += gpu->options.loop->now - context->paused_at;
        context->paused_at = GRT_TIME_NEVER;
    }
}

/* The switch is over: blocks that were switched out go on, or begin again. */
static void resume(struct grt_gpu *gpu) {
    restart_clock(gpu, gpu->active);
    if (gpu->active->thrown != NONE) {
        gpu_preempt_run_again(gpu, gpu->active);
    }
    gpu->held = false;
    gpu->unsettled = true;
    gpu->active->undispatched = true;
}

/* ---- turns ---- */

static grt_time slice_of(const struct grt_gpu *gpu, const struct runlist *runlist,
                         const struct context *context) {
    if (context->spec.time_slice > 0) {
        return context->spec.time_slice;
    }
    bool computes = runlist->has_sms && wants_sms(gpu, context);
    return computes ? gpu->device->time_slice : gpu->device->copy_time_slice;
}

/* The end of the present turn. One that nobody else wanted to have at its end goes on for another time slice. */
static grt_time end_of_turn(const struct grt_gpu *gpu, const struct runlist *runlist) {
    grt_time slice = slice_of(gpu, runlist, runlist->current), now = gpu->options.loop->now;
    grt_time past = now - runlist->turn_end;
    return past <= 0 ? runlist->turn_end : runlist->turn_end + (past + slice - 1) / slice * slice;
}

grt_time gpu_runlist_turn_left(const struct grt_gpu *gpu, const struct runlist *runlist) {
    bool none = runlist->current == NULL || runlist->idle;
    return none ? -1 : end_of_turn(gpu, runlist) - gpu->options.loop->now;
}

/* Finds the next turn of a context that has something to do, after the present one; false if nobody has. */
static bool find_turn(const struct grt_gpu *gpu, struct runlist *runlist) {
    for (uint32_t step = 1; step <= gpu->turn_count; step++) {
        uint32_t position = (runlist->position + step) % gpu->turn_count;
        if (is_pending(gpu, runlist, gpu->turns[position])) {
            runlist->position = position;
            runlist->next = gpu->turns[position];
            return true;
        }
    }
    return false;
}

/* Decides whether the present turn goes on, and if not, whose is next. */
static void choose(const struct grt_gpu *gpu, struct runlist *runlist) {
    struct context *current = runlist->current;
    if (current != NULL && !runlist->idle && is_pending(gpu, runlist, current)) {
        runlist->turn_end = end_of_turn(gpu, runlist);
        if (gpu->options.loop->now < runlist->turn_end || !is_another_pending(gpu, runlist)) {
            runlist->goes_on = takes_sms(gpu, runlist, current);
            runlist->next = runlist->goes_on ? current : NULL;
            return;
        }
    }
    runlist->goes_on = false;
    runlist->idle = !find_turn(gpu, runlist);
}

/* Frees the engines for the next turn; true once they are free. A turn that goes on has its copy engines already. */
static bool are_engines_free(struct grt_gpu *gpu, const struct runlist *runlist) {
    bool all = !takes_sms(gpu, runlist, runlist->next) || are_sms_free(gpu);
    for (uint32_t i = runlist->first_engine; !runlist->goes_on && i < runlist->end_engine; i++) {
        gpu->engines[i].held = true;
        all &= runs_on_engine(gpu, runlist->next, i) || gpu_copy_stop(gpu, i);
    }
    return all;
}

static void release_engines(struct grt_gpu *gpu, const struct runlist *runlist) {
    for (uint32_t i = runlist->first_engine; i < runlist->end_engine; i++) {
        gpu->engines[i].held = false;
        gpu->uncopied = true;
    }
}

static void begin_turn(struct grt_gpu *gpu, struct runlist *runlist) {
    struct context *next = runlist->next;
    grt_time now = gpu->options.loop->now, begin = now;
    if (takes_sms(gpu, runlist, next)) {
        switch_sms(gpu, next);
        begin = gpu->ready_at;
    }
    if (runlist->has_sms && gpu->ready_at <= now) {
        resume(gpu);
    }
    for (uint32_t i = runlist->first_engine; i < runlist->end_engine; i++) {
        gpu->engines[i].held = begin > now && !runlist->goes_on; /* the turn begins after the switch */
        gpu->engines[i].active = next;
        gpu->uncopied = true;
    }
    runlist->current = next;
    runlist->next = NULL;
    if (!runlist->goes_on || runlist->turn_end <= begin) { /* or it was over before it had the SMs */
        runlist->turn_end = begin + slice_of(gpu, runlist, next);
    }
}

/* T9r: the greatest priority of a context with something to do; that of those on the runlist where there is none. */
static int64_t most_urgent(const struct grt_gpu *gpu, const struct runlist *runlist) {
    int64_t most = INT64_MIN;
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        int64_t priority = gpu->contexts[i]->spec.priority;
        if (priority > most && has_work(gpu, runlist, gpu->contexts[i])) {
            most = priority;
        }
    }
    return most > INT64_MIN ? most : runlist->priority;
}

/* T9r: software puts the most urgent on the runlist, which takes the device's runlist_update. Meanwhile all goes on; at its
 * end it puts on it who is most urgent then. */
static void update(struct grt_gpu *gpu, struct runlist *runlist) {
    grt_time now = gpu->options.loop->now;
    int64_t priority = most_urgent(gpu, runlist);
    if (runlist->update_ends == GRT_TIME_NEVER && priority != runlist->priority) {
        runlist->update_ends = now + gpu->device->runlist_update;
    }
    if (runlist->update_ends <= now) {
        runlist->update_ends = GRT_TIME_NEVER;
        runlist->priority = priority;
    }
}

static void schedule(struct grt_gpu *gpu, struct runlist *runlist) {
    grt_time next = GRT_TIME_NEVER, now = gpu->options.loop->now;
    if (runlist->has_sms && gpu->ready_at > now) {
        next = gpu->ready_at;
    } else if (runlist->next == NULL && !runlist->idle && is_another_pending(gpu, runlist)) {
        next = runlist->turn_end;
    }
    next = runlist->update_ends < next ? runlist->update_ends : next;
    if (grt_loop_pending(gpu->options.loop, runlist->source) != next) {
        grt_loop_schedule(gpu->options.loop, runlist->source, next);
    }
}

/* The first stay begins with the first kernel. */
static void begin_first_stay(struct grt_gpu *gpu) {
    if (!gpu->used && !gpu->held && wants_sms(gpu, gpu->active)) {
        gpu->used = true;
        gpu->active_since = gpu->options.loop->now;
    }
}

static void decide(struct grt_gpu *gpu, struct runlist *runlist) {
    grt_time now = gpu->options.loop->now;
    if (gpu->ranked && runlist->has_sms) {
        update(gpu, runlist);
    }
    bool is_on = !gpu->ranked || gpu->active->spec.priority == runlist->priority;
    if (runlist->has_sms && gpu->held && runlist->next == NULL && gpu->ready_at <= now && is_on) {
        resume(gpu);
        release_engines(gpu, runlist);
    }
    if (runlist->next == NULL && !(runlist->has_sms && gpu->ready_at > now)) {
        choose(gpu, runlist);
    }
    if (runlist->next != NULL && !is_pending(gpu, runlist, runlist->next) && find_turn(gpu, runlist)) {
        runlist->goes_on = false; /* what the other was to have its turn for was taken back */
    }
    if (runlist->next != NULL && are_engines_free(gpu, runlist)) {
        begin_turn(gpu, runlist);
    }
    schedule(gpu, runlist);
    begin_first_stay(gpu);
}

void gpu_runlists_decide(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->runlist_count; i++) {
        decide(gpu, &gpu->runlists[i]);
    }
}

/* At the end of the run the clocks of all contexts stand at what they had. */
void gpu_runlists_finish(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        restart_clock(gpu, gpu->contexts[i]);
    }
    if (gpu->runlist_count > 0) {
        trace_stay(gpu, GRT_TRACE_OPEN);
    }
}

/* ---- creation ---- */

static void turn_is_over(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    (void)index;
    (void)now;
    *gpu->options.changed = true;
}

/* T6r: an entry of low interleave is in the order once, before it all the medium ones, and before each of all these the
 * high ones. Counts the turns and, where there is room, writes them down. */
static void order_turns(struct grt_gpu *gpu, int64_t level) {
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        if (gpu->contexts[i]->spec.interleave != level) {
            continue;
        }
        for (int64_t higher = level + 1; higher <= GRT_INTERLEAVE_HIGH; higher++) {
            order_turns(gpu, higher);
        }
        if (gpu->turns != NULL) {
            gpu->turns[gpu->turn_count] = gpu->contexts[i];
        }
        gpu->turn_count++;
    }
}

static void order_all_turns(struct grt_gpu *gpu) {
    int64_t lowest = GRT_INTERLEAVE_HIGH;
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        int64_t level = gpu->contexts[i]->spec.interleave;
        lowest = level < lowest ? level : lowest;
    }
    for (int pass = 0; pass < 2; pass++) {
        gpu->turns =
            pass == 0 ? NULL : grt_arena_array(gpu->options.arena, gpu->turn_count, sizeof *gpu->turns);
        gpu->turn_count = 0;
        order_turns(gpu, lowest);
    }
}

static void create_runlist(struct grt_gpu *gpu, bool has_sms, uint32_t first_engine, uint32_t end_engine) {
    struct runlist *runlist = &gpu->runlists[gpu->runlist_count++];
    *runlist = (struct runlist){.has_sms = has_sms,
                                .first_engine = first_engine,
                                .end_engine = end_engine,
                                .turn_end = GRT_TIME_NEVER,
                                .priority = INT64_MIN,
                                .update_ends = GRT_TIME_NEVER};
    runlist->source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, turn_is_over, gpu, 0);
}

/* Called whenever a further context has been made. The first turn is that of the first in the order. */
void gpu_runlists_create(struct grt_gpu *gpu) {
    if (gpu->runlist_count == 0) {
        bool shared = gpu->device->copy_runlist == GRT_COPY_RUNLIST_SHARED;
        gpu->runlists = grt_arena_array(gpu->options.arena, 1 + MOST_ENGINES, sizeof *gpu->runlists);
        create_runlist(gpu, true, 0, shared ? gpu->engine_count : 0);
        for (uint32_t i = 0; !shared && i < gpu->engine_count; i++) {
            create_runlist(gpu, false, i, i + 1);
        }
    }
    order_all_turns(gpu);
    gpu->ranked |= gpu->contexts[gpu->context_count - 1]->spec.priority != gpu->contexts[0]->spec.priority;
    gpu->held = gpu->ranked; /* nobody is on the runlist yet */
    for (uint32_t i = 0; i < gpu->runlist_count; i++) {
        gpu->runlists[i].position = gpu->turn_count - 1;
    }
}
