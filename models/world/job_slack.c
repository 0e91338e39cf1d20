/* Slack: how much later jobs end than their task wants, what of it the results say. A job that is neither late nor of a task with
 * anything to record costs nothing here: the sum of slacks follows from the sum of response times.
 *
 * Source: P. Muyan-Ozcelik, J. D. Owens, Multitasking Real-time Embedded GPU Computing Tasks, PMAM 2016, section 4.4 and figure 4. */
#include "models/result/slack.h"
#include "models/world/internal.h"

static bool deadline_from_release(const struct grt_task *spec) {
    return spec->deadline != GRT_TIME_NEVER && spec->deadline_from == GRT_DEADLINE_FROM_RELEASE;
}

bool job_slack_records_ends(const struct grt_task *spec) {
    return spec->separation > 0 || spec->jitter > 0 || spec->delays != NULL || deadline_from_release(spec);
}

static void record_gap(struct grt_stats_log *log, const struct grt_task *spec, struct grt_slack_record *ends,
                       grt_time gap) {
    grt_stats_log_add(log, &ends->gaps, gap);
    ends->gap_squares += (grt_wide)(uint64_t)gap * (uint64_t)gap;
    if (gap > spec->separation) {
        grt_stats_log_add(log, &ends->late, gap - spec->separation);
    }
}

/* Before the first gap there is no end to measure it from. */
static void record_end(struct grt_world *world, const struct task_run *task) {
    struct grt_slack_record *ends = &task->result->ends;
    grt_time now = world->loop.now,
             ready = task->spec->arrival == GRT_ARRIVAL_AFTER ? task->view.arrival : task->view.release;
    if (task->result->finished > 1) {
        record_gap(&world->stats_log, task->spec, ends, now - ends->last_finish);
    } else {
        ends->first_ready = ready;
    }
    ends->last_ready = ready;
    ends->last_finish = now;
}

GRT_APART void job_slack_finished(struct grt_world *world, uint32_t number, bool late) {
    const struct task_run *task = &world->tasks[number];
    struct grt_task_result *result = task->result;
    if (late) {
        grt_time tardiness = world->loop.now - task->view.deadline;
        result->worst_tardiness = tardiness > result->worst_tardiness ? tardiness : result->worst_tardiness;
        if (task->spec->separation == 0) {
            grt_stats_log_add(&world->stats_log, &result->ends.late, tardiness);
        }
    }
    if (task->records_ends) {
        result->ends.release_delay += (grt_wide)(uint64_t)(task->view.release - task->view.arrival);
        if (task->spec->separation > 0) {
            record_end(world, task);
        }
    }
}

void job_slack_sum(struct grt_world *world, uint32_t number) {
    struct grt_task_result *result = &world->task_results[number];
    result->slack = grt_slack_of(world->tasks[number].spec, result);
}
