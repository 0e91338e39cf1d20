/* labels: soak */
/* Random worlds whose processes are clients of an MPS server: the laws of one context hold for all of them together,
 * percentages hold at every instant, and nothing waits but by a rule. The checks share no code with the simulator. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/gpu_checks.h"
#include "tests/support/job_checks.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

enum { PROCESSES = 3 };

/* What a world has beside MPS. */
enum features {
    PERCENTAGES = 1,
    PRIORITIES = 2, /* of streams; without: all are equal */
    QUEUES = 4,     /* hardware queues are few */
    DEVICE_WIDE = 8 /* priorities count across clients */
};

static void share(struct grt_random *random, struct grt_device *device, int features) {
    device->mps = true;
    device->compute_capability = grt_pick(random, 0, 1) == 0 ? 61 : 80;
    device->mps_rounding = grt_pick(random, 0, 1);
    device->mps_priorities = features & DEVICE_WIDE ? GRT_MPS_PRIORITIES_DEVICE : GRT_MPS_PRIORITIES_CLIENT;
    device->time_slice = device->copy_time_slice = 7;
    device->context_switch = 3;
    if (features & QUEUES) {
        device->hardware_queues = grt_pick(random, 1, 3);
        device->queue_model = grt_pick(random, 0, 2);
        device->queue_order = grt_pick(random, 0, 2);
    }
}

static struct grt_builder *make_world(uint64_t number, int features) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "mps", 0, 0);
    struct grt_process *processes = grt_arena_array(&builder->arena, PROCESSES, sizeof *processes);
    for (int i = 0; i < PROCESSES; i++) {
        processes[i].name = "p";
        bool limited = (features & PERCENTAGES) && grt_pick(&random, 0, 3) > 0;
        processes[i].spec.active_thread_percentage = limited ? grt_pick(&random, 1, 100) : 0;
    }
    builder->scenario.processes = processes;
    builder->scenario.process_count = PROCESSES;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        share(&random, &builder->gpus[i], features);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = grt_pick(&random, 0, PROCESSES - 1);
        builder->tasks[i].stream_priority = features & PRIORITIES ? builder->tasks[i].stream_priority : 0;
    }
    return builder;
}

/* ---- what is resident ---- */

struct world {
    const struct grt_launches *all;
    grt_time end; /* of the run */
};

static const struct grt_device *device_of(const struct world *world, uint32_t gpu) {
    return &world->all->scenario->gpus[gpu];
}

static const struct grt_launch *launch_of(const struct world *world, const struct grt_seen_block *block) {
    return &world->all->launches[block->launch];
}

static bool fail(const struct grt_launch *launch, grt_time now, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u command %u: %s\n", now, launch->task, launch->job,
            launch->command, sentence);
    return false;
}

static bool is_resident(const struct grt_seen_block *block, grt_time now) {
    return block->start <= now && block->end > now;
}

/* Which SMs of a GPU are on TPCs where a process has blocks; returns how many TPCs. */
static int64_t mark_tpcs(const struct world *world, uint32_t gpu, int64_t process, grt_time now,
                         bool *marked) {
    int64_t per_tpc = device_of(world, gpu)->sms_per_tpc, count = 0;
    uint32_t first = world->all->first_sm[gpu], sms = world->all->first_sm[gpu + 1] - first;
    memset(marked, 0, GRT_DEVICE_MAX_SMS * sizeof *marked);
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        const struct grt_launch *launch = launch_of(world, block);
        if (launch->gpu != gpu || launch->process != process || !is_resident(block, now)) {
            continue;
        }
        int64_t tpc = (block->sm - first) / per_tpc;
        count += !marked[tpc * per_tpc];
        for (int64_t sm = tpc * per_tpc; sm < (tpc + 1) * per_tpc && sm < sms; sm++) {
            marked[sm] = true;
        }
    }
    return count;
}

/* The limit, by the text of the rule. */
static int64_t most_tpcs(const struct world *world, uint32_t gpu, int64_t process) {
    const struct grt_device *device = device_of(world, gpu);
    int64_t tpcs = (device->sm_count + device->sms_per_tpc - 1) / device->sms_per_tpc;
    int64_t percentage = world->all->scenario->processes[process].spec.active_thread_percentage;
    if (percentage == 0) {
        return tpcs;
    }
    int64_t hundredths = tpcs * percentage;
    int64_t most = hundredths / 100;
    most += device->mps_rounding == GRT_MPS_ROUNDING_UP && hundredths % 100 > 0;
    return most > 0 ? most : 1;
}

/* Marks the SMs that a kernel may use after what has begun by now. */
static void mark_allowed(const struct world *world, const struct grt_launch *kernel, grt_time now,
                         bool *marked) {
    const struct grt_device *device = device_of(world, kernel->gpu);
    int64_t most = most_tpcs(world, kernel->gpu, kernel->process);
    if (mark_tpcs(world, kernel->gpu, kernel->process, now, marked) < most ||
        most * device->sms_per_tpc >= device->sm_count) {
        for (int64_t sm = 0; sm < device->sm_count; sm++) {
            marked[sm] = true;
        }
    }
}

/* ---- percentages ---- */

/* The number of TPCs is largest where a block starts. */
static bool percentages_hold(const struct world *world) {
    bool marked[GRT_DEVICE_MAX_SMS];
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        const struct grt_launch *launch = launch_of(world, block);
        if (mark_tpcs(world, launch->gpu, launch->process, block->start, marked) >
            most_tpcs(world, launch->gpu, launch->process)) {
            return fail(launch, block->start, "its client is on more TPCs than its percentage allows");
        }
    }
    return true;
}

/* ---- who goes first ---- */

static bool is_kernel(const struct grt_launch *launch) {
    return launch->kind == GRT_COMMAND_KERNEL && !launch->dropped;
}

static bool has_grid(const struct world *world, const struct grt_launch *kernel, grt_time now) {
    int64_t resident = 0;
    for (uint32_t i = 0; i < world->all->launch_count; i++) {
        const struct grt_launch *other = &world->all->launches[i];
        resident += is_kernel(other) && other->gpu == kernel->gpu && other->start <= now && other->end > now;
    }
    return kernel->start <= now || resident < device_of(world, kernel->gpu)->max_resident_grids;
}

static bool waits(const struct grt_launch *kernel, uint32_t gpu, grt_time now) {
    return is_kernel(kernel) && kernel->gpu == gpu && kernel->entered <= now && kernel->left_queue > now;
}

/* X1 and its exception M4: while an older kernel has blocks left, no other starts one where the older one might. */
static bool nobody_is_passed(const struct world *world) {
    bool marked[GRT_DEVICE_MAX_SMS];
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        const struct grt_launch *kernel = launch_of(world, block);
        for (uint32_t j = 0; j < world->all->launch_count; j++) {
            const struct grt_launch *older = &world->all->launches[j];
            if (!waits(older, kernel->gpu, block->start) || older->entered >= kernel->entered ||
                !has_grid(world, older, block->start)) {
                continue;
            }
            mark_allowed(world, older, block->start, marked);
            if (marked[block->sm - world->all->first_sm[kernel->gpu]]) {
                return fail(kernel, block->start, "overtakes an older kernel");
            }
        }
    }
    return true;
}

/* M2: no block starts while a more urgent kernel of its client has blocks left and a grid. */
static bool urgent_ones_go_first(const struct world *world) {
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        const struct grt_launch *kernel = launch_of(world, block);
        for (uint32_t j = 0; j < world->all->launch_count; j++) {
            const struct grt_launch *other = &world->all->launches[j];
            if (waits(other, kernel->gpu, block->start) && other->process == kernel->process &&
                other->level < kernel->level && has_grid(world, other, block->start)) {
                return fail(kernel, block->start, "goes before a more urgent kernel of its client");
            }
        }
    }
    return true;
}

/* Whether a kernel is out of the queue before those that enter at an instant: aborts come first there, dispatch last. */
static bool has_left(const struct grt_launch *kernel, grt_time instant) {
    return kernel->left_queue < instant ||
           (kernel->left_queue == instant && kernel->left_queue == kernel->aborted);
}

/* Puts a kernel into a queue (M2): the kernels of its client are sorted by urgency, those of equal urgency as they entered, and
 * fill the places that the client has, the last one more at the end. */
static uint32_t enter(const struct grt_launch **queue, uint32_t length, const struct grt_launch *kernel) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (!has_left(queue[i], kernel->entered)) {
            queue[kept++] = queue[i];
        }
    }
    queue[kept++] = kernel;
    for (uint32_t i = kept - 1, place = i;
         i-- > 0;) { /* back from the end, from place to place of the client */
        if (queue[i]->process == kernel->process) {
            if (queue[i]->level <= kernel->level) {
                break;
            }
            queue[place] = queue[i];
            queue[i] = kernel;
            place = i;
        }
    }
    return kept;
}

/* The kernel of a GPU that entered next after an instant; `several`: others did together with it. */
static const struct grt_launch *next_entered(const struct world *world, uint32_t gpu, grt_time after,
                                             bool *several) {
    const struct grt_launch *next = NULL;
    for (uint32_t i = 0; i < world->all->launch_count; i++) {
        const struct grt_launch *kernel = &world->all->launches[i];
        if (is_kernel(kernel) && kernel->gpu == gpu && kernel->entered > after &&
            !has_left(kernel, kernel->entered) && (next == NULL || kernel->entered <= next->entered)) {
            *several = next != NULL && kernel->entered == next->entered;
            next = kernel;
        }
    }
    return next;
}

/* Whether those before a kernel in the queue leave it an SM. */
static bool may_use(const struct world *world, const struct grt_launch **queue, uint32_t length,
                    const struct grt_launch *kernel, const struct grt_seen_block *block) {
    bool marked[GRT_DEVICE_MAX_SMS];
    for (uint32_t i = 0; i < length && queue[i] != kernel; i++) {
        if (!waits(queue[i], kernel->gpu, block->start) || !has_grid(world, queue[i], block->start)) {
            continue;
        }
        mark_allowed(world, queue[i], block->start, marked);
        if (marked[block->sm - world->all->first_sm[kernel->gpu]]) {
            return fail(kernel, block->start, "starts a block before one that stands before it");
        }
    }
    return true;
}

/* M2 among all clients: the queue is put together again from when its kernels entered and left it. Kernels that entered
 * together stand in an order that the trace does not tell: then nothing more is checked on this GPU. */
static bool places_are_kept(const struct world *world, uint32_t gpu, uint64_t *checked) {
    const struct grt_launch **queue = grt_allocate((world->all->launch_count + 1) * sizeof *queue);
    bool good = true, several = false;
    uint32_t length = 0;
    for (grt_time after = -1; good;) {
        const struct grt_launch *kernel = next_entered(world, gpu, after, &several);
        if (kernel == NULL || several) {
            break;
        }
        after = kernel->entered;
        length = enter(queue, length, kernel);
        const struct grt_launch *next = next_entered(world, gpu, after, &several);
        grt_time until = next != NULL ? next->entered : GRT_TIME_NEVER;
        for (uint32_t i = 0; good && i < world->all->block_count; i++) {
            const struct grt_seen_block *block = &world->all->blocks[i];
            const struct grt_launch *owner = launch_of(world, block);
            if (owner->gpu == gpu && block->start >= after && block->start < until) {
                good = may_use(world, queue, length, owner, block);
                ++*checked;
            }
        }
    }
    free((void *)queue);
    return good;
}

static bool all_places_are_kept(const struct world *world, uint64_t *checked) {
    bool good = true;
    for (uint32_t gpu = 0; good && gpu < world->all->scenario->gpu_count; gpu++) {
        good = places_are_kept(world, gpu, checked);
    }
    return good;
}

/* ---- nothing waits but by a rule ---- */

/* Whether an SM has room for a block more of a kernel. */
static bool sm_has_room(const struct world *world, const struct grt_launch *kernel, uint32_t row,
                        grt_time now) {
    const struct grt_device *device = device_of(world, kernel->gpu);
    int64_t warps = device->max_threads_per_sm / device->warp_size - kernel->charges.warps;
    int64_t blocks = device->max_blocks_per_sm - 1;
    int64_t registers = device->registers_per_sm - kernel->charges.registers;
    int64_t memory = device->shared_memory_per_sm - kernel->charges.shared_memory;
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        if (block->sm == row && is_resident(block, now)) {
            const struct grt_gpu_kernel *charges = &launch_of(world, block)->charges;
            warps -= charges->warps;
            blocks--;
            registers -= charges->registers;
            memory -= charges->shared_memory;
        }
    }
    return warps >= 0 && blocks >= 0 && registers >= 0 && memory >= 0;
}

/* Whether a kernel could start a block on an SM that it may use and that is not taken; takes those. */
static bool could_start(const struct world *world, const struct grt_launch *kernel, grt_time now,
                        bool *taken) {
    bool marked[GRT_DEVICE_MAX_SMS], could = false;
    mark_allowed(world, kernel, now, marked);
    for (int64_t sm = 0; sm < device_of(world, kernel->gpu)->sm_count; sm++) {
        could = could || (marked[sm] && !taken[sm] &&
                          sm_has_room(world, kernel, world->all->first_sm[kernel->gpu] + (uint32_t)sm, now));
        taken[sm] = taken[sm] || marked[sm];
    }
    return could;
}

/* The waiting kernel that entered first after an instant; NULL if none, or if several did together: their order is
 * not in the trace. */
static const struct grt_launch *next_waiting(const struct world *world, uint32_t gpu, grt_time now,
                                             grt_time after) {
    const struct grt_launch *next = NULL;
    bool several = false;
    for (uint32_t i = 0; i < world->all->launch_count; i++) {
        const struct grt_launch *kernel = &world->all->launches[i];
        if (waits(kernel, gpu, now) && kernel->entered > after) {
            several = next != NULL &&
                      (kernel->entered == next->entered || (several && kernel->entered > next->entered));
            next = next == NULL || kernel->entered <= next->entered ? kernel : next;
        }
    }
    return several ? NULL : next;
}

static bool nothing_waits_at(const struct world *world, uint32_t gpu, grt_time now) {
    bool taken[GRT_DEVICE_MAX_SMS] = {false};
    grt_time after = -1;
    for (;;) {
        const struct grt_launch *kernel = next_waiting(world, gpu, now, after);
        if (kernel == NULL) {
            return true;
        }
        after = kernel->entered;
        if (has_grid(world, kernel, now) && could_start(world, kernel, now, taken)) {
            return fail(kernel, now, "waits for no reason");
        }
    }
}

static bool nothing_waits(const struct world *world) {
    for (uint32_t i = 0; i < world->all->launch_count; i++) {
        const struct grt_launch *launch = &world->all->launches[i];
        const grt_time instants[] = {launch->entered, launch->left_queue, launch->end};
        for (int which = 0; which < 3; which++) {
            if (is_kernel(launch) && instants[which] < world->end &&
                !nothing_waits_at(world, launch->gpu, instants[which])) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < world->all->block_count; i++) {
        const struct grt_seen_block *block = &world->all->blocks[i];
        if (block->end < world->end && !nothing_waits_at(world, launch_of(world, block)->gpu, block->end)) {
            return false;
        }
    }
    return true;
}

/* ---- worlds ---- */

/* What can be checked where hardware queues hide when kernels enter the engines' queues, and what cannot. */
static bool order_is_right(const struct world *world, const struct grt_built_run *run, int features,
                           uint64_t *checked) {
    bool one_order = (features & DEVICE_WIDE) || !(features & PRIORITIES);
    if (features & QUEUES) {
        return true;
    }
    if (!(features & PERCENTAGES) && one_order) {
        return grt_gpu_checks_pass_rules(world->all, run);
    }
    if (features & PRIORITIES) {
        return (features & DEVICE_WIDE) ||
               (urgent_ones_go_first(world) && all_places_are_kept(world, checked));
    }
    return nobody_is_passed(world) && nothing_waits(world);
}

static bool trace_is_right(const struct grt_scenario *scenario, const struct grt_built_run *run, int features,
                           uint64_t *checked) {
    struct grt_launches all;
    bool good = grt_launches_read(&all, scenario, run) && grt_gpu_checks_pass(&all, run) &&
                grt_job_checks_pass(scenario, run);
    struct world world = {&all, good ? run->result->end : 0};
    good = good && percentages_hold(&world) && order_is_right(&world, run, features, checked) &&
           grt_built_run_count(run, GRT_TRACE_CONTEXT) == 0;
    grt_launches_free(&all);
    return good;
}

/* The same with and without cohorts, and lawful. Some worlds are refused: streams of one name and two priorities. */
static bool world_is_right(uint64_t number, int features, uint64_t *checked) {
    struct grt_builder *builder = make_world(number, features);
    struct grt_built_run runs[2];
    for (int i = 0; i < 2; i++) {
        grt_built_run_start(&runs[i], &builder->scenario, grt_policy_find("hardware"), i == 1);
    }
    bool refused = runs[0].result == NULL;
    bool good = refused ? runs[1].result == NULL
                        : grt_built_traces_equal(&runs[0], &runs[1]) &&
                              grt_built_results_equal(runs[0].result, runs[1].result) &&
                              trace_is_right(&builder->scenario, &runs[0], features, checked);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 ", features %d\n", number, features);
    }
    grt_built_run_free(&runs[0]);
    grt_built_run_free(&runs[1]);
    grt_builder_free(builder);
    return good;
}

static void laws_hold_for_clients(void) {
    int cases = grt_suite_cases(100, 2000);
    bool good = true;
    uint64_t checked = 0;
    for (int features = 0; features < 16; features++) {
        for (int i = 0; good && i < cases; i++) {
            good = world_is_right(11000000 + (uint64_t)(i * 16 + features), features, &checked);
        }
    }
    CU_ASSERT(good);
    CU_ASSERT(checked > 10 * (uint64_t)cases); /* blocks in queues whose order is known */
}

/* ---- nothing is forgotten ---- */

/* A few jobs early in a long run: all come to an end, whatever waits for whom. */
static bool everything_ends(uint64_t number) {
    struct grt_builder *builder = make_world(number, (int)(number % 16));
    builder->scenario.horizon = 1000000;
    return grt_random_world_ends(builder, number);
}

static void nothing_is_forgotten(void) {
    int cases = grt_suite_cases(1000, 20000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = everything_ends(12000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

/* ---- one client ---- */

/* Where there is one client, its priorities count as they do without a server. */
static void one_client_is_as_without_mps(void) {
    bool good = true;
    for (int i = 0, cases = grt_suite_cases(300, 5000); good && i < cases; i++) {
        struct grt_builder *builder = grt_random_world((uint64_t)i);
        struct grt_built_run runs[2];
        for (int mps = 0; mps < 2; mps++) {
            for (size_t gpu = 0; gpu < builder->scenario.gpu_count; gpu++) {
                builder->gpus[gpu].mps = mps == 1;
                builder->gpus[gpu].hardware_queues = i % 4;
                builder->gpus[gpu].queue_model = i / 4 % 3;
            }
            grt_built_run_start(&runs[mps], &builder->scenario, grt_policy_find("hardware"), false);
        }
        good = runs[0].world != NULL && runs[1].world != NULL && grt_built_traces_equal(&runs[0], &runs[1]) &&
               grt_built_results_equal(runs[0].result, runs[1].result);
        if (!good) {
            fprintf(stderr, "one client: world %d\n", i);
        }
        grt_built_run_free(&runs[0]);
        grt_built_run_free(&runs[1]);
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"laws hold for clients", laws_hold_for_clients},
        {"nothing is forgotten", nothing_is_forgotten},
        {"one client is as without MPS", one_client_is_as_without_mps},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("random clients of an MPS server", tests);
}
