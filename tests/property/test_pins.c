/* labels: soak */
/* Pinned kernels (W8) in random worlds: against a second reading of the rule, which plays small worlds out block by block and shares
 * nothing with the simulator; and that worlds of every kind are lawful and the same with and without cohorts. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* ---- the second reading ----
 *
 * Kernels of one process, each job's one after the other, all of one priority; SMs with threads and block slots; a queue of which
 * only the first hands out blocks, each to the SM with most room, of equals the first. */

enum { MOST_SMS = 4, MOST_TASKS = 5, MOST_KERNELS = 2, MOST_SLICES = 4096, WARPS = 64 };

struct slice {
    grt_time start, end;
    uint32_t task, block, sm, flags;
};

struct kernel {
    int blocks, warps, items, begun, running;
    grt_time item, exit;
    unsigned sms; /* a bit each; 0: not pinned */
};

struct task {
    grt_time release;
    struct kernel kernels[MOST_KERNELS];
    int count, next;
};

/* A block on its SM. */
struct worker {
    struct slice slice;
    struct kernel *kernel;
    bool works;
    int since; /* order of its present start among all */
};

struct player {
    int sm_count, slots, task_count;
    struct task tasks[MOST_TASKS];
    struct task *queue[MOST_TASKS];
    int waiting;
    struct worker workers[MOST_SMS * WARPS];
    int worker_count, starts;
    struct slice slices[MOST_SLICES];
    size_t slice_count;
    uint64_t lost;
};

static int room_on(const struct player *player, const struct kernel *kernel, uint32_t sm) {
    int warps = WARPS, slots = player->slots;
    assert(kernel->warps > 0);
    for (int i = 0; i < player->worker_count; i++) {
        if (player->workers[i].slice.sm == sm) {
            warps -= player->workers[i].kernel->warps;
            slots--;
        }
    }
    return warps / kernel->warps < slots ? warps / kernel->warps : slots;
}

static void write_slice(struct player *player, const struct slice *slice, uint32_t flags) {
    if (player->slice_count < MOST_SLICES) {
        player->slices[player->slice_count] = *slice;
        player->slices[player->slice_count++].flags = flags;
    }
}

/* What a block does from now on. */
static void begin(struct player *player, struct worker *worker, grt_time now) {
    struct kernel *kernel = worker->kernel;
    bool pinned = kernel->sms != 0, right = kernel->sms >> worker->slice.sm & 1;
    worker->works = !pinned || (right && kernel->items > 0);
    kernel->items -= pinned && worker->works;
    worker->slice.start = now;
    worker->slice.end = now + (worker->works ? kernel->item : kernel->exit);
    worker->since = player->starts++;
}

/* The first block of the queue's first kernel; false if it finds no room. */
static bool place_one(struct player *player, grt_time now) {
    struct task *task = player->queue[0];
    struct kernel *kernel = &task->kernels[task->next];
    int most = 0;
    uint32_t best = 0;
    for (uint32_t sm = 0; sm < (uint32_t)player->sm_count; sm++) {
        int room = room_on(player, kernel, sm);
        best = room > most ? sm : best;
        most = room > most ? room : most;
    }
    if (most == 0) {
        return false;
    }
    struct worker *worker = &player->workers[player->worker_count++];
    *worker = (struct worker){
        .slice = {.task = (uint32_t)(task - player->tasks), .block = (uint32_t)kernel->begun, .sm = best},
        .kernel = kernel};
    kernel->begun++;
    kernel->running++;
    begin(player, worker, now);
    if (kernel->begun == kernel->blocks) {
        memmove(player->queue, player->queue + 1, sizeof player->queue - sizeof player->queue[0]);
        player->waiting--;
    }
    return true;
}

static void enqueue(struct player *player, struct task *task) {
    player->queue[player->waiting++] = task;
}

/* A block is done with what it began. */
static void end(struct player *player, int number, grt_time now) {
    struct worker worker = player->workers[number];
    struct kernel *kernel = worker.kernel;
    if (kernel->sms != 0 && worker.works && kernel->items > 0) {
        write_slice(player, &worker.slice, GRT_TRACE_GOES_ON);
        begin(player, &player->workers[number], now);
        return;
    }
    write_slice(player, &worker.slice, worker.works ? 0 : GRT_TRACE_EXITED);
    player->workers[number] = player->workers[--player->worker_count];
    kernel->running--;
    if (kernel->running == 0 && kernel->begun == kernel->blocks) {
        struct task *task = &player->tasks[worker.slice.task];
        player->lost += kernel->sms != 0 ? (uint64_t)kernel->items : 0;
        if (++task->next < task->count) {
            enqueue(player, task);
        }
    }
}

/* The block that ends at an instant and began first; -1: none. */
static int next_to_end(const struct player *player, grt_time now) {
    int next = -1;
    for (int i = 0; i < player->worker_count; i++) {
        bool ends = player->workers[i].slice.end == now;
        next = ends && (next < 0 || player->workers[i].since < player->workers[next].since) ? i : next;
    }
    return next;
}

static void play(struct player *player, grt_time until) {
    for (grt_time now = 0; now < until; now++) {
        for (int number; (number = next_to_end(player, now)) >= 0;) {
            end(player, number, now);
        }
        for (int i = 0; i < player->task_count; i++) {
            if (player->tasks[i].release == now) {
                enqueue(player, &player->tasks[i]);
            }
        }
        while (player->waiting > 0 && place_one(player, now)) {
        }
    }
}

/* ---- worlds for it ---- */

enum { UNTIL = 4000 };

static void add_kernel(struct grt_random *random, struct grt_builder *builder, struct grt_task *to,
                       const struct player *player, struct kernel *kernel) {
    static const int64_t lists[1 << MOST_SMS][MOST_SMS] = {
        [1] = {0},        [2] = {1},       [3] = {0, 1},     [4] = {2},        [5] = {0, 2},
        [6] = {1, 2},     [7] = {0, 1, 2}, [8] = {3},        [9] = {0, 3},     [10] = {1, 3},
        [11] = {0, 1, 3}, [12] = {2, 3},   [13] = {0, 2, 3}, [14] = {1, 2, 3}, [15] = {0, 1, 2, 3}};
    static const int64_t sizes[] = {32, 100, 256, 512, 1024};
    bool pinned = grt_pick(random, 0, 3) > 0;
    unsigned sms = pinned ? (unsigned)grt_pick(random, 1, (1 << player->sm_count) - 1) : 0;
    int64_t time = grt_pick(random, 1, 30), threads = sizes[grt_pick(random, 0, 4)];
    struct grt_kernel *spec = grt_builder_kernel(builder, to, grt_pick(random, 1, 30), threads, time);
    spec->sms = (struct grt_number_list){lists[sms], (size_t)__builtin_popcount(sms)};
    spec->items = grt_pick(random, 0, 20);
    spec->exit_time = grt_pick(random, 0, 5);
    *kernel = (struct kernel){
        .blocks = (int)spec->blocks,
        .warps = (int)(spec->needs.threads + 31) / 32,
        .items = (int)(spec->items > 0 ? spec->items : spec->blocks),
        .item = spec->block_time.max,
        .exit = spec->exit_time > 0 ? spec->exit_time : 1,
        .sms = sms,
    };
}

static struct grt_builder *make_world(uint64_t number, struct player *player) {
    struct grt_random random = grt_random_stream(number, "pins", 0, 0);
    struct grt_builder *builder = grt_builder_create(UNTIL);
    *player = (struct player){.sm_count = (int)grt_pick(&random, 1, MOST_SMS),
                              .slots = (int)grt_pick(&random, 1, 8),
                              .task_count = (int)grt_pick(&random, 1, MOST_TASKS)};
    grt_builder_gpu(builder, grt_built_device(player->sm_count))->max_blocks_per_sm = player->slots;
    for (int i = 0; i < player->task_count; i++) {
        struct task *task = &player->tasks[i];
        struct grt_task *to = grt_builder_task(builder, "t");
        task->release = grt_pick(&random, 0, 60);
        task->count = (int)grt_pick(&random, 1, MOST_KERNELS);
        grt_builder_at(builder, to, task->release);
        for (int j = 0; j < task->count; j++) {
            add_kernel(&random, builder, to, player, &task->kernels[j]);
        }
    }
    return builder;
}

/* ---- comparing ---- */

static int compare(const void *left, const void *right) {
    return memcmp(left, right, sizeof(struct slice));
}

static size_t slices_of(const struct grt_trace_memory *kept, struct slice *slices) {
    size_t count = 0;
    for (size_t i = 0; i < kept->record_count && count < MOST_SLICES; i++) {
        const struct grt_trace_record *record = &kept->records[i];
        if (record->kind == GRT_TRACE_BLOCK) {
            slices[count++] = (struct slice){.start = record->other,
                                             .end = record->time,
                                             .task = record->task,
                                             .block = record->detail,
                                             .sm = record->row,
                                             .flags = record->flags};
        }
    }
    return count;
}

static uint64_t told_lost(const struct grt_trace_memory *kept) {
    uint64_t lost = 0;
    for (size_t i = 0; i < kept->record_count; i++) {
        lost += kept->records[i].kind == GRT_TRACE_LOST_ITEMS ? (uint64_t)kept->records[i].other : 0;
    }
    return lost;
}

struct tally {
    int lost, exited, looped;
};

static bool plays_alike(uint64_t number, struct tally *tally) {
    static struct player player;
    static struct slice slices[MOST_SLICES];
    struct grt_builder *builder = make_world(number, &player);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "hardware");
    play(&player, UNTIL);
    size_t count = slices_of(&run.kept, slices);
    qsort(slices, count, sizeof *slices, compare);
    qsort(player.slices, player.slice_count, sizeof *slices, compare);
    bool good = count == player.slice_count && memcmp(slices, player.slices, count * sizeof *slices) == 0 &&
                run.result->gpus[0].lost_items == player.lost && told_lost(&run.kept) == player.lost &&
                player.worker_count == 0;
    if (!good) {
        fprintf(stderr,
                "world %" PRIu64 ": %zu slices, %zu played; %" PRIu64 " items lost, %" PRIu64 " played\n",
                number, count, player.slice_count, run.result->gpus[0].lost_items, player.lost);
    }
    tally->lost += player.lost > 0;
    for (size_t i = 0; i < count; i++) {
        tally->exited += (slices[i].flags & GRT_TRACE_EXITED) != 0;
        tally->looped += (slices[i].flags & GRT_TRACE_GOES_ON) != 0;
    }
    grt_built_run_end(&run, builder);
    return good;
}

static void as_the_second_reading_says(void) {
    int cases = grt_suite_cases(600, 100000);
    struct tally tally = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = plays_alike(15000000 + (uint64_t)i, &tally);
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.lost > cases / 50 && tally.exited > cases && tally.looped > cases);
}

/* ---- worlds of all kinds ---- */

static bool is_lawful(const struct grt_builder *builder, const struct grt_policy_ops *policy) {
    struct grt_audited_run audited;
    struct grt_built_run alone;
    grt_audited_run_start(&audited, &builder->scenario, policy, policy->permissive);
    grt_built_run_start_with(&alone, &builder->scenario, policy, policy->permissive, true);
    const struct grt_trace_memory *kept = &audited.run.kept;
    bool good = (audited.run.result == NULL) == (alone.result == NULL);
    if (good && alone.result != NULL) {
        good = grt_built_traces_equal(&audited.run, &alone) &&
               grt_built_results_equal(audited.run.result, alone.result) &&
               grt_audit_records(&builder->scenario, &audited.promise, kept->records, kept->record_count,
                                 NULL, false) == 0;
    }
    grt_built_run_free(&alone);
    grt_audited_run_free(&audited);
    return good;
}

/* Under every policy that does not cut kernels into pieces. */
static void lawful_under_every_policy(void) {
    int cases = grt_suite_cases(100, 5000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct grt_builder *builder = grt_random_world(16000000 + (uint64_t)i);
        grt_random_world_pin(builder, 16000000 + (uint64_t)i);
        for (const struct grt_policy_ops *const *policy = grt_policies; good && *policy != NULL; policy++) {
            good = (*policy)->gpu_piece_done != NULL || is_lawful(builder, *policy);
            if (!good) {
                fprintf(stderr, "world %d under %s\n", 16000000 + i, (*policy)->name);
            }
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

static void lawful_with_processes_and_contention(void) {
    int cases = grt_suite_cases(300, 20000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct grt_builder *builder = grt_audited_world(17000000 + (uint64_t)i, GRT_AUDITED_PINNED);
        good = is_lawful(builder, grt_policy_find("hardware"));
        if (!good) {
            fprintf(stderr, "world %d\n", 17000000 + i);
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"as the second reading says", as_the_second_reading_says},
        {"lawful under every policy", lawful_under_every_policy},
        {"lawful with processes and contention", lawful_with_processes_and_contention},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pinned kernels in random worlds", tests);
}
