/* Who is in a batch: the first ones by equation (1) of P. Muyan-Ozcelik, J. D. Owens, "Multitasking Real-time Embedded GPU Computing Tasks",
 * PMAM 2016, of those that wait when it is chosen. Where that instant or a priority is not known exactly, some are surely members,
 * some may be; what they do then says who they are. */
#include "verify/audit/batch.h"

static grt_time sum(grt_time a, grt_time b) {
    return a >= GRT_TIME_NEVER - b ? GRT_TIME_NEVER : a + b;
}

/* Elapsed + average - deadline, and time since last done + average - separation: the dates at which they are zero. The elapsed time counts from
 * when the data was received, its arrival or release; before anything was done, that of a throughput task from its first one. */
struct batch_key batch_key_of(const struct grt_audit *audit, const struct batch *self,
                              const struct audit_task *task) {
    const struct grt_task *spec = task->spec;
    const struct audit_job *job = audit_job_at(task, 0);
    grt_time average = self->promise->averages[task->number];
    struct batch_key key = {.tie = task->tie, .task = task->number};
    (void)audit;
    if (spec->separation > 0) {
        bool done = task->finished != AUDIT_UNKNOWN, first = task->first_release != AUDIT_UNKNOWN;
        key.most = done ? task->finished : first ? task->first_release : job->release;
        key.least = done                                            ? task->finished
                    : first && task->first_arrival != AUDIT_UNKNOWN ? task->first_arrival
                                                                    : 0;
        key.least += spec->separation;
        key.most += spec->separation;
    } else if (spec->deadline == GRT_TIME_NEVER) { /* behind all others, in any order */
        key.least = 3 * GRT_TIME_LIMIT;            /* later than all deadlines */
        key.most = INT64_MAX;
    } else {
        grt_time arrival = job->arrival != AUDIT_UNKNOWN ? job->arrival : job->release - spec->jitter;
        key.least = sum(spec->deadline, arrival);
        key.most = sum(spec->deadline, job->release);
    }
    if (average == GRT_TIME_NEVER) {
        key.least = INT64_MIN;
        key.most = INT64_MAX;
    } else {
        key.least -= spec->deadline < GRT_TIME_NEVER || spec->separation > 0 ? average : 0;
        key.most -= spec->deadline < GRT_TIME_NEVER || spec->separation > 0 ? average : 0;
    }
    return key;
}

bool batch_surely_before(const struct grt_audit *audit, const struct batch_key *one,
                         const struct batch_key *other) {
    bool equal = one->least == one->most && other->least == other->most && one->least == other->least;
    if (!equal || audit->scenario->ties == GRT_TIES_SHUFFLE) {
        return one->most < other->least;
    }
    return one->tie != other->tie ? one->tie < other->tie : one->task < other->task;
}

void batch_stop_waiting(struct batch *self, struct batch_gpu *gpu, uint32_t task) {
    struct batch_task *own = &self->tasks[task];
    if (own->wait_at != AUDIT_NONE) {
        struct batch_asker *last = &gpu->waiting[--gpu->waiting_count];
        gpu->waiting[own->wait_at] = *last;
        self->tasks[last->key.task].wait_at = own->wait_at;
        own->wait_at = AUDIT_NONE;
    }
}

void batch_choosing(const struct batch *self, struct batch_gpu *gpu) {
    grt_time choice = self->promise->choice, from = GRT_TIME_NEVER;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        from = gpu->waiting[i].since < from ? gpu->waiting[i].since : from;
    }
    from = from > gpu->free ? from : gpu->free;
    gpu->state = BATCH_CHOOSING;
    gpu->from = from;
    gpu->until = choice == 0                                 ? from
                 : choice == GRT_TIME_NEVER || gpu->doubtful ? GRT_TIME_NEVER
                                                             : sum(from, choice);
    gpu->doubtful = gpu->cut = false;
    gpu->begun = GRT_TIME_NEVER;
    gpu->gone_count = gpu->member_count = gpu->untaken = gpu->left = 0;
    gpu->end = 0;
}

void batch_take(struct batch *self, struct batch_gpu *gpu, uint32_t task) {
    struct batch_task *own = &self->tasks[task];
    own->key = gpu->waiting[own->wait_at].key;
    own->member = true;
    own->may = own->ended = false;
    gpu->members[gpu->member_count++] = task;
    batch_stop_waiting(self, gpu, task);
}

void batch_take_rest(struct batch *self, struct batch_gpu *gpu) {
    uint32_t may = 0;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        may += self->tasks[gpu->waiting[i].key.task].may;
    }
    for (uint32_t i = gpu->waiting_count; i-- > 0;) {
        struct batch_task *other = &self->tasks[gpu->waiting[i].key.task];
        if (other->may && may == gpu->untaken) {
            batch_take(self, gpu, gpu->waiting[i].key.task);
        } else if (gpu->untaken == 0) {
            other->may = false;
        }
    }
    gpu->untaken = may == gpu->untaken ? 0 : gpu->untaken;
}

void batch_lose_track(struct batch *self, struct batch_gpu *gpu) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < gpu->member_count; i++) {
        struct batch_task *own = &self->tasks[gpu->members[i]];
        if (own->member && !own->ended) {
            gpu->members[kept++] = gpu->members[i];
        } else {
            own->member = false;
        }
    }
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        self->tasks[gpu->waiting[i].key.task].may = false;
    }
    gpu->member_count = kept;
    gpu->state = BATCH_UNKNOWN;
    gpu->doubtful = true;
}

/* How many go before that one for sure, and how many may, of those that may have been there. */
static void count_before(const struct grt_audit *audit, const struct batch_gpu *gpu, uint32_t place,
                         uint32_t *surely, uint32_t *perhaps) {
    const struct batch_key *key = &gpu->waiting[place].key;
    *surely = 0;
    *perhaps = gpu->gone_count;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        const struct batch_asker *other = &gpu->waiting[i];
        if (i != place && other->since <= gpu->until) {
            *surely += other->since <= gpu->from && batch_surely_before(audit, &other->key, key);
            *perhaps += !batch_surely_before(audit, key, &other->key);
        }
    }
}

static uint32_t at_most(const struct batch *self, uint32_t count) {
    return count < self->promise->most ? count : self->promise->most;
}

/* How many were there. */
static void count_askers(const struct batch_gpu *gpu, uint32_t *sure, uint32_t *perhaps) {
    *sure = *perhaps = 0;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        *sure += gpu->waiting[i].since <= gpu->from;
        *perhaps += gpu->waiting[i].since > gpu->from && gpu->waiting[i].since <= gpu->until;
    }
}

/* Says who may be a member, and takes who has to be. Lists change while members are taken. */
static void pick(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu) {
    uint32_t must[64], count = 0;
    for (uint32_t i = 0; i < gpu->waiting_count; i++) {
        uint32_t surely, perhaps;
        count_before(audit, gpu, i, &surely, &perhaps);
        const struct batch_asker *asker = &gpu->waiting[i];
        self->tasks[asker->key.task].may = asker->since <= gpu->until && surely < self->promise->most;
        if (asker->since <= gpu->from && perhaps < self->promise->most && count < 64) {
            must[count++] = asker->key.task;
        }
    }
    for (uint32_t i = 0; i < count && gpu->untaken > 0; i++) {
        batch_take(self, gpu, must[i]);
        gpu->untaken--;
    }
    batch_take_rest(self, gpu);
}

void batch_choose(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu) {
    uint32_t sure, perhaps;
    count_askers(gpu, &sure, &perhaps);
    gpu->left = gpu->untaken = at_most(self, sure);
    gpu->state = BATCH_GOES;
    audit->checked[self->rules + BATCH_AT_MOST]++;
    if (gpu->gone_count > 0 || at_most(self, sure + perhaps) != gpu->left) {
        batch_lose_track(self, gpu);
        return;
    }
    audit->checked[self->rules + BATCH_FIRST_GO] += sure > gpu->left;
    pick(audit, self, gpu);
}
