/* GPU-TDMh: a reservation server shares the GPU by time division. Every period T it executes one piece of each task that has a job, in
 * a slot of the task's own length, so that no task can disturb another.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017,
 * section 3; how T and the slots are found is in assignment.h. Section numbers of docs/tdm.md.
 * Deviates:
 *   1. A GPU segment may hold copies and several kernels: a slot executes as much of what comes next as fits into it.
 *   2. A task without a job is passed over (packed), or its slot stays empty (table); the paper means the former.
 *   3. A slot that lasts longer than it may is charged to its task, whose next slots are shorter or left out until that is paid back: the
 *      others keep their shares. The paper trusts the declared times.
 * There is a server for every GPU. */
#include "policies/names.h"
#include "policies/tdm/plan.h"
#include "policies/tdm/record.h"
#include "policies/tdm/server.h"

/* ---- start ---- */

/* What a slot must hold so that every unit of the task's segments fits; GRT_TIME_NEVER where one is of unknown length. */
static grt_time longest_unit(const struct grt_world *world, uint32_t number) {
    const struct grt_task *task = &grt_policy_scenario(world)->tasks[number];
    grt_time longest = 0;
    for (uint32_t i = 0; i < task->segment_count; i++) {
        const struct grt_step *steps =
            task->segments[i].kind == GRT_SEGMENT_GPU ? grt_policy_steps(world, number, i) : NULL;
        for (size_t j = 0; steps != NULL && j < task->segments[i].command_count; j++) {
            grt_time unit = grt_step_time(&steps[j], 1);
            longest = unit > longest ? unit : longest;
        }
    }
    return grt_span_sum(longest, task->split_overhead);
}

/* An equal part of the period for each task, and at least what its longest unit takes. */
static void share_equally(const struct grt_world *world, struct tdm_server *server) {
    grt_time offset = 0, part = server->period / (grt_time)server->turn_count;
    for (size_t i = 0; i < server->turn_count; i++) {
        struct tdm_turn *turn = &server->turns[i];
        grt_time least = longest_unit(world, turn->task);
        turn->length = least > part ? least : part;
        turn->offset = offset;
        turn->pieces = INT64_MAX;
        grt_time place = turn->length < server->period ? turn->length : server->period;
        offset = place < GRT_TIME_LIMIT - offset ? offset + place : GRT_TIME_LIMIT;
    }
    server->period = offset > server->period ? offset : server->period;
}

static void take_slots(struct tdm_server *server, const struct tdm_plan *plan) {
    server->period = plan->period;
    for (size_t i = 0; i < server->turn_count; i++) {
        server->turns[i].length = plan->slots[i].length;
        server->turns[i].offset = plan->slots[i].offset;
        server->turns[i].sure = plan->slots[i].count;
        server->turns[i].pieces = plan->pieces[i];
    }
}

static void make_turns(struct tdm *self, struct grt_world *world, struct tdm_server *server,
                       const struct tdm_plan *plan) {
    server->turns = grt_policy_memory(world, server->turn_count, sizeof *server->turns);
    for (size_t i = 0; i < server->turn_count; i++) {
        uint32_t task = plan->tasks[i];
        server->turns[i] = (struct tdm_turn){
            .task = task,
            .last = -1,
            .slot_label = policy_label_of_task(world, task, ""),
            .overrun_label = policy_label_of_task(world, task, "overruns"),
            .owes_label = policy_label_of_task(world, task, "pays back"),
        };
        self->turn_of[task] = &server->turns[i];
        self->server_of[task] = server;
    }
}

static bool start_server(struct tdm *self, struct grt_world *world, uint32_t gpu, const struct tdm_plan *plan,
                         struct grt_errors *errors) {
    struct tdm_server *server = &self->servers[gpu];
    *server = (struct tdm_server){.turn_count = plan->turn_count, .activation = -1};
    server->stream = grt_policy_stream(world, gpu, 0, "tdm");
    server->timer = grt_policy_new_timer(world);
    if (self->given.rule.slots == TDM_SLOTS_PACKED) {
        server->server_row = policy_row_of_gpu(world, "server", gpu); /* a table has no activations */
    }
    server->slot_row = policy_row_of_gpu(world, "slots", gpu);
    make_turns(self, world, server, plan);
    if (plan->feasible) {
        take_slots(server, plan);
        return true;
    }
    if (server->turn_count == 0) {
        return true;
    }
    if (self->given.admit == TDM_ADMIT_FEASIBLE) {
        grt_error_add(errors, NULL,
                      "policy tdm cannot guarantee the deadlines on GPU %u: %s (\"admit\": \"all\" runs the "
                      "tasks all the same)",
                      gpu, plan->reason);
        return false;
    }
    server->period = self->given.rule.period > 0 ? self->given.rule.period : GRT_MILLISECOND;
    share_equally(world, server);
    return true;
}

static bool check_period(const struct tdm *self, struct grt_errors *errors) {
    char reason[TDM_REASON_SIZE];
    bool refused = tdm_period_refusal(&self->given, reason);
    if (refused) {
        grt_error_add(errors, NULL, "%s", reason);
    }
    return !refused;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct tdm *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct tdm_plan *plans = grt_policy_prepared(world);
    self->given = *(const struct tdm_parameters *)grt_policy_parameters(world);
    bool good = check_period(self, errors);
    self->server_count = scenario->gpu_count;
    self->servers = grt_policy_memory(world, scenario->gpu_count, sizeof *self->servers);
    self->turn_of = grt_policy_memory(world, scenario->task_count, sizeof(struct tdm_turn *));
    self->server_of = grt_policy_memory(world, scenario->task_count, sizeof(struct tdm_server *));
    self->activation_label = grt_policy_label(world, "activation");
    if (self->given.rule.slots == TDM_SLOTS_PACKED) {
        self->activations = grt_policy_counter(world, "activations");
    }
    self->slots = grt_policy_counter(world, "slots");
    self->overruns = grt_policy_counter(world, "overruns");
    self->repaid = grt_policy_counter(world, "repaid_slots");
    for (uint32_t i = 0; good && i < scenario->gpu_count; i++) {
        good = start_server(self, world, i, &plans[i], errors);
    }
    return good;
}

/* T, and of each task m, o, the places of the slots, and in how many slots a job is done. */
static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct tdm *self = state;
    bool table = self->given.rule.slots == TDM_SLOTS_TABLE;
    (void)world;
    for (uint32_t i = 0; i < self->server_count; i++) {
        const struct tdm_server *server = &self->servers[i];
        if (server->turn_count > 0) {
            grt_describe_time(out, "server_period", i, GRT_NUMBER_OF_NONE, server->period);
        }
        for (size_t j = 0; j < server->turn_count; j++) {
            const struct tdm_turn *turn = &server->turns[j];
            grt_describe_time(out, "slot_length", i, turn->task, turn->length);
            if (table) {
                grt_describe_time(out, "slot_offset", i, turn->task, turn->offset);
            }
            if (turn->sure > 0) {
                grt_describe_number(out, "slots", i, turn->task, turn->sure);
                grt_describe_number(out, "slots_needed", i, turn->task, turn->pieces);
            }
        }
    }
}

/* ---- hearing of events ---- */

static struct tdm_turn *turn_of(struct tdm *self, const struct grt_world *world, grt_job job) {
    return self->turn_of[grt_policy_job(world, job)->task];
}

static void wait(struct tdm_turn *turn, const struct grt_world *world) {
    turn->waiting = true;
    turn->since = grt_policy_now(world);
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct tdm_turn *turn = turn_of(state, world, job);
    turn->used = 0;
    turn->job = job;
    wait(turn, world);
}

static void overrun(struct tdm *self, struct grt_world *world, const struct tdm_server *server) {
    grt_policy_trace_mark(world, server->slot_row, server->current->overrun_label, server->job);
    grt_policy_count(world, self->overruns);
}

/* The slot is over. What it took longer than it may is charged to the task. */
static void end_slot(struct tdm *self, struct grt_world *world, struct tdm_server *server) {
    struct tdm_turn *turn = server->current;
    grt_time took = grt_policy_now(world) - server->slot_start;
    grt_policy_trace_slice(world, server->slot_row, turn->slot_label, server->job, server->slot_start);
    if (took > turn->length) {
        turn->owes += took - turn->length;
        overrun(self, world, server);
    } else if (turn->used >
               turn->pieces) { /* a kernel of known time that needs more slots than it was declared to */
        overrun(self, world, server);
    }
    server->phase = TDM_PHASE_IDLE;
    server->current = NULL;
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct tdm *self = state;
    struct tdm_turn *turn = turn_of(self, world, job);
    struct tdm_server *server = self->server_of[turn->task];
    turn->waiting = false;
    if (server->current == turn) { /* its slot had begun, its piece had not */
        end_slot(self, world, server);
    }
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct tdm *self = state;
    end_slot(self, world, self->server_of[grt_policy_job(world, job)->task]);
}

static void piece_done(void *state, struct grt_world *world, grt_job job) {
    done(state, world, job);
    wait(turn_of(state, world, job), world);
}

/* ---- slots ---- */

/* What a task may use of its slot: less where it owes. */
static grt_time usable(const struct tdm_turn *turn) {
    return turn->length == GRT_TIME_NEVER ? turn->length : turn->length - turn->owes;
}

static grt_time overhead_of(const struct grt_world *world, const struct tdm_turn *turn) {
    return grt_policy_scenario(world)->tasks[turn->task].split_overhead;
}

/* A piece of what is left of the job, as much as fits; where nothing could ever fit, the next command. */
static struct grt_piece piece_for(struct grt_world *world, const struct tdm_turn *turn, grt_job job) {
    grt_time budget = usable(turn) - overhead_of(world, turn);
    struct grt_piece piece = grt_policy_piece_within(world, job, budget > 0 ? budget : 0, NULL);
    bool never = turn->length == GRT_TIME_NEVER && piece.commands == 0 && piece.units == 0;
    return never ? (struct grt_piece){.commands = 1} : piece;
}

static void submit(struct grt_world *world, struct tdm_server *server) {
    struct tdm_turn *turn = server->current;
    grt_policy_submit_piece(world, server->job, server->stream, piece_for(world, turn, server->job));
    turn->waiting = false;
    turn->owes = 0;
    server->phase = TDM_PHASE_EXECUTES;
}

bool tdm_begin_slot(struct tdm *self, struct grt_world *world, struct tdm_server *server,
                    struct tdm_turn *turn) {
    grt_job job = turn->job;
    struct grt_piece piece = piece_for(world, turn, job);
    if (piece.commands == 0 && piece.units == 0) {
        grt_policy_trace_mark(world, server->slot_row, turn->owes_label, job);
        grt_policy_count(world, self->repaid);
        turn->owes -= turn->length < turn->owes ? turn->length : turn->owes;
        return false;
    }
    server->current = turn;
    server->job = job;
    server->slot_start = grt_policy_now(world);
    server->submits_at = server->slot_start + overhead_of(world, turn);
    server->phase = TDM_PHASE_PREPARES;
    turn->used++;
    grt_policy_count(world, self->slots);
    return true;
}

/* ---- decide ---- */

static void advance(struct tdm *self, struct grt_world *world, struct tdm_server *server) {
    bool table = self->given.rule.slots == TDM_SLOTS_TABLE;
    while (server->phase == TDM_PHASE_IDLE) {
        if (!(table ? tdm_next_of_table(self, world, server) : tdm_next_packed(self, world, server))) {
            return;
        }
    }
    if (server->phase == TDM_PHASE_PREPARES) {
        if (server->submits_at > grt_policy_now(world)) {
            grt_policy_timer(world, server->timer, server->submits_at);
        } else {
            submit(world, server);
        }
    }
}

static void decide(void *state, struct grt_world *world) {
    struct tdm *self = state;
    for (size_t i = 0; i < self->server_count; i++) {
        if (self->servers[i].turn_count > 0) {
            advance(self, world, &self->servers[i]);
        }
    }
}

const struct grt_policy_ops grt_policy_tdm = {
    .name = "tdm",
    .summary = "time division: a piece of every task in each period of a server (GPU-TDMh)",
    .state_size = sizeof(struct tdm),
    .parameters_size = sizeof(struct tdm_parameters),
    .parameters = &tdm_parameters_record,
    .permissive = &tdm_permissive,
    .promise = {.gpu = GRT_PROMISE_SLOTS, .aborts_nothing = true},
    .prepare = tdm_prepare,
    .start = start,
    .describe = describe,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_piece_done = piece_done,
    .gpu_done = done,
    .decide = decide,
};
