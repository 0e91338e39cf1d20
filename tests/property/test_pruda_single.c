/* labels: soak */
/* pruda-single is np-edf and np-fp, to the nanosecond: random worlds with everything that these take, under both; results and traces are
 * the same, but for pruda-single's own rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/pruda/parameters.h"
#include "policies/registry.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

static bool is_of_a_row(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_ROW_SLICE || record->kind == GRT_TRACE_ROW_MARK;
}

/* The next record from `at` on that is of no row. */
static size_t skip_rows(const struct grt_trace_memory *kept, size_t at) {
    while (at < kept->record_count && is_of_a_row(&kept->records[at])) {
        at++;
    }
    return at;
}

/* How many records are the same, one after the other; -1: they differ. */
static int64_t same_records(const struct grt_trace_memory *a, const struct grt_trace_memory *b) {
    int64_t count = 0;
    size_t i = skip_rows(a, 0), j = skip_rows(b, 0);
    for (; i < a->record_count && j < b->record_count; i = skip_rows(a, i + 1), j = skip_rows(b, j + 1)) {
        if (memcmp(&a->records[i], &b->records[j], sizeof *a->records) != 0) {
            return -1;
        }
        count++;
    }
    return i == a->record_count && j == b->record_count ? count : -1;
}

static struct grt_builder *world_of(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    if (number % 3 == 1) {
        grt_random_world_add_calls(builder, number);
    } else if (number % 3 == 2) {
        grt_random_world_add_host(builder, number);
    }
    builder->scenario.ties = (int64_t)(number / 3 % 3);
    return builder;
}

/* How many records are the same under both; -1: not all are. */
static int64_t compare(const struct grt_builder *builder, const char *policy, enum pruda_order order) {
    const struct pruda_parameters parameters = {.order = order};
    struct grt_built_run plain, pruda;
    grt_built_run_start(&plain, &builder->scenario, grt_policy_find(policy), false);
    grt_built_run_start_with(&pruda, &builder->scenario, grt_policy_find("pruda-single"), &parameters, false);
    bool both = plain.result != NULL && pruda.result != NULL;
    int64_t same = both && grt_built_results_equal(plain.result, pruda.result)
                       ? same_records(&plain.kept, &pruda.kept)
                       : -1;
    grt_built_run_free(&plain);
    grt_built_run_free(&pruda);
    return same;
}

static void worlds_are_the_same(const char *policy, enum pruda_order order) {
    int cases = grt_suite_cases(2000, 10000);
    int64_t records = 0, same = 0;
    for (int i = 0; same >= 0 && i < cases; i++) {
        struct grt_builder *builder = world_of((uint64_t)i);
        same = compare(builder, policy, order);
        records += same;
        if (same < 0) {
            fprintf(stderr, "world %d is another one under pruda-single than under %s\n", i, policy);
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(same >= 0);
    CU_ASSERT(records > 100 * cases); /* there is something to compare */
    printf("\n    %s: %d worlds, %" PRId64 " records\n", policy, cases, records);
}

static void np_edf(void) {
    worlds_are_the_same("np-edf", PRUDA_EDF);
}

static void np_fp(void) {
    worlds_are_the_same("np-fp", PRUDA_FP);
}

/* ---- GRUB ---- */

/* Periodic tasks with deadlines at their periods, on one GPU, whose servers have all that they need. */
static struct grt_builder *servable(struct grt_random *random, int64_t most_load) {
    struct grt_builder *builder = grt_builder_create(3000);
    int64_t count = grt_pick(random, 1, 6), load = most_load;
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int64_t i = 0; i < count; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_time offset = grt_pick(random, 0, 60);
        grt_builder_periodic(task, grt_pick(random, 10, 80), offset);
        int64_t most = task->period * load / 100, time = grt_pick(random, 1, most > 1 ? most : 1);
        grt_builder_whole(builder, task, time);
        load -= (100 * time + task->period - 1) / task->period;
        if (load < 10) { /* a task needs 1 ns of 10 */
            break;
        }
    }
    builder->scenario.ties = grt_pick(random, 0, 2);
    return builder;
}

/* Who never asks for more than its bandwidth, and is never late, is served as by its own deadlines. */
static void grub_is_edf_where_nobody_overruns(void) {
    int cases = grt_suite_cases(2000, 20000), on_time = 0;
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "grub is edf", 0, 0);
        struct grt_builder *builder = servable(&random, 95);
        const struct pruda_parameters grub = {.order = PRUDA_GRUB};
        struct grt_built_run by_deadline, by_server;
        grt_built_run_start(&by_deadline, &builder->scenario, grt_policy_find("pruda-single"), false);
        grt_built_run_start_with(&by_server, &builder->scenario, grt_policy_find("pruda-single"), &grub,
                                 false);
        uint64_t missed = 0;
        for (size_t j = 0; j < by_deadline.result->task_count; j++) {
            missed += by_deadline.result->tasks[j].missed;
        }
        if (missed == 0) {
            on_time++;
            good = by_server.result != NULL && same_records(&by_deadline.kept, &by_server.kept) > 0;
        }
        grt_built_run_free(&by_deadline);
        grt_built_run_free(&by_server);
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
    CU_ASSERT(on_time > cases / 4);
    printf("\n    GRUB is EDF in %d sets that are on time, of %d\n", on_time, cases);
}

/* The comparison finds differences: the other order's worlds are others. */
static void the_orders_differ(void) {
    int differing = 0;
    for (int i = 0; i < 100; i++) {
        struct grt_builder *builder = world_of((uint64_t)i);
        differing += compare(builder, "np-fp", PRUDA_EDF) < 0;
        grt_builder_free(builder);
    }
    CU_ASSERT(differing > 30);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"np-edf", np_edf},
        {"np-fp", np_fp},
        {"GRUB is EDF where nobody overruns", grub_is_edf_where_nobody_overruns},
        {"the orders differ", the_orders_differ},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pruda-single against np-edf and np-fp", tests);
}
