/* labels: soak */
/* pruda-sm in random worlds: parts beside each other, but not two jobs in one, nor anybody beside a job that needs the whole GPU and is not one of
 * two; the auditor finds nothing. Every item of work finds a
 * block, if only one part is in use and blocks go to where there is most room; beside other parts' visitors some are lost, now and then. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/pruda/parameters.h"
#include "policies/pruda/pin.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { MOST_TASKS = 8 };

struct case_of_pins {
    struct grt_builder *builder;
    struct pruda_parameters parameters;
    struct pruda_pin_fields pins[MOST_TASKS];
    int64_t part[MOST_TASKS]; /* -1: the whole GPU */
};

static const char *const names[MOST_TASKS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void add_task(struct case_of_pins *it, struct grt_random *random, int64_t number, int64_t width,
                     int64_t parts) {
    struct grt_task *task = grt_builder_task(it->builder, names[number]);
    grt_time offset = grt_pick(random, 0, 60);
    grt_builder_periodic(task, grt_pick(random, 50, 400), offset);
    task->priority = grt_pick(random, 0, 5);
    for (int64_t i = grt_pick(random, 1, 2); i > 0; i--) {
        int64_t time = grt_pick(random, 1, 20), threads = 256 * grt_pick(random, 1, 4);
        struct grt_kernel *kernel =
            grt_builder_kernel(it->builder, task, grt_pick(random, 1, 12), threads, time);
        if (grt_pick(random, 0, 1) == 1) {
            kernel->block_time.kind = GRT_UNIFORM;
            kernel->block_time.min = 1;
        }
    }
    if (grt_pick(random, 0, 2) == 0) {
        grt_builder_copy(it->builder, task, GRT_COMMAND_D2H, grt_pick(random, 1, 30));
    }
    it->part[number] = grt_pick(random, 0, 4) == 0 ? -1 : grt_pick(random, 0, parts - 1);
    if (it->part[number] >= 0) {
        struct pruda_pin_fields *pins = it->parameters.pins.items;
        pins[it->parameters.pins.count++] =
            (struct pruda_pin_fields){names[number], it->part[number] * width, width};
    }
}

static void start_case(struct case_of_pins *it, int number) {
    struct grt_random random = grt_random_stream((uint64_t)number, "pruda-sm", 0, 0);
    int64_t sms = grt_pick(&random, 1, 9), width = grt_pick(&random, 1, sms),
            count = grt_pick(&random, 1, MOST_TASKS);
    *it = (struct case_of_pins){.builder = grt_builder_create(2000)};
    it->parameters = (struct pruda_parameters){.order = grt_pick(&random, 0, 1),
                                               .co_run = grt_pick(&random, 0, 1),
                                               .pins = {it->pins, 0},
                                               .exit_time = grt_pick(&random, 1, 3)};
    struct grt_device *device = grt_builder_gpu(it->builder, grt_built_device(sms));
    device->kernel_launch = grt_pick(&random, 0, 3);
    it->builder->scenario.ties = grt_pick(&random, 0, 2);
    it->builder->scenario.seed = (uint64_t)number;
    for (int64_t i = 0; i < count; i++) {
        add_task(it, &random, i, width, sms / width);
    }
}

/* The jobs on the GPU, by their tasks' parts. */
struct places {
    int64_t in_part[MOST_TASKS + 1], whole, pinned;
};

static bool are_allowed(const struct places *places) {
    for (int i = 0; i <= MOST_TASKS; i++) {
        if (places->in_part[i] > 1) {
            return false;
        }
    }
    return places->whole == 0 || (places->whole <= 2 && places->pinned == 0);
}

/* Kernels and copies lie within the time of their job's submission; those of the same job follow each other, so that it is enough to look at what
 * begins, against all that last. */
static bool keeps_apart(const struct case_of_pins *it, const struct grt_trace_memory *kept) {
    for (size_t i = 0; i < kept->record_count; i++) {
        const struct grt_trace_record *at = &kept->records[i];
        struct places places = {0};
        bool seen[MOST_TASKS] = {false};
        if (at->kind != GRT_TRACE_KERNEL) {
            continue;
        }
        for (size_t j = i; j < kept->record_count; j++) {
            const struct grt_trace_record *other = &kept->records[j];
            bool lasts =
                other->kind == GRT_TRACE_KERNEL && other->other < at->time && other->time >= at->time;
            if (!lasts || seen[other->task]) {
                continue;
            }
            seen[other->task] = true;
            places.whole += it->part[other->task] < 0;
            places.pinned += it->part[other->task] >= 0;
            if (it->part[other->task] >= 0) {
                places.in_part[it->part[other->task]]++;
            }
        }
        if (!are_allowed(&places)) {
            fprintf(stderr, "not apart at %" PRId64 "\n", at->time);
            return false;
        }
    }
    return true;
}

static bool uses_one_part(const struct case_of_pins *it) {
    const struct pruda_pin_fields *pins = it->pins;
    for (size_t i = 1; i < it->parameters.pins.count; i++) {
        if (pins[i].sm != pins[0].sm) {
            return false;
        }
    }
    return true;
}

struct tally {
    int64_t kernels, lost, worlds_with_losses, worlds_of_one_part;
};

static bool try_case(int number, struct tally *tally) {
    struct case_of_pins it;
    struct grt_audited_run audited;
    start_case(&it, number);
    grt_audited_run_start(&audited, &it.builder->scenario, grt_policy_find("pruda-sm"), &it.parameters);
    const struct grt_trace_memory *kept = &audited.run.kept;
    bool good = audited.run.result != NULL && keeps_apart(&it, kept) &&
                grt_audit_records(audited.scenario, &audited.promise, kept->records, kept->record_count, NULL,
                                  false) == 0;
    uint64_t lost = good ? audited.run.result->gpus[0].lost_items : 0;
    good = good && (lost == 0 || !uses_one_part(&it));
    tally->kernels += (int64_t)grt_built_run_count(&audited.run, GRT_TRACE_KERNEL);
    tally->lost += (int64_t)lost;
    tally->worlds_with_losses += lost > 0;
    tally->worlds_of_one_part += it.parameters.pins.count > 0 && uses_one_part(&it);
    if (!good) {
        grt_errors_print(&audited.run.errors, stderr, "refused: ");
        fprintf(stderr, "case %d, %d items lost\n", number, (int)lost);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(it.builder);
    return good;
}

static void random_worlds_are_apart(void) {
    int cases = grt_suite_cases(400, 20000);
    struct tally tally = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = try_case(i, &tally);
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.kernels > 10 * cases);
    CU_ASSERT(tally.worlds_of_one_part > cases / 10);
    printf("\n    %d worlds, %" PRId64 " of one part, %" PRId64 " kernels; %" PRId64 " worlds lose %" PRId64
           " items\n",
           cases, tally.worlds_of_one_part, tally.kernels, tally.worlds_with_losses, tally.lost);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"random worlds are apart", random_worlds_are_apart},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pruda-sm in random worlds", tests);
}
