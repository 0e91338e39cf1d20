#include "tests/support/reference_lock.h"

typedef struct grt_reference_lock lock;
typedef struct grt_reference_lock_task task;

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* How many arrivals, `period` apart, fit into the spans [0, length). */
static int64_t arrivals(int64_t length, int64_t period) {
    int64_t count = 0;
    for (int64_t at = 0; at < length; at += period) {
        count++;
    }
    return count;
}

static int64_t limit_of(const task *t) {
    return least(t->deadline, t->period);
}

static bool local(const task *a, const task *b) {
    return a->core >= 0 && a->core == b->core;
}

/* What becomes ready: its own first dispatch, the one behind it, one that was begun for someone else; and the wake-up. */
static int64_t activation(const lock *it) {
    return it->wake_up + it->context_switch + it->context_switch + it->context_switch;
}

static int64_t boost_costs(const lock *it) {
    return it->context_switch + activation(it) + (it->suspends ? activation(it) : 0);
}

/* G_u and G^m_u, with what the platform costs under a lock. */
static int64_t segment(const lock *it, const task *t, int u) {
    int64_t rest = t->asynchronous ? most(t->device[u], t->after[u]) : t->device[u] + t->after[u];
    return t->before[u] + rest + (it->protocol == GRT_REFERENCE_SERVER ? 0 : boost_costs(it));
}

static int64_t host(const lock *it, const task *t, int u) {
    return t->before[u] + t->after[u] + (it->protocol == GRT_REFERENCE_SERVER ? 0 : boost_costs(it));
}

/* What a segment keeps its core busy for, at boosted priority. */
static int64_t boosted(const lock *it, const task *t, int u) {
    return it->suspends ? host(it, t, u) : segment(it, t, u);
}

static int64_t longest(const lock *it, const task *t, int64_t (*of)(const lock *, const task *, int)) {
    int64_t result = 0;
    for (int u = 0; u < t->segments; u++) {
        result = most(result, of(it, t, u));
    }
    return result;
}

static int64_t total(const lock *it, const task *t, int64_t (*of)(const lock *, const task *, int)) {
    int64_t sum = 0;
    for (int u = 0; u < t->segments; u++) {
        sum += of(it, t, u);
    }
    return sum;
}

static int64_t epsilon_of(const lock *it) {
    return it->epsilon + activation(it);
}

/* E. */
static int64_t executed(const lock *it, const task *t) {
    if (it->protocol == GRT_REFERENCE_SERVER) {
        return t->normal + activation(it) * (1 + t->segments);
    }
    return t->normal + activation(it) + total(it, t, boosted);
}

static bool several_locks(const lock *it) {
    int64_t seen = -1;
    for (int x = 0; x < it->count; x++) {
        if (it->tasks[x].segments > 0) {
            if (seen >= 0 && it->tasks[x].gpu != seen) {
                return true;
            }
            seen = it->tasks[x].gpu;
        }
    }
    return false;
}

/* The ceiling of a lock as a core sees it: the highest priority of a user elsewhere; INT64_MIN: it has none. */
static int64_t ceiling(const lock *it, const task *t) {
    int64_t priority = INT64_MIN;
    for (int x = 0; x < it->count; x++) {
        const task *user = &it->tasks[x];
        if (user != t && user->segments > 0 && user->gpu == t->gpu && !local(user, t)) {
            priority = most(priority, user->priority);
        }
    }
    return priority;
}

static bool may_outrank(const lock *it, const task *y, const task *x) {
    if (it->protocol == GRT_REFERENCE_FMLP) {
        return true;
    }
    if (it->boosts_own) {
        return y->priority >= x->priority;
    }
    int64_t of_y = ceiling(it, y), of_x = ceiling(it, x);
    return of_y == INT64_MIN || of_y >= of_x;
}

/* By how much a request of x is held longer than G. */
static int64_t held_longer(const lock *it, const task *x) {
    int64_t sum = 0;
    bool literal = it->hold_local_higher || it->hold_local || it->hold_any_core;
    if (it->protocol == GRT_REFERENCE_SERVER) {
        return epsilon_of(it) + (it->repaired ? epsilon_of(it) : 0);
    }
    for (int k = 0; k < it->count; k++) {
        const task *y = &it->tasks[k];
        if (y == x || y->segments == 0) {
            continue;
        }
        if (literal && it->protocol == GRT_REFERENCE_MPCP) {
            bool counts = it->hold_local          ? local(x, y)
                          : it->hold_local_higher ? local(x, y) && y->priority >= x->priority
                                                  : y->priority >= x->priority;
            sum += counts ? longest(it, y, segment) : 0;
        } else if (several_locks(it) && local(x, y) && y->gpu != x->gpu && may_outrank(it, y, x)) {
            sum += longest(it, y, boosted) * (it->suspends ? 2 : 1);
        }
    }
    return sum;
}

/* How long before a span a task's job may have come that asks in it. */
static int64_t carried(const lock *it, const task *i, const task *x) {
    if (it->one_more && it->protocol != GRT_REFERENCE_FMLP) {
        return x->period;
    }
    int64_t known = it->response[x - it->tasks];
    return x->priority > i->priority && known >= 0 ? known : limit_of(x);
}

static bool excludes(const task *i, const task *x) {
    return i != x && i->segments > 0 && x->segments > 0 && i->gpu == x->gpu;
}

/* The longest request of a less urgent task. */
static int64_t first_ahead(const lock *it, const task *i) {
    int64_t result = 0;
    for (int k = 0; k < it->count; k++) {
        const task *l = &it->tasks[k];
        for (int u = 0; excludes(i, l) && l->priority < i->priority && u < l->segments; u++) {
            result = most(result, segment(it, l, u) + held_longer(it, l));
        }
    }
    return result;
}

/* What comes ahead of a request within a span. */
static int64_t ahead(const lock *it, const task *i, int64_t span) {
    int64_t sum = 0;
    for (int k = 0; k < it->count; k++) {
        const task *x = &it->tasks[k];
        if (!excludes(i, x)) {
            continue;
        }
        int64_t jobs = arrivals(span + carried(it, i, x), x->period);
        for (int u = 0; u < x->segments; u++) {
            if (x->priority >= i->priority) {
                sum += jobs * (segment(it, x, u) + held_longer(it, x));
            } else if (it->protocol == GRT_REFERENCE_SERVER && it->repaired) {
                sum += jobs * epsilon_of(it);
            }
        }
    }
    return sum;
}

/* What others' requests cost that arrive while the own ones are executed. */
static int64_t own_hits(const lock *it, const task *i, int64_t span) {
    int64_t sum = 0;
    for (int k = 0; k < it->count && it->protocol == GRT_REFERENCE_SERVER && it->repaired; k++) {
        const task *x = &it->tasks[k];
        if (excludes(i, x)) {
            sum += arrivals(span + carried(it, i, x), x->period) * x->segments * epsilon_of(it);
        }
    }
    return sum;
}

/* The wait of one request, or -1. */
static int64_t one_wait(const lock *it, const task *i) {
    for (int64_t b = first_ahead(it, i); b <= limit_of(i) - i->jitter; b++) {
        if (first_ahead(it, i) + ahead(it, i, b) <= b) {
            return b;
        }
    }
    return -1;
}

static int64_t response_or_limit(const lock *it, const int64_t *assumed, int x) {
    int64_t value = assumed[x];
    return value >= 0 ? value : limit_of(&it->tasks[x]);
}

static int64_t fifo_wait(const lock *it, const int64_t *assumed, const task *i, int64_t w) {
    int64_t sum = 0;
    for (int k = 0; k < it->count; k++) {
        const task *x = &it->tasks[k];
        if (excludes(i, x) && (!local(i, x) || it->suspends || several_locks(it))) {
            int64_t jobs = arrivals(w + response_or_limit(it, assumed, k), x->period);
            int64_t whole = total(it, x, segment) + x->segments * held_longer(it, x);
            int64_t each = longest(it, x, segment) + held_longer(it, x);
            sum += least(jobs * whole, i->segments * each);
        }
    }
    return sum;
}

static int64_t wait_within(const lock *it, const int64_t *assumed, const task *i, int64_t one, int64_t w) {
    int64_t best = INT64_MAX / 4;
    if (i->segments == 0) {
        return 0;
    }
    if (it->protocol == GRT_REFERENCE_FMLP) {
        return fifo_wait(it, assumed, i, w);
    }
    if (it->by_request && one >= 0) {
        best = least(best, i->segments * one + own_hits(it, i, w));
    }
    if (it->by_job) {
        best = least(best, i->segments * first_ahead(it, i) + ahead(it, i, w));
    }
    return best;
}

static int64_t jitter_of(const lock *it, const task *i, const task *h) {
    int64_t known = it->response[h - it->tasks];
    int64_t end = h->priority > i->priority && known >= 0 ? known : limit_of(h);
    if (it->jitter_wait) {
        return h->jitter + (known >= 0 ? it->wait[h - it->tasks] : limit_of(h));
    }
    if (h->segments == 0 && !it->jitter_of_all && !it->jitter_deadline) {
        return h->jitter;
    }
    return most(0, (it->jitter_deadline ? limit_of(h) : end) - executed(it, h));
}

static int64_t preempted(const lock *it, const task *i, int64_t w) {
    int64_t sum = 0;
    for (int k = 0; k < it->count; k++) {
        const task *h = &it->tasks[k];
        if (h != i && local(h, i) && h->priority >= i->priority) {
            sum += arrivals(w + jitter_of(it, i, h), h->period) * executed(it, h);
        }
    }
    return sum;
}

/* By boosted less urgent tasks of the core. */
static int64_t blocked(const lock *it, const int64_t *assumed, const task *i, int64_t w) {
    int64_t sum = 0;
    int64_t times = 1 + i->segments * (it->suspends && several_locks(it) ? 2 : 1);
    for (int k = 0; k < it->count; k++) {
        const task *l = &it->tasks[k];
        if (local(l, i) && l->priority < i->priority) {
            int64_t back =
                it->protocol == GRT_REFERENCE_FMLP ? response_or_limit(it, assumed, k) : limit_of(l);
            int64_t all = arrivals(w + back, l->period) * total(it, l, boosted);
            int64_t each = times * longest(it, l, boosted);
            sum += it->every_boost && it->protocol == GRT_REFERENCE_MPCP ? each : least(all, each);
        }
    }
    return sum;
}

static int64_t server_work(const lock *it, const task *x) {
    return total(it, x, host) + 2 * x->segments * epsilon_of(it);
}

static int64_t preempted_by_server(const lock *it, const task *i, int64_t w) {
    int64_t sum = 0;
    for (int k = 0; k < it->count && it->server_core >= 0 && i->core == it->server_core; k++) {
        const task *x = &it->tasks[k];
        if (x != i && x->segments > 0) {
            bool known = x->priority > i->priority && !it->server_deadline && it->response[k] >= 0;
            int64_t late = (known ? it->response[k] : limit_of(x)) - server_work(it, x);
            sum += arrivals(w + most(0, late), x->period) * server_work(it, x);
        }
    }
    return sum;
}

static int64_t own(const lock *it, const task *i) {
    if (it->protocol == GRT_REFERENCE_SERVER) {
        return executed(it, i) + total(it, i, segment) + 2 * i->segments * epsilon_of(it);
    }
    return i->normal + activation(it) + total(it, i, segment);
}

/* The least span that holds all. */
static bool bound_task(lock *it, const int64_t *assumed, int index) {
    const task *i = &it->tasks[index];
    int64_t one = it->protocol == GRT_REFERENCE_FMLP ? 0 : one_wait(it, i);
    it->response[index] = -1;
    for (int64_t w = own(it, i); w <= limit_of(i) - i->jitter; w++) {
        int64_t wait = wait_within(it, assumed, i, one, w);
        int64_t sum = own(it, i) + wait + preempted(it, i, w);
        sum +=
            it->protocol == GRT_REFERENCE_SERVER ? preempted_by_server(it, i, w) : blocked(it, assumed, i, w);
        it->wait[index] = wait;
        if (sum <= w) {
            it->response[index] = w + i->jitter;
            return true;
        }
    }
    return false;
}

/* The most urgent task that comes after (priority, index); -1: none. */
static int next_task(const lock *it, int after) {
    int best = -1;
    for (int k = 0; k < it->count; k++) {
        bool behind = after < 0 || it->tasks[k].priority < it->tasks[after].priority ||
                      (it->tasks[k].priority == it->tasks[after].priority && k > after);
        if (behind && (best < 0 || it->tasks[k].priority > it->tasks[best].priority)) {
            best = k;
        }
    }
    return best;
}

static bool round_of(lock *it, const int64_t *assumed) {
    bool all = true;
    for (int i = next_task(it, -1); i >= 0; i = next_task(it, i)) {
        all = bound_task(it, assumed, i) && all;
    }
    return all;
}

bool grt_reference_lock(struct grt_reference_lock *it) {
    int64_t assumed[GRT_REFERENCE_LOCK_TASKS] = {0};
    bool all = true, changed = true;
    for (int i = 0; i < it->count; i++) {
        it->response[i] = assumed[i] = -1;
        it->wait[i] = 0;
    }
    if (it->protocol != GRT_REFERENCE_FMLP) {
        return round_of(it, assumed);
    }
    while (changed) {
        changed = false;
        all = round_of(it, assumed);
        for (int i = 0; i < it->count; i++) {
            changed |= assumed[i] != it->response[i] && !it->once;
            assumed[i] = it->response[i];
        }
    }
    return all;
}
