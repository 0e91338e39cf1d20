/* labels: soak */
/* Random batches under the schedulers on the CPU, on devices with one hardware queue and with many, against a player of calls in queues
 * that shares nothing with them: every job is done at the same nanosecond. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/batch/parameters.h"
#include "policies/registry.h"
#include "tests/support/batch_play.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const char *const names[] = {"cpu-traditional", "cpu-interleave", "cpu-concurrent", "cpu-order"};

static struct grt_played_batch make_batch(struct grt_random *random) {
    struct grt_played_batch batch = {
        .how = (enum grt_played)grt_pick(random, 0, 3),
        .single = grt_pick(random, 0, 1) == 1,
        .copy_engines = (int)grt_pick(random, 1, 2),
        .slots = 16,
        .issue = grt_pick(random, 0, 1) * grt_pick(random, 1, 300),
        .poll = grt_pick(random, 0, 1) * grt_pick(random, 1, 300),
        .count = (int)grt_pick(random, 1, GRT_PLAYED_JOBS),
    };
    for (int i = 0; i < batch.count; i++) {
        bool large = grt_pick(random, 0, 1) == 1;
        batch.jobs[i].in = grt_pick(random, 1, 10000);
        batch.jobs[i].out = grt_pick(random, 1, 10000);
        batch.jobs[i].blocks = (int)(large ? grt_pick(random, 10, 60) : grt_pick(random, 1, 8));
        batch.jobs[i].block = large ? grt_pick(random, 1, 3000) : grt_pick(random, 1, 12000);
    }
    return batch;
}

static struct grt_builder *build(const struct grt_played_batch *batch) {
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(batch->slots));
    device->max_blocks_per_sm = 1;
    device->max_resident_grids = 32;
    device->copy_engines = batch->copy_engines;
    device->hardware_queues = batch->single ? 1 : 32;
    device->queue_model = batch->single ? GRT_QUEUE_MODEL_SINGLE : GRT_QUEUE_MODEL_DYNAMIC;
    device->dependency_check = batch->single;
    for (int i = 0; i < batch->count; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->deadline =
            (i + 1) * GRT_SECOND; /* the first is the most urgent, whatever the average runtimes */
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, batch->jobs[i].in);
        grt_builder_kernel(builder, task, batch->jobs[i].blocks, 32, batch->jobs[i].block);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, batch->jobs[i].out);
    }
    return builder;
}

/* What happened in all cases. */
struct tally {
    uint64_t swapped; /* a job was done before a more urgent one */
    /* the order of two that were ready at the same instant matters, of which the rules say nothing */
    uint64_t either_way;
};

static bool is_done_as(const struct grt_played_batch *batch, const struct grt_built_run *run,
                       const grt_time *done, struct tally *tally) {
    bool same = true, swapped = false;
    for (uint32_t i = 0; i < (uint32_t)batch->count; i++) {
        same &= grt_built_run_finish(run, i, 0) == done[i];
        swapped |= i > 0 && done[i] < done[i - 1];
    }
    tally->swapped += same && swapped;
    return same;
}

static bool is_as_played(struct grt_played_batch *batch, uint64_t number, struct tally *tally) {
    struct grt_builder *builder = build(batch);
    struct batch_parameters given = batch_permissive;
    grt_time done[GRT_PLAYED_JOBS], other[GRT_PLAYED_JOBS];
    struct grt_built_run run;
    given.batch = GRT_PLAYED_JOBS;
    given.issue_time = batch->issue;
    given.poll_interval = batch->poll;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find(names[batch->how]), &given, false);
    grt_batch_play(batch, done);
    bool good = run.result != NULL && is_done_as(batch, &run, done, tally);
    if (!good && run.result != NULL) {
        batch->last_first = true;
        grt_batch_play(batch, other);
        tally->either_way++;
        good = is_done_as(batch, &run, other, tally);
    }
    for (uint32_t i = 0; !good && i < (uint32_t)batch->count; i++) {
        fprintf(stderr, "batch %" PRIu64 " under %s, job %u: %" PRId64 ", not %" PRId64 "\n", number,
                names[batch->how], i, grt_built_run_finish(&run, i, 0), done[i]);
    }
    grt_built_run_end(&run, builder);
    return good;
}

static void batches_are_as_played(void) {
    struct tally tally = {0};
    uint64_t bad = 0, cases = (uint64_t)grt_suite_cases(3000, 100000);
    for (uint64_t i = 0; bad < 5 && i < cases; i++) {
        struct grt_random random = grt_random_stream(i, "batches", 0, 0);
        struct grt_played_batch batch = make_batch(&random);
        bad += !is_as_played(&batch, i, &tally);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(tally.swapped > cases / 20);
    CU_ASSERT(tally.either_way < 3 + cases / 1000);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"batches are as played", batches_are_as_played},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("batches against a player", tests);
}
