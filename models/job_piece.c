/* GPU segments that a policy has executed in pieces. What a job executes is the same whatever its pieces: a kernel's blocks keep their
 * numbers and draw their times one after the other, a kernel that is described by its time draws it once.
 *
 * A piece is submitted only when the one before it has completed, so each task needs one of everything. Each kernel has a piece of
 * its own, because the device tells kernels apart by their address. */
#include "models/demand.h"
#include "models/world_internal.h"
#include "sim/check.h"
#include "sim/hash.h"

void job_pieces_create(struct grt_world *world, struct task_run *task) {
    size_t count = task->spec->segment_count;
    task->pieces = grt_arena_array(&world->arena, 1, sizeof *task->pieces);
    task->pieces->job = UINT64_MAX;
    task->pieces->steps = grt_arena_array(&world->arena, count, sizeof *task->pieces->steps);
    task->pieces->kernels = grt_arena_array(&world->arena, count, sizeof *task->pieces->kernels);
    for (size_t i = 0; i < count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        if (segment->kind == GRT_SEGMENT_GPU) {
            struct grt_step *steps = grt_arena_array(&world->arena, segment->command_count, sizeof *steps);
            grt_segment_steps(world->scenario, task->spec, segment, steps);
            task->pieces->steps[i] = steps;
            task->pieces->kernels[i] =
                grt_arena_array(&world->arena, segment->command_count, sizeof **task->pieces->kernels);
        }
    }
}

static size_t command_count(const struct task_run *task) {
    return task->spec->segments[task->view.segment].command_count;
}

/* How far the current segment is; nothing of it has been submitted where it is not the one that was last. */
static struct job_pieces *progress(struct task_run *task) {
    struct job_pieces *pieces = task->pieces;
    if (pieces->job != task->view.number || pieces->segment != task->view.segment) {
        pieces->job = task->view.number;
        pieces->segment = task->view.segment;
        pieces->at = (struct grt_step_cursor){0};
        task->next_draw = task->first_draw[task->view.segment];
    }
    return pieces;
}

bool job_piece_was_last(const struct task_run *task) {
    return task->pieces->at.step == command_count(task);
}

/* How far the current segment is, without times that are drawn (models/repeat.c). */
uint64_t job_piece_state(const struct task_run *task, uint64_t hash) {
    const struct job_pieces *pieces = task->pieces;
    if (pieces->job != task->view.number || pieces->segment != task->view.segment) {
        return grt_hash_add(hash, UINT64_MAX);
    }
    hash = grt_hash_add(grt_hash_add(hash, pieces->at.step), (uint64_t)pieces->at.unit);
    if (pieces->at.unit > 0) {
        hash = grt_hash_add(grt_hash_add(hash, (uint64_t)pieces->time), (uint64_t)pieces->blocks_done);
    }
    return grt_hash_add(grt_hash_add(hash, pieces->submitted.commands), (uint64_t)pieces->submitted.units);
}

struct grt_step_cursor job_piece_progress(struct grt_world *world, uint32_t number) {
    return progress(&world->tasks[number])->at;
}

/* ---- what fits ---- */

/* Whether a kernel that is described by its time has taken longer than its worst case, without having ended. */
static bool overruns(const struct grt_step *steps, const struct grt_step_cursor *at) {
    return at->unit >= steps[at->step].units;
}

struct grt_piece job_piece_within(struct grt_world *world, uint32_t number, grt_time budget,
                                  grt_time *takes) {
    struct task_run *task = &world->tasks[number];
    const struct job_pieces *pieces = progress(task);
    const struct grt_step *steps = pieces->steps[task->view.segment];
    struct grt_step_cursor to = pieces->at;
    grt_time time;
    if (overruns(steps, &to)) {
        const struct grt_step *step = &steps[to.step];
        int64_t units = budget > step->once ? (budget - step->once) / step->each : 0;
        time = units > 0 ? grt_step_time(step, units) : 0;
        to.unit += units;
    } else {
        time = grt_steps_take(steps, command_count(task), &to, budget);
    }
    if (takes != NULL) {
        *takes = time;
    }
    bool same = to.step == pieces->at.step;
    return (struct grt_piece){.commands = (uint32_t)(to.step - pieces->at.step),
                              .units = to.unit - (same ? pieces->at.unit : 0)};
}

/* ---- pieces of kernels ---- */

static const struct grt_distribution *constant(struct grt_gpu_kernel *kernel, grt_time time) {
    kernel->block_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
    return &kernel->block_time;
}

/* Draws what is drawn once for a kernel, as its first piece is called. */
static void begin_kernel(struct task_run *task, const struct grt_gpu_command *command) {
    struct job_pieces *pieces = task->pieces;
    const struct grt_gpu_kernel *kernel = command->kernel;
    pieces->blocks_done = 0;
    pieces->time = kernel->block_time.max;
    if (command->random) {
        pieces->times = grt_random_of_key(task->draws[task->next_draw++]);
        pieces->time = kernel->same_time ? grt_distribution_draw(&kernel->block_time, &pieces->times) : 0;
    }
}

/* Up to `units` ns of a kernel that is described by its time; true if that is all that is left. A kernel takes 1 ns at least. */
static bool cut_time(struct job_pieces *pieces, int64_t units, struct grt_gpu_kernel *piece) {
    bool all = pieces->time <= units;
    constant(piece, all ? pieces->time : units);
    pieces->time -= all ? pieces->time : units;
    return all;
}

/* The same of blocks. */
static bool cut_blocks(struct job_pieces *pieces, int64_t blocks, bool random, struct grt_gpu_kernel *piece) {
    int64_t left = (int64_t)piece->blocks - pieces->blocks_done;
    int64_t count = blocks < left ? blocks : left;
    if (piece->same_time) {
        constant(piece, pieces->time);
    } else if (random) {
        pieces->from = pieces->times;
        piece->times_from = &pieces->from;
    }
    piece->first_block = (uint32_t)pieces->blocks_done;
    piece->blocks = (uint32_t)count;
    pieces->blocks_done += count;
    for (int64_t i = 0; i < count && count < left && piece->times_from != NULL; i++) {
        grt_distribution_draw(&piece->block_time, &pieces->times);
    }
    return count == left;
}

/* Makes the call of up to `units` units of the kernel that comes next; true if it is wholly submitted then. */
static bool cut_kernel(struct task_run *task, int64_t units, struct grt_gpu_command *command) {
    struct job_pieces *pieces = task->pieces;
    uint32_t segment = task->view.segment;
    const struct grt_step *step = &pieces->steps[segment][pieces->at.step];
    struct grt_gpu_kernel *piece = &pieces->kernels[segment][pieces->at.step];
    if (pieces->at.unit == 0) {
        begin_kernel(task, command);
    } else {
        command->begins = false;
    }
    *piece = *command->kernel;
    command->kernel = piece;
    if (step->blocks == 0) {
        command->random = false;
        return cut_time(pieces, units, piece);
    }
    command->random &= !piece->same_time;
    int64_t blocks = units < INT64_MAX / step->blocks ? units * step->blocks : INT64_MAX;
    return cut_blocks(pieces, blocks, command->random, piece);
}

/* ---- calls ---- */

/* Everything that is left, however long it takes. */
static const uint32_t everything = UINT32_MAX;

/* Units of the next command that a piece with the whole of it may have: of a kernel of declared time, what is left of that; of one that has
 * used that up, all. */
static int64_t units_of_whole(const struct task_run *task, const struct grt_piece *piece) {
    const struct job_pieces *pieces = task->pieces;
    const struct grt_step *step = &pieces->steps[task->view.segment][pieces->at.step];
    bool by_time = step->blocks == 0; /* or not divisible, to which units mean nothing */
    int64_t left = step->units - pieces->at.unit;
    return by_time && left > 0 && piece->commands != everything ? left : INT64_MAX;
}

/* What a call came to. */
struct called {
    bool whole; /* nothing is left of the command */
    bool waits; /* the host waits for it */
};

/* Calls up to `units` units of the next command, and moves on. It ends the piece if it is the last of it, or not wholly called. */
static struct called call(struct grt_world *world, struct task_run *task, int64_t units, bool last) {
    struct job_pieces *pieces = task->pieces;
    uint32_t segment = task->view.segment;
    struct grt_gpu_command command = task->commands[segment][pieces->at.step];
    bool divisible = command.kind == GRT_COMMAND_KERNEL && command.kernel->launches == NULL, whole = true;
    uint64_t key = 0;
    if (divisible) {
        whole = cut_kernel(task, units, &command);
    } else if (command.random) {
        key = task->draws[task->next_draw++];
    }
    pieces->at.unit = whole ? 0 : pieces->at.unit + units;
    pieces->at.step += whole;
    command.last = last || !whole;
    grt_gpu_submit(world->gpus[task->spec->gpu], world->streams[task->stream].stream, &command,
                   (uint32_t)task->view.number, key);
    return (struct called){.whole = whole, .waits = command.waits && !command.last};
}

void job_piece_calls(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    struct grt_piece *piece = &task->pieces->submitted;
    struct called called = {.whole = true};
    while (called.whole && !called.waits && piece->commands > 0 && !job_piece_was_last(task)) {
        int64_t units = units_of_whole(task, piece);
        piece->commands -= piece->commands != everything;
        bool last =
            task->pieces->at.step + 1 == command_count(task) || (piece->commands == 0 && piece->units == 0);
        called = call(world, task, units, last);
    }
    if (called.whole && !called.waits && piece->units > 0 && !job_piece_was_last(task)) {
        int64_t units = piece->units;
        piece->units = 0;
        call(world, task, units, true);
    }
}

void job_piece_submit(struct grt_world *world, uint32_t number, uint32_t stream, struct grt_piece piece) {
    struct task_run *task = &world->tasks[number];
    GRT_REQUIRE(stream < world->stream_count && world->streams[stream].gpu == (uint32_t)task->spec->gpu,
                "a policy submits a piece to a stream of the job's own GPU");
    GRT_REQUIRE(piece.units >= 0 && (piece.commands > 0 || piece.units > 0),
                "a policy submits pieces that are not empty");
    progress(task)->submitted = piece;
    task->state = JOB_SUBMITTED;
    task->stream = stream;
    blocking_submitted(world, number);
    job_piece_calls(world, number);
}
