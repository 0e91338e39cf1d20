/* The programs of batches: the calls that the schedulers make, in their order, as docs/batch-schedulers.md prints them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/batch/batch.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"

enum { PLACES = 3, TEXT = 8192 };

struct written {
    struct batch_place places[PLACES];
    struct batch_step steps[PLACES * BATCH_STEPS_OF_PLACE];
    struct batch_scheduler scheduler;
    char text[TEXT];
};

static const char *const streams[] = {"in", "kernel", "out"};
static const char *const operations[] = {"copy in", "kernel", "copy out"};

/* Jobs with a command in every operation of `has`. */
static void prepare(struct written *it, uint32_t count, const bool *has) {
    memset(it, 0, sizeof *it);
    it->scheduler = (struct batch_scheduler){.places = it->places, .steps = it->steps, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < BATCH_OPERATIONS; j++) {
            it->places[i].spans[j] = (struct batch_span){j, j + has[j]};
            it->places[i].next[j] = j;
            it->places[i].last[j] = GRT_NO_SUBMISSION;
        }
    }
}

static void write_step(struct written *it, const struct batch_step *step) {
    const char *of = operations[step->of_operation], *own = operations[step->operation];
    unsigned place = step->place + 1, of_place = step->of_place + 1;
    size_t used = strlen(it->text);
    char *out = it->text + used;
    size_t room = TEXT - used;
    if (step->kind == BATCH_SYNCHRONIZE) {
        snprintf(out, room, "          waits until job %u is done\n", place);
        return;
    }
    if (step->kind == BATCH_COLLECT) {
        snprintf(out, room, "          looks what has ended\n");
        return;
    }
    used += (size_t)snprintf(out, room, "%-6s %u  ", streams[step->operation], place);
    out = it->text + used;
    room = TEXT - used;
    switch (step->kind) {
    case BATCH_COMMANDS:
        snprintf(out, room, "%s %u\n", own, place);
        break;
    case BATCH_BEGUN:
        snprintf(out, room, "record: start of %s %u\n", own, place);
        break;
    case BATCH_ENDED:
        snprintf(out, room, "record: stop of %s %u\n", of, of_place);
        break;
    case BATCH_WAIT:
        snprintf(out, room, "wait: stop of %s %u\n", of, of_place);
        break;
    case BATCH_RETURN:
        snprintf(out, room, "synchronisation returns\n");
        break;
    default:
        snprintf(out, room, "query\n");
        break;
    }
}

static void write_program(struct written *it) {
    for (uint32_t i = 0; i < it->scheduler.step_count; i++) {
        write_step(it, &it->steps[i]);
    }
}

static void execute(struct written *it, uint32_t place, enum batch_operation operation) {
    it->places[place].next[operation] = it->places[place].spans[operation].end;
}

/* Whether the page has the program as it is; writes it where it does not. */
static void check_page(const struct written *it, const char *policy) {
    size_t bytes;
    char *page = grt_file_text("docs/batch-schedulers.md", &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    bool found = strstr(page, it->text) != NULL;
    CU_ASSERT(found);
    if (!found) {
        fprintf(stderr, "docs/batch-schedulers.md does not have this program of %s:\n%s", policy, it->text);
    }
    free(page);
}

static const bool all[] = {true, true, true};

static void programs_of_the_cpu(void) {
    static const struct {
        const char *policy;
        const struct batch_kind *kind;
    } cases[] = {{"cpu-traditional", &batch_traditional},
                 {"cpu-interleave", &batch_interleave},
                 {"cpu-concurrent", &batch_concurrent}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct written it;
        prepare(&it, 2, all);
        cases[i].kind->plan(&it.scheduler);
        write_program(&it);
        check_page(&it, cases[i].policy);
    }
}

/* The second kernel ends first. */
static void the_program_of_order(void) {
    struct written it;
    prepare(&it, 2, all);
    batch_order.plan(&it.scheduler);
    for (uint32_t i = 0; i < 2; i++) {
        execute(&it, i, BATCH_IN);
        execute(&it, i, BATCH_KERNEL);
        it.places[i].last[BATCH_KERNEL] = i; /* it is with the device */
    }
    CU_ASSERT_EQUAL(batch_order.finds(&it.scheduler), BATCH_FINDS_NOTHING);
    it.places[1].last[BATCH_KERNEL] = GRT_NO_SUBMISSION;
    CU_ASSERT_EQUAL(batch_order.finds(&it.scheduler), BATCH_FINDS_BY_POLLING);
    batch_order.collect(&it.scheduler);
    write_program(&it);
    check_page(&it, "cpu-order");
}

/* The second kernel ends first; with `returns` for gpu-synchronize. */
static void the_programs_of_the_device(void) {
    for (int i = 0; i < 2; i++) {
        const struct batch_kind *kind = i == 0 ? &batch_synchronize : &batch_atomics;
        struct written it;
        prepare(&it, 2, all);
        kind->plan(&it.scheduler);
        for (uint32_t place = 0; place < 2; place++) {
            CU_ASSERT_EQUAL(kind->finds(&it.scheduler), BATCH_FINDS_NOTHING);
            execute(&it, place, BATCH_IN);
            CU_ASSERT_EQUAL(kind->finds(&it.scheduler), BATCH_FINDS_AT_ONCE);
            kind->collect(&it.scheduler); /* launches it */
            execute(&it, place, BATCH_KERNEL);
            it.places[place].last[BATCH_KERNEL] = place;
        }
        for (uint32_t place = 2; place-- > 0;) {
            CU_ASSERT_EQUAL(kind->finds(&it.scheduler), BATCH_FINDS_NOTHING);
            it.places[place].last[BATCH_KERNEL] = GRT_NO_SUBMISSION;
            CU_ASSERT_EQUAL(kind->finds(&it.scheduler),
                            i == 0 ? BATCH_FINDS_AT_ONCE : BATCH_FINDS_BY_POLLING);
            kind->collect(&it.scheduler);
        }
        write_program(&it);
        check_page(&it, i == 0 ? "gpu-synchronize" : "gpu-atomics");
    }
}

static bool is_program(const struct batch_kind *kind, uint32_t count, const bool *has, const char *expected) {
    struct written it;
    prepare(&it, count, has);
    kind->plan(&it.scheduler);
    write_program(&it);
    bool same = strcmp(it.text, expected) == 0;
    if (!same) {
        fprintf(stderr, "not what was expected:\n%s", it.text);
    }
    return same;
}

/* What a job has not to do is left out, and what would wait for it waits for what is before it. */
static void operations_that_jobs_do_not_have(void) {
    static const bool only_kernels[] = {false, true, false}, no_kernels[] = {true, false, true};
    CU_ASSERT(is_program(
        &batch_interleave, 2, only_kernels,
        "kernel 1  record: start of kernel 1\nkernel 1  kernel 1\nkernel 1  record: stop of kernel 1\n"
        "kernel 2  wait: stop of kernel 1\nkernel 2  record: start of kernel 2\nkernel 2  kernel 2\n"
        "kernel 2  record: stop of kernel 2\n"));
    CU_ASSERT(is_program(
        &batch_concurrent, 1, no_kernels,
        "in     1  record: start of copy in 1\nin     1  copy in 1\nin     1  record: stop of copy in 1\n"
        "out    1  wait: stop of copy in 1\nout    1  record: start of copy out 1\nout    1  copy out 1\n"
        "out    1  record: stop of copy out 1\n"));
}

/* More places than were ever asked for have room for all their steps. */
static void steps_have_room(void) {
    static const struct batch_kind *const kinds[] = {&batch_traditional, &batch_interleave,
                                                     &batch_concurrent,  &batch_order,
                                                     &batch_synchronize, &batch_atomics};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct written it;
        prepare(&it, PLACES, all);
        kinds[i]->plan(&it.scheduler);
        for (uint32_t place = 0; kinds[i]->collect != NULL && place < PLACES; place++) {
            execute(&it, place, BATCH_IN);
            execute(&it, place, BATCH_KERNEL);
        }
        for (int j = 0; kinds[i]->collect != NULL && j < 2 * PLACES; j++) {
            kinds[i]->collect(&it.scheduler);
        }
        CU_ASSERT(it.scheduler.step_count < PLACES * BATCH_STEPS_OF_PLACE * 3 / 4);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"programs of the CPU", programs_of_the_cpu},
        {"the program of order", the_program_of_order},
        {"the programs of the device", the_programs_of_the_device},
        {"operations that jobs do not have", operations_that_jobs_do_not_have},
        {"steps have room", steps_have_room},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("programs of batches", tests);
}
