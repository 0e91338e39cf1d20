/* The parameters of `tdm` as scenario files give them. */
#include <stddef.h>

#include "policies/tdm/record.h"
#include "sim/time.h"

static const char *const methods[] = {"cubic", "paper", "exact", "fixed", NULL};
static const char *const counts[] = {"paper", "sound", "tight", "unsound", NULL};
static const char *const slot_kinds[] = {"packed", "table", NULL};
static const char *const admissions[] = {"feasible", "all", NULL};

#define AT(member) offsetof(struct tdm_parameters, member)

static const struct grt_field fields[] = {
    {.name = "assignment",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rule.method),
     .fallback = "\"exact\"",
     .choices = methods,
     .help = "How the server's period T is found. `exact`: the best of the points at which a slot count "
             "changes. `cubic`: equation (13) of the "
             "paper, any T between its two positive roots. `paper`: a root of it that is at most 0.35 of the "
             "shortest period, as the paper "
             "says. `fixed`: `period`."},
    {.name = "period",
     .type = GRT_FIELD_TIME,
     .offset = AT(rule.period),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "T. Needed for `fixed`, not allowed otherwise unless `admit` is `all`, where it is the period "
             "of task sets without parameters."},
    {.name = "slots",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rule.slots),
     .fallback = "\"packed\"",
     .choices = slot_kinds,
     .help = "`packed`: slots follow one another from the start of the period, tasks without a job are "
             "passed over. `table`: every slot "
             "has its place in the period, and stays empty without a job."},
    {.name = "count",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rule.count),
     .fallback = "\"sound\"",
     .choices = counts,
     .help = "How many slots a job is sure to get before its deadline, with w = deadline - jitter. `paper`: "
             "ceil(w / T) - 2, equation (1). `sound`: "
             "floor(w / T) - 1. `tight`: the most that end in time, by the place of the slot. `unsound`: "
             "floor(w / T), one more than is sure, to see how that goes wrong."},
    {.name = "admit",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(admit),
     .fallback = "\"feasible\"",
     .choices = admissions,
     .help = "`feasible`: a task set to which nothing can be guaranteed is refused. `all`: it runs, each "
             "task with an equal part of the "
             "period, and nothing is guaranteed."},
};

const struct grt_record tdm_parameters_record = {
    .name = "tdm",
    .size = sizeof(struct tdm_parameters),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Parameters of `tdm`.",
};

/* The shortest slots that hold a command or a wave each. */
const struct tdm_parameters tdm_permissive = {.rule = {.method = TDM_FIXED, .period = GRT_MICROSECOND},
                                              .admit = TDM_ADMIT_ALL};

struct tdm_parameters tdm_default_parameters(void) {
    struct tdm_parameters parameters;
    grt_record_defaults(&tdm_parameters_record, &parameters);
    return parameters;
}
