#include <inttypes.h>
#include <string.h>

#include "cli/analysis/report.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/table_columns.h"

/* What one GPU's tables are made from. */
struct page {
    const struct grt_analysis_report *report;
    const struct grt_analyzed_gpu *gpu;
    const struct grt_analysis_set *set;
    const struct grt_style *style;
    FILE *out;
};

/* ---- verdicts ---- */

static bool has_bounds(const struct grt_analyzed *analyzed) {
    return analyzed->ops->bounds && analyzed->result.verdict != GRT_VERDICT_INAPPLICABLE;
}

static const char *verdict_text(const struct grt_analyzed *analyzed) {
    const struct grt_analysis_result *result = &analyzed->result;
    static const char *const texts[] = {
        [GRT_VERDICT_INAPPLICABLE] = "does not apply",
        [GRT_VERDICT_SCHEDULABLE] = "schedulable",
        [GRT_VERDICT_UNSCHEDULABLE] = "not schedulable (exact)",
        [GRT_VERDICT_UNKNOWN] = "not proven",
    };
    if (grt_analysis_only_claims(analyzed->ops, result)) {
        return "not schedulable (claimed, without releases that show it)";
    }
    return result->unsound ? "schedulable (claimed by an unsound option)" : texts[result->verdict];
}

static void print_summary(const struct page *page) {
    const struct grt_analyzed *by = NULL;
    enum grt_verdict verdict = grt_analyzed_verdict(page->gpu, &by);
    bool missed = verdict == GRT_VERDICT_UNSCHEDULABLE;
    const char *unfounded = grt_analyzed_unfounded(page->report, page->gpu);
    fputs(missed && page->style->colour ? "\033[1;31m" : "", page->out);
    if (verdict != GRT_VERDICT_UNKNOWN && unfounded != NULL) {
        fprintf(page->out, "%s under the declared times, which rest on no model, by %s: not proven",
                missed ? "a deadline can be missed" : "all deadlines are met", by->ops->name);
    } else if (verdict == GRT_VERDICT_SCHEDULABLE) {
        fprintf(page->out, "all deadlines are met: proven by %s", by->ops->name);
    } else if (missed) {
        fprintf(page->out, "a deadline can be missed: proven by %s", by->ops->name);
    } else {
        fprintf(page->out, "nothing is proven of the deadlines");
    }
    fputs(missed && page->style->colour ? "\033[0m\n" : "\n", page->out);
    if (unfounded != NULL) {
        fprintf(page->out, "no model stands behind the worst case of %s: it is a choice by measured times\n",
                unfounded);
    }
}

/* Of an analysis that does not speak of the scenario's policy: of what it speaks instead. */
static const char *other_policy_text(const struct page *page, const struct grt_analysis_ops *ops,
                                     struct grt_arena *arena) {
    const char *policy = page->report->file->policy->name;
    return ops->policies != NULL && ops->policies[0] != NULL
               ? grt_format(arena, " (of %s, not of %s)", grt_analysis_policies_text(ops, arena), policy)
               : grt_format(arena, " (not of %s: %s)", policy, ops->summary);
}

/* "" where it has no options, else " [jitter = a, ...]". */
static const char *options_text(const struct grt_analyzed *analyzed, struct grt_arena *arena) {
    const struct grt_record *record = analyzed->ops->options;
    const char *line = "";
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
        line = grt_format(arena, "%s%s%s = %s", line, i > 0 ? ", " : " [", record->fields[i].name,
                          grt_analysis_option_text(&record->fields[i], analyzed->options, text));
    }
    return line[0] != '\0' ? grt_format(arena, "%s]", line) : line;
}

static void print_verdict(const struct page *page, const struct grt_analyzed *analyzed, size_t cells) {
    const struct grt_analysis_result *result = &analyzed->result;
    struct grt_arena arena = {0};
    const char *text =
        grt_format(&arena, "%s%s%s%s%s", verdict_text(analyzed), result->reason[0] != '\0' ? ": " : "",
                   result->reason, analyzed->of_policy ? "" : other_policy_text(page, analyzed->ops, &arena),
                   options_text(analyzed, &arena));
    grt_text_put(page->out, analyzed->ops->name, cells, GRT_TEXT_LEFT);
    grt_paragraph_put(page->out, text, cells, (size_t)page->style->width);
    const char *values = grt_analysis_values_text(result, &arena);
    if (values[0] != '\0') {
        fprintf(page->out, "%*s", (int)cells, "");
        grt_paragraph_put(page->out, values, cells, (size_t)page->style->width);
    }
    grt_arena_clear(&arena);
}

static void print_verdicts(const struct page *page) {
    size_t cells = 0;
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        size_t name = strlen(page->gpu->analyses[i].ops->name);
        cells = name > cells ? name : cells;
    }
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        print_verdict(page, &page->gpu->analyses[i], cells + 2);
    }
    if (page->gpu->analysis_count == 0) {
        fprintf(page->out, "no analysis speaks of %s; --all runs those of other policies\n",
                page->report->file->policy->name);
    }
}

/* Where nothing is proven, an analysis does not apply, and none that bounds does: one that was not run may. */
static void print_way_on(const struct page *page) {
    bool refused = false, bounded = false;
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &page->gpu->analyses[i];
        refused = refused || analyzed->result.verdict == GRT_VERDICT_INAPPLICABLE;
        bounded = bounded || has_bounds(analyzed);
    }
    if (refused && !bounded && !page->report->all &&
        grt_analyzed_verdict(page->gpu, NULL) == GRT_VERDICT_UNKNOWN) {
        fputs("another analysis may apply: --all runs all of them\n", page->out);
    }
}

/* ---- the table of tasks ---- */

enum task_time { PERIOD, DEADLINE, JITTER, ON_GPU, HOST_PARTS, ON_CPU, TASK_TIMES };

static int64_t time_of(const struct grt_analysis_task *task, enum task_time kind) {
    switch (kind) {
    case PERIOD:
        return task->period > 0 ? task->period : GRT_ANALYSIS_NEVER;
    case DEADLINE:
        return task->deadline;
    case JITTER:
        return task->jitter;
    case ON_GPU:
        return grt_analyzed_time(task, GRT_USE_DEVICE);
    case HOST_PARTS:
        return grt_analyzed_time(task, GRT_USE_HOST_PARTS);
    default:
        return grt_analyzed_time(task, GRT_USE_CPU);
    }
}

/* Jitter and times on cores, those of GPU segments and the others, only where there are any. */
static void add_task_times(struct grt_columns *columns, const struct grt_analysis_set *set) {
    static const struct {
        const char *group, *name;
        bool always;
    } kinds[TASK_TIMES] = {
        [PERIOD] = {"", "period", true},
        [DEADLINE] = {"", "deadline", true},
        [JITTER] = {"", "jitter", false},
        [ON_GPU] = {"longest time", "GPU", true},
        [HOST_PARTS] = {"longest time", "host parts", false},
        [ON_CPU] = {"longest time", "CPU", false},
    };
    int64_t *times = grt_arena_array(&columns->arena, set->count, sizeof *times);
    for (size_t kind = 0; kind < TASK_TIMES; kind++) {
        bool any = kinds[kind].always;
        for (size_t i = 0; i < set->count; i++) {
            times[i] = time_of(&set->tasks[i], (enum task_time)kind);
            any = any || times[i] > 0;
        }
        if (any) {
            grt_columns_add_times(columns, kinds[kind].group, kinds[kind].name,
                                  (struct grt_column_times){times, set->count});
        }
    }
}

static const char *task_verdict(const struct grt_analyzed *analyzed, const struct grt_analysis_task *task,
                                size_t i) {
    const struct grt_analysis_result *result = &analyzed->result;
    int64_t response = result->response[i];
    bool late = response != GRT_ANALYSIS_NEVER && response > task->deadline;
    if (result->verdict == GRT_VERDICT_SCHEDULABLE) {
        return result->unsound ? "may miss" : "meets";
    }
    if (result->failing == i) {
        bool shown =
            result->verdict == GRT_VERDICT_UNSCHEDULABLE && !grt_analysis_only_claims(analyzed->ops, result);
        return shown ? "misses" : "may miss";
    }
    return late ? "may miss" : "-";
}

/* What would be bounds if all tasks met their deadlines is in parentheses. */
static void add_bounds(struct grt_columns *columns, const struct page *page,
                       const struct grt_analyzed *analyzed) {
    size_t count = page->set->count;
    const char *group = analyzed->ops->name;
    struct grt_column_times bounds = {analyzed->result.response, count};
    struct grt_time_scale scale = grt_column_scale(bounds);
    const char *name = grt_format(&columns->arena, "bound %s", scale.unit);
    const char **bound_cells =
        grt_columns_add(columns, (struct grt_table_column){group, name, GRT_TEXT_RIGHT, true});
    name = grt_format(&columns->arena, "slack %s", scale.unit);
    const char **slack_cells =
        grt_columns_add(columns, (struct grt_table_column){group, name, GRT_TEXT_RIGHT, false});
    const char **verdict_cells =
        grt_columns_add(columns, (struct grt_table_column){group, "deadline", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < count; i++) {
        int64_t slack, computed = analyzed->result.response[i];
        bool holds = grt_analyzed_bound(analyzed, i) != GRT_ANALYSIS_NEVER;
        const char *text = grt_column_time_text(&scale, computed, &columns->arena);
        bound_cells[i] =
            holds || computed == GRT_ANALYSIS_NEVER ? text : grt_format(&columns->arena, "(%s)", text);
        slack_cells[i] = grt_analyzed_slack(analyzed, page->set, i, &slack)
                             ? grt_column_time_text(&scale, slack, &columns->arena)
                             : "-";
        verdict_cells[i] = task_verdict(analyzed, &page->set->tasks[i], i);
    }
}

/* Whether a number that is no bound is in parentheses. */
static bool has_parentheses(const struct grt_analyzed *analyzed, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (analyzed->result.response[i] != GRT_ANALYSIS_NEVER &&
            grt_analyzed_bound(analyzed, i) == GRT_ANALYSIS_NEVER) {
            return true;
        }
    }
    return false;
}

static bool may_overrun(const struct grt_distribution *time) {
    return time->max > grt_distribution_worst(time);
}

static bool segment_may_overrun(const struct grt_segment *segment) {
    bool may = segment->kind == GRT_SEGMENT_CPU && may_overrun(&segment->cpu_time);
    for (size_t i = 0; i < segment->command_count && segment->kind == GRT_SEGMENT_GPU; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        may = may || (command->kind == GRT_COMMAND_KERNEL && may_overrun(&command->kernel.block_time)) ||
              (command->kind == GRT_COMMAND_CALLBACK && may_overrun(&command->callback_time));
    }
    for (int part = 0; part < 2 && segment->kind == GRT_SEGMENT_GPU; part++) {
        may = may || may_overrun(&segment->host_part[part]);
    }
    return may;
}

/* What is proven of declared times says nothing of a run whose draws are longer. */
static void print_overruns(const struct page *page) {
    for (size_t i = 0; i < page->set->count; i++) {
        const struct grt_task *task = &page->report->file->scenario.tasks[page->set->tasks[i].number];
        bool may = false;
        for (size_t j = 0; j < task->segment_count; j++) {
            may = may || segment_may_overrun(&task->segments[j]);
        }
        if (may) {
            fprintf(page->out,
                    "times of %s may exceed the worst case that it declares: then nothing is proven\n",
                    task->name);
        }
    }
}

/* Where there are too many analyses for one table, another begins. */
static void print_tasks(const struct page *page) {
    struct grt_columns columns = {0};
    bool any_unproven = false;
    fputc('\n', page->out);
    grt_analysis_columns_begin(&columns, page->set);
    add_task_times(&columns, page->set);
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &page->gpu->analyses[i];
        if (!has_bounds(analyzed)) {
            continue;
        }
        if (columns.count + 3 > GRT_TABLE_COLUMNS) {
            grt_columns_print(&columns, page->style, page->out);
            fputc('\n', page->out);
            grt_analysis_columns_begin(&columns, page->set);
        }
        add_bounds(&columns, page, analyzed);
        any_unproven = any_unproven || has_parentheses(analyzed, page->set->count);
    }
    grt_columns_print(&columns, page->style, page->out);
    if (any_unproven) {
        fputs("in parentheses: would hold if all deadlines were met, which is not proven\n", page->out);
    }
}

/* ---- witnesses and sources ---- */

static void print_witness(const struct page *page, const struct grt_analyzed *analyzed) {
    struct grt_arena arena = {0};
    const char *line = "";
    for (size_t i = 0; i < page->set->count; i++) {
        char text[GRT_TIME_TEXT_SIZE];
        grt_time first = analyzed->result.first_release[i];
        line = grt_format(&arena, "%s%s%s %s%s", line, i > 0 ? ", " : "", page->set->tasks[i].name,
                          first == GRT_TIME_NEVER ? "" : "at ",
                          first == GRT_TIME_NEVER ? "never" : grt_time_text(first, text));
    }
    line = grt_format(&arena, "%s; then every period, with longest times", line);
    fprintf(page->out, "\nreleases that miss a deadline, by %s:\n  ", analyzed->ops->name);
    grt_paragraph_put(page->out, line, 2, (size_t)page->style->width);
    grt_arena_clear(&arena);
}

/* Of those that apply: of the others nothing is said. */
static void print_sources(const struct page *page) {
    size_t width = (size_t)page->style->width;
    const char *heading = "\nsources\n";
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        const struct grt_analyzed *analyzed = &page->gpu->analyses[i];
        if (analyzed->result.verdict == GRT_VERDICT_INAPPLICABLE) {
            continue;
        }
        fprintf(page->out, "%s  %s\n    ", heading, analyzed->ops->name);
        heading = "";
        grt_paragraph_put(page->out, analyzed->ops->source, 4, width);
        if (analyzed->ops->deviation != NULL) {
            fputs("    deviates: ", page->out);
            grt_paragraph_put(page->out, analyzed->ops->deviation, 14, width);
        }
    }
}

static void print_title(const struct page *page) {
    if (page->gpu->number == GRT_ANALYSIS_ALL_GPUS) {
        fputs("\nplatform: ", page->out);
    } else {
        const char *device = page->report->file->scenario.gpus[page->gpu->number].name;
        fprintf(page->out, "\ngpu %" PRIu32 " %s: ", page->gpu->number, device != NULL ? device : "");
    }
}

static void print_gpu(const struct page *page) {
    print_title(page);
    print_summary(page);
    print_verdicts(page);
    print_way_on(page);
    print_tasks(page);
    print_overruns(page);
    grt_analysis_value_table(page->gpu, page->style, page->out);
    for (size_t i = 0; i < page->gpu->analysis_count; i++) {
        if (page->gpu->analyses[i].result.has_witness) {
            print_witness(page, &page->gpu->analyses[i]);
        }
    }
    grt_analysis_limit_tables(page->gpu, page->style, page->out);
    print_sources(page);
}

void grt_analysis_tables(const struct grt_analysis_report *report, const struct grt_style *style, FILE *out) {
    fprintf(out, "%s: worst case under %s\n", report->file->scenario.name, report->file->policy->name);
    for (size_t i = 0; i < report->gpu_count; i++) {
        const struct grt_analyzed_gpu *gpu = &report->gpus[i];
        print_gpu(&(struct page){report, gpu, &gpu->set, style, out});
    }
}

void grt_analysis_columns_begin(struct grt_columns *columns, const struct grt_analysis_set *set) {
    columns->rows = set->count;
    const char **cells =
        grt_columns_add(columns, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < set->count; i++) {
        cells[i] = set->tasks[i].name;
    }
}
