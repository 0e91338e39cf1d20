/* GPU segments that a policy has executed in pieces, in any order and in several streams. What a job executes is the same whatever its pieces:
 * a kernel's blocks keep their numbers and draw their times one after the other, a kernel that is described by its time draws it
 * once.
 *
 * How far each command of the current segment has come is kept by command. A command is taken by one submission at a time, and is
 * free again, as far as something is left of it, when that has completed; so each needs one of everything. Each kernel has a piece
 * of its own, because the device tells kernels apart by their address. */
#include "models/demand/demand.h"
#include "models/world/internal.h"
#include "sim/check.h"
#include "sim/hash.h"

/* The kind of the command with whose beginning a segment's wait is over; any other than a kernel and a call means a copy. */
static int64_t begin_kind(const struct grt_gpu_command *commands, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (commands[i].begins) {
            return commands[i].kind;
        }
    }
    return GRT_COMMAND_KERNEL;
}

void job_pieces_create(struct grt_world *world, struct task_run *task) {
    size_t count = task->spec->segment_count, most = 0;
    task->pieces = grt_arena_array(&world->arena, 1, sizeof *task->pieces);
    task->pieces->job = UINT64_MAX;
    task->pieces->steps = grt_arena_array(&world->arena, count, sizeof *task->pieces->steps);
    task->pieces->kernels = grt_arena_array(&world->arena, count, sizeof *task->pieces->kernels);
    task->pieces->begin_kinds = grt_arena_array(&world->arena, count, sizeof *task->pieces->begin_kinds);
    for (size_t i = 0; i < count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        if (segment->kind == GRT_SEGMENT_GPU) {
            struct grt_step *steps = grt_arena_array(&world->arena, segment->command_count, sizeof *steps);
            grt_segment_steps(world->scenario, task->spec, segment, steps);
            task->pieces->steps[i] = steps;
            task->pieces->kernels[i] =
                grt_arena_array(&world->arena, segment->command_count, sizeof **task->pieces->kernels);
            task->pieces->begin_kinds[i] = begin_kind(task->commands[i], segment->command_count);
            most = segment->command_count > most ? segment->command_count : most;
        }
    }
    task->pieces->commands = grt_arena_array(&world->arena, most, sizeof *task->pieces->commands);
}

static uint32_t command_count(const struct task_run *task) {
    return (uint32_t)task->spec->segments[task->view.segment].command_count;
}

/* How far the current segment is; nothing of it has been submitted where it is not the one that was last. */
static struct job_pieces *progress(struct task_run *task) {
    struct job_pieces *pieces = task->pieces;
    if (pieces->job != task->view.number || pieces->segment != task->view.segment) {
        pieces->job = task->view.number;
        pieces->segment = task->view.segment;
        pieces->next = 0;
        pieces->begun = false;
        pieces->left = command_count(task);
        for (uint32_t i = 0; i < pieces->left; i++) {
            pieces->commands[i].taken_by = NO_SUBMISSION;
            pieces->commands[i].whole = false;
            pieces->commands[i].unit = 0;
        }
    }
    return pieces;
}

/* How far the current segment is, without times that are drawn (models/world/repeat.c). */
uint64_t job_piece_state(const struct task_run *task, uint64_t hash) {
    const struct job_pieces *pieces = task->pieces;
    if (pieces->job != task->view.number || pieces->segment != task->view.segment) {
        return grt_hash_add(hash, UINT64_MAX);
    }
    for (uint32_t i = 0; i < command_count(task); i++) {
        const struct command_progress *command = &pieces->commands[i];
        hash = grt_hash_add(hash, (uint64_t)command->unit << 2 | (uint64_t)command->whole << 1 |
                                      (command->taken_by != NO_SUBMISSION));
        if (command->unit > 0) {
            hash = grt_hash_add(grt_hash_add(hash, (uint64_t)command->time), (uint64_t)command->blocks_done);
        }
    }
    return hash;
}

struct grt_step_cursor job_piece_progress(struct grt_world *world, uint32_t number) {
    const struct task_run *task = &world->tasks[number];
    const struct job_pieces *pieces = progress(&world->tasks[number]);
    bool all = pieces->next == command_count(task);
    return (struct grt_step_cursor){.step = pieces->next,
                                    .unit = all ? 0 : pieces->commands[pieces->next].unit};
}

bool job_piece_is_whole(struct grt_world *world, uint32_t number, uint32_t command) {
    const struct job_pieces *pieces = progress(&world->tasks[number]);
    GRT_REQUIRE(command < command_count(&world->tasks[number]), "a policy asks for commands of the segment");
    return pieces->commands[command].whole;
}

/* ---- what fits ---- */

/* Whether a kernel that is described by its time has taken longer than its worst case, without having ended. */
static bool overruns(const struct grt_step *steps, const struct grt_step_cursor *at) {
    return at->unit >= steps[at->step].units;
}

static bool is_free(const struct command_progress *command) {
    return !command->whole && command->taken_by == NO_SUBMISSION;
}

bool job_piece_rest_waits(struct task_run *task) {
    const struct job_pieces *pieces = progress(task);
    for (uint32_t i = 0; pieces->left > 0 && i < command_count(task); i++) {
        if (is_free(&pieces->commands[i])) {
            return true;
        }
    }
    return false;
}

/* How many commands from one on have not been submitted, up to the next that has. */
static size_t end_of_run(const struct task_run *task, size_t from) {
    size_t end = from;
    while (end < command_count(task) && is_free(&task->pieces->commands[end])) {
        end++;
    }
    return end;
}

struct grt_piece job_piece_within(struct grt_world *world, uint32_t number, grt_time budget,
                                  grt_time *takes) {
    struct task_run *task = &world->tasks[number];
    const struct grt_step_cursor from = job_piece_progress(world, number);
    const struct grt_step *steps = task->pieces->steps[task->view.segment];
    struct grt_step_cursor to = from;
    grt_time time;
    if (overruns(steps, &to)) {
        const struct grt_step *step = &steps[to.step];
        int64_t units = budget > step->once ? (budget - step->once) / step->each : 0;
        time = units > 0 ? grt_step_time(step, units) : 0;
        to.unit += units;
    } else {
        time = grt_steps_take(steps, end_of_run(task, from.step), &to, budget);
    }
    if (takes != NULL) {
        *takes = time;
    }
    bool same = to.step == from.step;
    return (struct grt_piece){.commands = (uint32_t)(to.step - from.step),
                              .units = to.unit - (same ? from.unit : 0)};
}

/* ---- pieces of kernels ---- */

static const struct grt_distribution *constant(struct grt_gpu_kernel *kernel, grt_time time) {
    kernel->block_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
    return &kernel->block_time;
}

/* Draws what is drawn once for a kernel, as its first piece is called. */
static void begin_kernel(const struct grt_gpu_command *command, uint64_t key,
                         struct command_progress *progress) {
    const struct grt_gpu_kernel *kernel = command->kernel;
    progress->blocks_done = 0;
    progress->time = kernel->block_time.max;
    if (command->random) {
        progress->times = grt_random_of_key(key);
        progress->time = kernel->same_time ? grt_distribution_draw(&kernel->block_time, &progress->times) : 0;
    }
}

/* Up to `units` ns of a kernel that is described by its time; true if that is all that is left. A kernel takes 1 ns at least. */
static bool cut_time(struct command_progress *progress, int64_t units, struct grt_gpu_kernel *piece) {
    bool all = progress->time <= units;
    constant(piece, all ? progress->time : units);
    progress->time -= all ? progress->time : units;
    return all;
}

/* The same of blocks. */
static bool cut_blocks(struct command_progress *progress, int64_t blocks, bool random,
                       struct grt_gpu_kernel *piece) {
    int64_t left = (int64_t)piece->blocks - progress->blocks_done;
    int64_t count = blocks < left ? blocks : left;
    if (piece->same_time) {
        constant(piece, progress->time);
    } else if (random) {
        progress->from = progress->times;
        piece->times_from = &progress->from;
    }
    piece->first_block = (uint32_t)progress->blocks_done;
    piece->blocks = (uint32_t)count;
    progress->blocks_done += count;
    for (int64_t i = 0; i < count && count < left && piece->times_from != NULL; i++) {
        grt_distribution_draw(&piece->block_time, &progress->times);
    }
    return count == left;
}

/* Makes the call of up to `units` units of a kernel; true if it is wholly submitted then. */
static bool cut_kernel(struct task_run *task, uint32_t number, int64_t units, uint64_t key,
                       struct grt_gpu_command *command) {
    struct command_progress *progress = &task->pieces->commands[number];
    const struct grt_step *step = &task->pieces->steps[task->view.segment][number];
    struct grt_gpu_kernel *piece = &task->pieces->kernels[task->view.segment][number];
    if (progress->unit == 0) {
        begin_kernel(command, key, progress);
    } else {
        command->begins = false;
    }
    *piece = *command->kernel;
    command->kernel = piece;
    if (step->blocks == 0) {
        command->random = false;
        return cut_time(progress, units, piece);
    }
    command->random &= !piece->same_time;
    int64_t blocks = units < INT64_MAX / step->blocks ? units * step->blocks : INT64_MAX;
    return cut_blocks(progress, blocks, command->random, piece);
}

/* ---- what a submission has ---- */

/* Takes the free commands from next_call on that the piece means: `commands` of them, and the one behind, of which it has units. */
void job_piece_take(struct grt_world *world, uint32_t number, struct grt_piece piece) {
    struct submission *submission = &world->submissions[number];
    struct task_run *task = &world->tasks[submission->job];
    struct job_pieces *pieces = progress(task);
    uint32_t count = command_count(task), wanted = piece.commands, first = submission->next_call;
    wanted += piece.units > 0 && wanted < UINT32_MAX;
    submission->uncut = piece.commands == UINT32_MAX;
    submission->rest = (struct grt_piece){0};
    for (submission->end = first; submission->end < count && wanted > 0; submission->end++) {
        struct command_progress *command = &pieces->commands[submission->end];
        if (is_free(command)) {
            command->taken_by = number;
            submission->rest.commands++;
            wanted--;
        }
    }
    GRT_REQUIRE(submission->rest.commands > 0, "a policy submits pieces of which something is left");
    if (submission->rest.commands > piece.commands) { /* the last of them is not meant whole */
        submission->rest.commands--;
        submission->rest.units = piece.units;
    }
    submission->first = first;
}

/* It has completed: what it has not called wholly may be submitted again. */
void job_piece_give_back(struct grt_world *world, uint32_t number) {
    const struct submission *submission = &world->submissions[number];
    struct command_progress *commands = world->tasks[submission->job].pieces->commands;
    for (uint32_t i = submission->first; i < submission->end; i++) {
        if (commands[i].taken_by == number) {
            commands[i].taken_by = NO_SUBMISSION;
        }
    }
}

/* ---- calls ---- */

/* Units of a command that a piece with the whole of it may have: of a kernel of declared time, what is left of that; of one that has
 * used that up, all. */
static int64_t units_of_whole(const struct task_run *task, const struct submission *submission,
                              uint32_t number) {
    const struct grt_step *step = &task->pieces->steps[task->view.segment][number];
    bool by_time = step->blocks == 0; /* or not divisible, to which units mean nothing */
    int64_t left = step->units - task->pieces->commands[number].unit;
    return by_time && left > 0 && !submission->uncut ? left : INT64_MAX;
}

/* Whether a command is of the kind with which the segment begins. */
static bool may_begin(const struct task_run *task, int64_t kind) {
    int64_t begins = task->pieces->begin_kinds[task->view.segment];
    bool call = grt_command_is_call(kind), kernel = kind == GRT_COMMAND_KERNEL;
    return begins == GRT_COMMAND_KERNEL ? kernel : grt_command_is_call(begins) ? call : !call && !kernel;
}

/* A command has been called wholly. */
static void note_whole(struct task_run *task, uint32_t number) {
    struct job_pieces *pieces = task->pieces;
    pieces->commands[number].whole = true;
    pieces->commands[number].unit = 0;
    pieces->left--;
    while (pieces->next < command_count(task) && pieces->commands[pieces->next].whole) {
        pieces->next++;
    }
}

/* Calls up to `units` units of a command; true if nothing is left of it. Sets *waits if the host waits for it. */
static bool call(struct grt_world *world, uint32_t number, uint32_t at, int64_t units, bool last,
                 bool *waits) {
    const struct submission *submission = &world->submissions[number];
    struct task_run *task = &world->tasks[submission->job];
    uint32_t segment = task->view.segment;
    struct grt_gpu_command command = task->commands[segment][at];
    bool divisible = command.kind == GRT_COMMAND_KERNEL && command.kernel->launches == NULL, whole = true;
    uint64_t key = command.random ? task->draws[task->draw_of[segment][at]] : 0;
    command.owner = number;
    command.begins = !task->pieces->begun && may_begin(task, command.kind);
    if (divisible) {
        whole = cut_kernel(task, at, units, key, &command);
    }
    if (whole) {
        note_whole(task, at);
    } else {
        task->pieces->commands[at].unit += units;
    }
    command.last = last || !whole;
    *waits = command.waits && !command.last;
    grt_gpu_submit(world->gpus[task->spec->gpu], world->streams[submission->stream].stream, &command,
                   (uint32_t)task->view.number, key);
    return whole;
}

/* The next command of a submission, from its next_call on. */
static uint32_t next_of(const struct grt_world *world, uint32_t number) {
    const struct submission *submission = &world->submissions[number];
    const struct command_progress *commands = world->tasks[submission->job].pieces->commands;
    uint32_t at = submission->next_call;
    while (commands[at].taken_by != number || commands[at].whole) {
        at++;
    }
    return at;
}

void job_piece_calls(struct grt_world *world, uint32_t number) {
    struct submission *submission = &world->submissions[number];
    const struct task_run *task = &world->tasks[submission->job];
    struct grt_piece *rest = &submission->rest;
    bool whole = true, waits = false;
    while (whole && !waits && (rest->commands > 0 || rest->units > 0)) {
        uint32_t at = next_of(world, number);
        int64_t units = rest->commands > 0 ? units_of_whole(task, submission, at) : rest->units;
        rest->units = rest->commands > 0 ? rest->units : 0;
        rest->commands -= rest->commands > 0;
        submission->next_call = at;
        whole = call(world, number, at, units, rest->commands == 0 && rest->units == 0, &waits);
    }
}
