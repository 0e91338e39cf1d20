/* A comparison as CSV (RFC 4180, with line feeds): a line for each policy, with no task, and one for each of its tasks. Where a
 * policy refuses, it has only its first line. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/compare/compare.h"

static const char heading[] =
    "label,policy,task,kind,performance,slacks,accumulated_ns,ideal_ns,late,lateness_sum_ns,lateness_mean_ns,"
    "lateness_max_ns,missed,not_finished,response_mean_ns,response_max_ns,gap_min_ns,gap_mean_ns,gap_max_ns,"
    "gap_deviation_ns,refused,plugin\n";

enum { COLUMNS_BEHIND_POLICY = 19 };

/* Quoted where it has to be. */
static void put_text(const char *text, FILE *out) {
    bool plain = strpbrk(text, ",\"\r\n") == NULL;
    if (plain) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* A sum; those that do not fit into 64 bits, of years and years, become the largest that do. */
static void put_time(bool known, grt_signed_wide time, FILE *out) {
    fputc(',', out);
    if (known) {
        fprintf(out, "%" PRId64, grt_time_of_wide(time));
    }
}

static void put_count(uint64_t count, FILE *out) {
    fprintf(out, ",%" PRIu64, count);
}

/* From `slacks` to `not_finished`. */
static void put_slack(const struct grt_compared_slack *compared, uint64_t missed, FILE *out) {
    const struct grt_slack *slack = &compared->slack;
    bool any = slack->count > 0;
    put_count(slack->count, out);
    put_time(any, slack->accumulated, out);
    put_time(any && compared->ideal_known, compared->ideal, out);
    put_count(slack->late, out);
    put_time(true, (grt_signed_wide)slack->lateness, out);
    put_time(any, llround(grt_slack_mean_lateness(slack)), out);
    put_time(any, slack->worst, out);
    put_count(missed, out);
    put_count(slack->not_finished, out);
}

/* The last cell: the file that the policy comes from. */
static void put_plugin(const struct grt_compared_run *run, FILE *out) {
    fputc(',', out);
    put_text(run->policy->plugin != NULL ? run->policy->plugin : "", out);
    fputc('\n', out);
}

/* From `response_mean_ns` to `refused`. */
static void put_result(const struct grt_task_result *result, FILE *out) {
    const struct grt_stats *response = &result->response, *gaps = &result->ends.gaps;
    bool any = response->count > 0, separate = gaps->count > 0;
    put_time(any, llround(grt_stats_mean(response)), out);
    put_time(any, response->max, out);
    put_time(separate, gaps->min, out);
    put_time(separate, llround(grt_stats_mean(gaps)), out);
    put_time(separate, gaps->max, out);
    put_time(separate, llround(grt_gap_deviation(&result->ends)), out);
    fputc(',', out);
}

static void put_policy(const struct grt_compared_run *run, FILE *out) {
    put_text(run->label, out);
    fprintf(out, ",%s", run->policy->name);
}

static void put_task(const struct grt_compared_run *run, size_t task, FILE *out) {
    const struct grt_task_result *result = &run->simulation.result->tasks[task];
    const char *kind = grt_slack_kind_names[result->slack.kind];
    put_policy(run, out);
    fputc(',', out);
    put_text(result->name, out);
    fprintf(out, ",%s,", kind != NULL ? kind : "");
    put_slack(&run->of_tasks[task], result->missed, out);
    put_result(result, out);
    put_plugin(run, out);
}

static void put_run(const struct grt_compared_run *run, FILE *out) {
    put_policy(run, out);
    if (run->refused) {
        for (int i = 0; i < COLUMNS_BEHIND_POLICY; i++) {
            fputc(',', out);
        }
        put_text(run->errors.messages[0], out);
        put_plugin(run, out);
        return;
    }
    fputs(",,,", out);
    if (run->performance.reason == NULL) {
        fprintf(out, "%.17g", run->performance.ratio);
    }
    put_slack(&run->total, run->missed, out);
    fputs(",,,,,", out);
    put_time(run->deviation != GRT_TIME_NEVER, run->deviation, out);
    fputc(',', out);
    put_plugin(run, out);
    for (size_t i = 0; i < run->task_count; i++) {
        put_task(run, i, out);
    }
}

char *grt_comparison_csv(const struct grt_comparison *comparison) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(heading, out);
    for (size_t i = 0; i < comparison->run_count; i++) {
        put_run(&comparison->runs[i], out);
    }
    fclose(out);
    return text;
}
