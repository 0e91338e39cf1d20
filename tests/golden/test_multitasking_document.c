/* labels: golden once
 * What docs/multitasking.md shows is what the program prints and draws, and its tables are those of the paper beside what is simulated. With GRT_UPDATE
 * in the environment they are written. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/simulation.h"
#include "tests/support/document.h"
#include "tests/support/multitasking_claims.h"
#include "tests/support/suite.h"

#define FOLDER "scenarios/papers/multitasking/"

enum { PICTURES = 15, BLOCKS = 1 };

static const struct grt_document document = {.path = "docs/multitasking.md", .program = GRT_PROGRAM};

/* The workloads as they are, and with other choices. */
enum { SHORTER, AS_THEY_ARE, LONGER, IN_PHASE, LONGER_DEADLINES, EQUAL_SEPARATIONS, VARIATIONS };

static const char *const longer_deadlines[] = {"tasks[0].deadline=23ms", "tasks[1].deadline=29ms", NULL};
static const char *const equal_separations[] = {"tasks[3].separation=23ms", NULL};

static const struct {
    const char *head;
    struct grt_variation variation;
} variations[VARIATIONS] = {
    {"× 0.9", {.percent = 90}},
    {"× 1", {.percent = 100}},
    {"× 1.1", {.percent = 110}},
    {"in phase", {.percent = 100, .in_phase = true}},
    {"deadlines 23, 29", {.percent = 100, .sets = longer_deadlines}},
    {"separations 23, 23", {.percent = 100, .sets = equal_separations}},
};

static struct grt_workloads workloads[VARIATIONS];

static void test_all_run(void) {
    for (int i = 0; i < VARIATIONS; i++) {
        grt_workloads_run(&variations[i].variation, &workloads[i]);
    }
}

/* ---- one batch ---- */

/* When the jobs of a batch are done, in ms: " 11, 13.5 |"; " - |" where the file does not exist. */
static void write_batch(FILE *out, const char *size, const char *architecture, int scheduler) {
    char path[256];
    struct grt_simulation simulation = {0};
    struct grt_errors errors = {0};
    snprintf(path, sizeof path, FOLDER "batch-%s%s-%s.json", size, architecture,
             grt_scheduler_names[scheduler]);
    bool runs = grt_simulation_load(&simulation, path, NULL, &errors) &&
                grt_simulation_run(&simulation, false, &errors);
    if (runs) {
        const struct grt_task_result *tasks = simulation.result->tasks;
        fprintf(out, " %g, %g |", (double)tasks[0].response.max / 1e6, (double)tasks[1].response.max / 1e6);
    } else {
        CU_ASSERT(scheduler >= GRT_SYNCHRONIZE);
        fputs(" – |", out);
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
}

static void write_batches(FILE *out) {
    fputs("| done after, ms | Fermi | Kepler |\n|---|---|---|\n", out);
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        fprintf(out, "| `%s` |", grt_scheduler_names[i]);
        write_batch(out, "", "fermi", i);
        write_batch(out, "", "kepler", i);
        fputc('\n', out);
    }
}

/* ---- performances ---- */

static void write_performance(FILE *out, double performance) {
    if (isnan(performance)) {
        fputs("–", out);
    } else {
        fprintf(out, "%.2f", performance);
    }
}

/* The paper's beside the simulated ones. */
static void write_table_2(FILE *out) {
    fputs("| paper / gpurt | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---|---|---|---|---|---|\n", out);
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        fprintf(out, "| `%s` |", grt_scheduler_names[i]);
        for (int number = 1; number <= GRT_CASES; number++) {
            fputc(' ', out);
            write_performance(out, grt_published[number][i]);
            fputs(" / **", out);
            write_performance(out, workloads[AS_THEY_ARE].of[number][i].performance);
            fputs("** |", out);
        }
        fputc('\n', out);
    }
}

/* Shorter and longer intervals. */
static void write_intervals(FILE *out) {
    fputs("| × 0.9 / 1 / 1.1 | 1 | 2 | 3 | 4 | 5 | 6 | real world |\n|---|---|---|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        fprintf(out, "| `%s` |", grt_scheduler_names[i]);
        for (int number = 1; number < GRT_WORKLOADS; number++) {
            for (int interval = SHORTER; interval <= LONGER; interval++) {
                fputs(interval == SHORTER ? " " : " / ", out);
                write_performance(out, workloads[interval].of[number][i].performance);
            }
            fputs(" |", out);
        }
        fputc('\n', out);
    }
}

/* ---- claims ---- */

static void write_chain(FILE *out, const char *chain, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (chain[i] == '~') {
            fputs(" ≈ ", out);
        } else if (chain[i] == '<') {
            fputs(" < ", out);
        } else {
            fputc(chain[i], out);
        }
    }
}

static void write_verdict(FILE *out, const struct grt_claim *claim, int variation) {
    double shortfall;
    const char *link;
    if (claim->workload == GRT_REAL_WORLD && variation > LONGER) {
        fputs(" | ", out); /* not varied so */
    } else if (grt_claim_holds(claim, &workloads[variation], &shortfall, &link)) {
        fputs(" | yes", out);
    } else {
        fputs(" | **no**: ", out);
        write_chain(out, link - 1, 3);
        fprintf(out, " by %.1f %%", 100 * (shortfall + (*link == '~' ? GRT_ABOUT : 0)));
    }
}

static void write_claims(FILE *out) {
    fputs("| claim | case | ", out);
    for (int i = 0; i < VARIATIONS; i++) {
        fprintf(out, "| %s ", variations[i].head);
    }
    fputs("|\n|---|---|---|---|---|---|---|---|---|\n", out);
    for (const struct grt_claim *claim = grt_claims; claim->where != NULL; claim++) {
        fprintf(out, "| %s | ", claim->where);
        if (claim->workload == GRT_REAL_WORLD) {
            fputs("real world | ", out);
        } else {
            fprintf(out, "%d | ", claim->workload);
        }
        write_chain(out, claim->chain, strlen(claim->chain));
        for (int i = 0; i < VARIATIONS; i++) {
            write_verdict(out, claim, i);
        }
        fputs(" |\n", out);
    }
}

/* ---- the other metrics ---- */

static void write_honest_row(FILE *out, const char *first, const struct grt_multitasking *run) {
    fprintf(out, "| %s | ", first);
    write_performance(out, run->performance);
    fprintf(out, " | %d | %d | %.1f | %.1f | %.1f |\n", (int)run->late, (int)run->missed,
            (double)run->lateness_mean / 1e6, (double)run->lateness_max / 1e6, (double)run->deviation / 1e6);
}

#define HONEST_HEAD                                                                                          \
    "performance | late | missed | lateness, mean | max | jitter |\n|---|---|---|---|---|---|---|"

static void write_honest(FILE *out) {
    fputs("| ms | " HONEST_HEAD "\n", out);
    for (int number = 1; number <= GRT_CASES; number++) {
        for (int i = 0; i < GRT_SCHEDULERS; i++) {
            char first[64];
            snprintf(first, sizeof first, "%d `%s`", number, grt_scheduler_names[i]);
            if (workloads[AS_THEY_ARE].of[number][i].runs) {
                write_honest_row(out, first, &workloads[AS_THEY_ARE].of[number][i]);
            }
        }
    }
}

static void write_real_world(FILE *out) {
    static const enum grt_scheduler order[] = {GRT_TRADITIONAL, GRT_INTERLEAVE,  GRT_ATOMICS,
                                               GRT_ORDER,       GRT_SYNCHRONIZE, GRT_CONCURRENT};
    fputs("| ms | paper | " HONEST_HEAD "---|\n", out);
    for (int i = 0; i < GRT_SCHEDULERS; i++) {
        char first[64];
        snprintf(first, sizeof first, "`%s` | %.2f", grt_scheduler_names[order[i]],
                 grt_published[GRT_REAL_WORLD][order[i]]);
        write_honest_row(out, first, &workloads[AS_THEY_ARE].of[GRT_REAL_WORLD][order[i]]);
    }
}

static void test_tables(void) {
    static const struct grt_document_table tables[] = {
        {"batches", write_batches},
        {"table 2", write_table_2},
        {"claims", write_claims},
        {"intervals", write_intervals},
        {"honest", write_honest},
        {"real world", write_real_world},
        {0},
    };
    CU_ASSERT_EQUAL(grt_document_tables(&document, tables), 6);
}

static void test_blocks(void) {
    CU_ASSERT_EQUAL(grt_document_blocks(&document), BLOCKS);
}

static void test_pictures(void) {
    CU_ASSERT_EQUAL(grt_document_pictures(&document), PICTURES);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"all run", test_all_run}, /* the tables go by it */
        {"the tables are current", test_tables},
        {"blocks are what the program prints", test_blocks},
        {"the pictures are current", test_pictures},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run(document.path, tests);
}
