/* Which priorities and cores tasks got that a scenario leaves to a rule. */
#include <inttypes.h>

#include "cli/run/report.h"
#include "cli/terminal/text_table.h"
#include "models/allocation.h"
#include "models/priority.h"
#include "models/task/rule_names.h"
#include "scenarios/assignment.h"

static void print_rules(const struct grt_scenario_assignment *assignment, FILE *out) {
    bool priorities = assignment->priorities != GRT_PRIORITIES_EXPLICIT;
    bool cores = assignment->allocation != GRT_ALLOCATION_GIVEN;
    if (priorities) {
        fprintf(out, "priorities: %s", grt_priority_rule_names[assignment->priorities]);
        if (assignment->analysis != NULL) {
            fprintf(out, " with %s", assignment->analysis->name);
        }
    }
    if (cores) {
        fprintf(out, "%scores: %s by the utilisation of %s", priorities ? "; " : "",
                grt_allocation_rule_names[assignment->allocation],
                assignment->counts == GRT_ALLOCATION_COUNTS_CPU ? "the CPU" : "the CPU and the GPU");
    }
    fputc('\n', out);
}

bool grt_report_has_assignment(const struct grt_scenario_file *file) {
    return file->assignment.priorities != GRT_PRIORITIES_EXPLICIT ||
           file->assignment.allocation != GRT_ALLOCATION_GIVEN;
}

void grt_report_assignment(const struct grt_scenario_file *file, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    bool cores = file->scenario.core_count > 0;
    print_rules(&file->assignment, out);
    grt_table_add_column(&table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "priority", GRT_TEXT_RIGHT, false});
    if (cores) {
        grt_table_add_column(&table, (struct grt_table_column){"", "core", GRT_TEXT_RIGHT, false});
    }
    for (size_t i = 0; i < file->scenario.task_count; i++) {
        const struct grt_task *task = &file->scenario.tasks[i];
        grt_table_add(&table, "%s", task->name);
        grt_table_add(&table, "%" PRId64, task->priority);
        if (cores && task->cpu < 0) {
            grt_table_add(&table, "-");
        } else if (cores) {
            grt_table_add(&table, "%" PRId64, task->cpu);
        }
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}
