#include "cli/verify/report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/terminal/paragraph.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/text_table.h"

const char *grt_verify_verdict(enum grt_verdict verdict) {
    static const char *const names[] = {[GRT_VERDICT_INAPPLICABLE] = "inapplicable",
                                        [GRT_VERDICT_SCHEDULABLE] = "schedulable",
                                        [GRT_VERDICT_UNSCHEDULABLE] = "unschedulable",
                                        [GRT_VERDICT_UNKNOWN] = "unknown"};
    return names[verdict];
}

const char *grt_verify_unchecked(const struct grt_claim *claim, const struct grt_campaign_witness *witness) {
    switch (claim->verdict) {
    case GRT_VERDICT_SCHEDULABLE:
        return NULL;
    case GRT_VERDICT_UNSCHEDULABLE:
        return witness->tried           ? NULL
               : claim->witness == NULL ? "it gives no releases, and none of its tasks missed a deadline"
                                        : "its releases miss none as far as they were simulated";
    case GRT_VERDICT_UNKNOWN:
        return "it claims nothing";
    default:
        return "it does not apply";
    }
}

/* ---- the table of tasks ---- */

static bool shows_bounds(const struct grt_claim *claim) {
    return claim->verdict == GRT_VERDICT_SCHEDULABLE && claim->analysis->bounds;
}

static struct grt_time_scale scale_of(const struct grt_campaign *campaign) {
    grt_time largest = 0, smallest = GRT_TIME_NEVER;
    for (size_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        grt_time response = campaign->tasks[i].response;
        largest = response > largest ? response : largest;
        smallest = response > 0 && response < smallest ? response : smallest;
    }
    return grt_time_scale_for(largest, smallest == GRT_TIME_NEVER ? 0 : smallest);
}

/* Of several GPUs each has its own. */
static const char *bounds_title(const struct grt_campaign *campaign, const struct grt_claim *claim,
                                struct grt_arena *arena) {
    return campaign->subject->scenario->gpu_count > 1 && claim->gpu != GRT_ANALYSIS_ALL_GPUS
               ? grt_format(arena, "%s gpu %" PRIu32, claim->analysis->name, claim->gpu)
               : claim->analysis->name;
}

static void add_columns(struct grt_table *table, const struct grt_campaign *campaign) {
    grt_table_add_column(table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    grt_table_add_column(table, (struct grt_table_column){"", "jobs", GRT_TEXT_RIGHT, false});
    grt_table_add_column(table, (struct grt_table_column){"", "missed", GRT_TEXT_RIGHT, false});
    const char *group = grt_format(table->arena, "worst (%s)", scale_of(campaign).unit);
    grt_table_add_column(table, (struct grt_table_column){group, "response", GRT_TEXT_RIGHT, false});
    for (size_t i = 0; i < campaign->claims.count && table->column_count + 2 <= GRT_TABLE_COLUMNS; i++) {
        const struct grt_claim *claim = &campaign->claims.items[i];
        if (shows_bounds(claim)) {
            const char *title = bounds_title(campaign, claim, table->arena);
            grt_table_add_column(table, (struct grt_table_column){title, "bound", GRT_TEXT_RIGHT, true});
            grt_table_add_column(table, (struct grt_table_column){title, "closeness", GRT_TEXT_RIGHT, false});
        }
    }
}

static void add_bound(struct grt_table *table, const struct grt_campaign *campaign,
                      const struct grt_claim *claim, uint32_t task, const struct grt_time_scale *scale) {
    char text[GRT_QUANTITY_TEXT_SIZE];
    double closeness = grt_campaign_closeness(campaign, claim, task);
    if (!claim->covers[task] || claim->bounds[task] == GRT_ANALYSIS_NEVER) {
        grt_table_add(table, "-");
        grt_table_add(table, "-");
        return;
    }
    grt_table_add(table, "%s", grt_time_scale_text(scale, claim->bounds[task], text));
    if (closeness < 0) {
        grt_table_add(table, "-");
    } else {
        grt_table_add(table, "%.4f", closeness);
    }
}

static void add_row(struct grt_table *table, const struct grt_campaign *campaign, uint32_t number,
                    const struct grt_time_scale *scale) {
    const struct grt_campaign_task *task = &campaign->tasks[number];
    char text[GRT_QUANTITY_TEXT_SIZE];
    grt_table_add(table, "%s", campaign->subject->scenario->tasks[number].name);
    grt_table_add(table, "%" PRIu64, task->jobs);
    grt_table_add(table, "%" PRIu64, task->missed);
    grt_table_add(table, "%s", task->response < 0 ? "-" : grt_time_scale_text(scale, task->response, text));
    for (size_t i = 0, column = 4; i < campaign->claims.count && column + 2 <= GRT_TABLE_COLUMNS; i++) {
        if (shows_bounds(&campaign->claims.items[i])) {
            add_bound(table, campaign, &campaign->claims.items[i], number, scale);
            column += 2;
        }
    }
}

static void print_task_table(const struct grt_campaign *campaign, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    struct grt_time_scale scale = scale_of(campaign);
    add_columns(&table, campaign);
    for (uint32_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        add_row(&table, campaign, i, &scale);
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* "pattern 5, all tasks together", or what is not numbered by its name alone. */
static const char *pattern_text(uint64_t number, const char *name, struct grt_arena *arena) {
    return number == GRT_CAMPAIGN_UNNUMBERED ? name
                                             : grt_format(arena, "pattern %" PRIu64 ", %s", number, name);
}

static void print_worst(const struct grt_campaign *campaign, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    fputs("\nShown by\n", out);
    for (size_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        const struct grt_campaign_task *task = &campaign->tasks[i];
        const char *name = campaign->subject->scenario->tasks[i].name;
        if (task->response >= 0) {
            fputs("  ", out);
            grt_paragraph_put(
                out, grt_format(&arena, "%s: %s", name, pattern_text(task->pattern, task->name, &arena)), 4,
                (size_t)style->width);
        }
    }
    grt_arena_clear(&arena);
}

/* ---- analyses and audit ---- */

static void print_claim(const struct grt_verify_report *report, size_t number, const struct grt_style *style,
                        FILE *out) {
    const struct grt_campaign *campaign = report->campaign;
    const struct grt_claim *claim = &campaign->claims.items[number];
    const struct grt_campaign_witness *witness = &campaign->witnesses[number];
    const char *unchecked = grt_verify_unchecked(claim, witness);
    struct grt_arena arena = {0};
    char gpu[32] = "", end[GRT_TIME_TEXT_SIZE];
    if (campaign->subject->scenario->gpu_count > 1 && claim->gpu != GRT_ANALYSIS_ALL_GPUS) {
        snprintf(gpu, sizeof gpu, " (GPU %u)", claim->gpu);
    }
    const char *text =
        grt_format(&arena, "%s%s: %s%s%s%s", claim->analysis->name, gpu, grt_verify_verdict(claim->verdict),
                   claim->unsound   ? " (claimed by an unsound option)"
                   : claim->claimed ? " (claimed, without releases that show it)"
                                    : "",
                   claim->reason[0] != '\0' ? ": " : "", claim->reason);
    if (unchecked != NULL) {
        text = grt_format(&arena, "%s; not checked, %s", text, unchecked);
    } else if (claim->witness != NULL) {
        text = grt_format(&arena, "%s; its releases %s by %s", text,
                          witness->missed ? "do miss a deadline" : "miss none",
                          grt_time_text(witness->end, end));
    } else if (witness->missed) {
        text = grt_format(&arena, "%s; a deadline is missed in %s", text,
                          pattern_text(witness->pattern, witness->name, &arena));
    }
    fputs("  ", out);
    grt_paragraph_put(out, text, 4, (size_t)style->width);
    grt_arena_clear(&arena);
}

static void print_claims(const struct grt_verify_report *report, const struct grt_style *style, FILE *out) {
    fputs("\nAnalyses\n", out);
    for (size_t i = 0; i < report->campaign->claims.count; i++) {
        print_claim(report, i, style, out);
    }
    if (report->campaign->claims.count == 0) {
        fprintf(out, "  none speaks of policy %s\n", report->campaign->subject->policy->name);
    }
}

static void print_rule(const struct grt_audit_count *count, FILE *out) {
    fprintf(out, "  %s: %" PRIu64 " time%s", count->rule, count->checked, count->checked == 1 ? "" : "s");
    if (count->broken > 0) {
        fprintf(out, ", broken %" PRIu64 " time%s", count->broken, count->broken == 1 ? "" : "s");
    }
    fputc('\n', out);
}

/* A rule that never had anything to check has not been shown to hold. */
static void print_idle_rules(const struct grt_campaign *campaign, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    const char *text = NULL;
    for (size_t i = 0; i < campaign->count_count; i++) {
        if (campaign->counts[i].checked == 0) {
            const char *rule = campaign->counts[i].rule;
            text = text == NULL ? grt_format(&arena, "nothing to check for: %s", rule)
                                : grt_format(&arena, "%s; %s", text, rule);
        }
    }
    if (text != NULL) {
        fputs("  ", out);
        grt_paragraph_put(out, text, 4, (size_t)style->width);
    }
    grt_arena_clear(&arena);
}

static void print_audit(const struct grt_campaign *campaign, const struct grt_style *style, FILE *out) {
    if (campaign->options.no_audit) {
        fputs("\nNot audited: --no-audit\n", out);
        return;
    }
    fputs("\nAudited\n", out);
    for (size_t i = 0; i < campaign->count_count; i++) {
        if (campaign->counts[i].checked > 0) {
            print_rule(&campaign->counts[i], out);
        }
    }
    print_idle_rules(campaign, style, out);
    if (campaign->unaudited != NULL) {
        struct grt_arena arena = {0};
        fputs("  ", out);
        grt_paragraph_put(
            out,
            grt_format(&arena, "not audited: rules of %s that need numbers, which are not known of %s here",
                       campaign->unaudited, campaign->subject->policy->name),
            4, (size_t)style->width);
        grt_arena_clear(&arena);
    }
}

/* ---- violations ---- */

static void print_reproduction(const struct grt_verify_report *report, FILE *out) {
    uint64_t jobs = 0, tasks = 0, own = 0; /* of the tasks: those that arrive as in the original */
    const struct grt_pattern *shrunk = report->shrunk;
    for (size_t i = 0; i < shrunk->task_count; i++) {
        bool counts = !shrunk->tasks[i].absent;
        tasks += counts;
        own += counts && shrunk->tasks[i].own;
        jobs += counts && !shrunk->tasks[i].own ? shrunk->tasks[i].count : 0;
    }
    fprintf(out, "  %s shows it with %" PRIu64 " task%s", report->reproduction, tasks, tasks == 1 ? "" : "s");
    if (own < tasks) {
        fprintf(out, " and %" PRIu64 " job%s", jobs, jobs == 1 ? "" : "s");
    }
    fprintf(out, ": %s\n", report->shown->text);
    if (report->keeps_claim) {
        fputs("  (the claim is about the original file, not about this one)\n", out);
    }
}

void grt_verify_report_violations(const struct grt_verify_report *report, const struct grt_style *style,
                                  FILE *out) {
    struct grt_arena arena = {0};
    for (size_t i = 0; i < report->campaign->violation_count; i++) {
        const struct grt_campaign_violation *found = &report->campaign->violations[i];
        const char *text = grt_format(&arena, "Violation: %s. In %" PRIu64 " simulation%s, first in %s.",
                                      found->violation.text, found->times, found->times == 1 ? "" : "s",
                                      pattern_text(found->pattern, found->shown.name, &arena));
        grt_paragraph_put(out, text, 2, (size_t)style->width);
        if (i == 0 && report->reproduction != NULL) {
            print_reproduction(report, out);
        }
    }
    grt_arena_clear(&arena);
}

/* ---- the whole ---- */

/* Whether an analysis says that deadlines are met, or gives releases that miss one, and by when. */
static bool has_refutable_claims(const struct grt_campaign *campaign) {
    for (size_t i = 0; i < campaign->claims.count; i++) {
        const struct grt_claim *claim = &campaign->claims.items[i];
        if (claim->verdict == GRT_VERDICT_SCHEDULABLE || (claim->verdict == GRT_VERDICT_UNSCHEDULABLE &&
                                                          claim->witness != NULL && claim->missed_by >= 0)) {
            return true;
        }
    }
    return false;
}

void grt_verify_report_tables(const struct grt_verify_report *report, const struct grt_style *style,
                              FILE *out) {
    const struct grt_campaign *campaign = report->campaign;
    const char *stop = strcmp(report->stop, "time") == 0        ? ", stopped by the time limit"
                       : strcmp(report->stop, "interrupt") == 0 ? ", interrupted"
                                                                : "";
    fprintf(out, "%s: %s, %s%" PRIu64 " release pattern%s, %" PRIu64 " jobs%s\n",
            campaign->subject->scenario->name, campaign->subject->policy->name,
            campaign->itself.tried ? "the scenario itself and " : "", campaign->done,
            campaign->done == 1 ? "" : "s", campaign->jobs, stop);
    if (campaign->violation_count == 0) {
        fprintf(out, "no violation was found%s\n\n",
                has_refutable_claims(campaign) ? ""
                                               : "; no analysis says anything that simulations could refute");
    } else {
        fprintf(out, "%zu violation%s\n\n", campaign->violation_count,
                campaign->violation_count == 1 ? "" : "s");
    }
    print_task_table(campaign, style, out);
    print_worst(campaign, style, out);
    print_claims(report, style, out);
    print_audit(campaign, style, out);
    if (campaign->violation_count > 0) {
        fputc('\n', out);
        grt_verify_report_violations(report, style, out);
    }
}
