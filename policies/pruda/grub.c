#include "policies/pruda/grub.h"

/* One, in units of bandwidth and of virtual time. */
#define ONE ((grt_wide)1 << 32)

/* V and D beyond this stay there: no key needs more. */
#define FAR ((grt_wide)GRT_TIME_LIMIT << 34)

void grub_start(struct grub *grub, struct grub_server *servers, uint32_t count) {
    *grub = (struct grub){.servers = servers, .count = count, .executing = GRUB_NONE};
    for (uint32_t i = 0; i < count; i++) {
        struct grub_server *server = &servers[i];
        if (server->budget > 0) {
            server->bandwidth = (uint64_t)((uint64_t)server->budget * ONE / (uint64_t)server->period);
        }
    }
}

bool grub_is_overloaded(const struct grub *grub) {
    grt_wide sum = 0;
    for (uint32_t i = 0; i < grub->count; i++) {
        sum += grub->servers[i].bandwidth;
    }
    return sum > ONE;
}

/* ---- time ---- */

static grt_wide units(grt_time time) {
    return (grt_wide)(uint64_t)time << 32;
}

static grt_wide limited(grt_wide sum) {
    return sum < FAR ? sum : FAR;
}

static void retire(struct grub *grub, struct grub_server *server) {
    server->state = GRUB_INACTIVE;
    grub->active -= server->bandwidth;
}

/* V grows by `span` * active / U = x P / Q. */
static void charge(struct grub *grub, grt_time span) {
    if (grub->executing == GRUB_NONE) {
        return;
    }
    struct grub_server *server = &grub->servers[grub->executing];
    grt_wide x = (grt_wide)(uint64_t)span * grub->active, budget = (uint64_t)server->budget;
    grt_wide period = (uint64_t)server->period, whole = x / budget, rest = x % budget;
    bool far = whole > FAR / period;
    server->virtual_time =
        far ? FAR : limited(server->virtual_time + whole * period + rest * period / budget);
}

/* The first instant after now, and up to `most`, at which a server that does not contend may become inactive, or `most`. */
static grt_time next_retirement(const struct grub *grub, grt_time most) {
    for (uint32_t i = 0; i < grub->count; i++) {
        const struct grub_server *server = &grub->servers[i];
        if (server->state == GRUB_NOT_CONTENDING && server->virtual_time < units(most)) {
            most = (grt_time)((server->virtual_time + ONE - 1) >> 32);
        }
    }
    return most;
}

/* Rule 3, and what rule 2 leaves open within an instant. */
static void look_at_servers(struct grub *grub) {
    for (uint32_t i = 0; i < grub->count; i++) {
        struct grub_server *server = &grub->servers[i];
        if (server->state == GRUB_COMPLETED || server->state == GRUB_NOT_CONTENDING) {
            server->state = GRUB_NOT_CONTENDING;
            if (server->virtual_time <= units(grub->now)) {
                retire(grub, server);
            }
        }
    }
}

static void advance(struct grub *grub, grt_time now) {
    if (grub->now < now) {
        look_at_servers(grub);
    }
    while (grub->now < now) {
        grt_time next = next_retirement(grub, now);
        charge(grub, next - grub->now);
        grub->now = next;
        if (next < now) {
            look_at_servers(grub);
        }
    }
}

/* By whole periods, until V is below D. */
static void postpone(struct grub *grub, struct grub_server *server) {
    grt_wide period = units(server->period);
    if (server->virtual_time >= server->deadline) {
        grt_wide periods = (server->virtual_time - server->deadline) / period + 1;
        server->deadline = limited(server->deadline + periods * period);
        grub->postponed += (uint64_t)periods;
    }
}

/* ---- events ---- */

/* Rules 1, 2 and 4. */
void grub_arrive(struct grub *grub, uint32_t number, bool waited, grt_time now) {
    struct grub_server *server = &grub->servers[number];
    advance(grub, now);
    bool goes_on = waited && server->state == GRUB_COMPLETED;
    if (server->state != GRUB_INACTIVE && !goes_on && server->virtual_time <= units(now)) { /* rule 3 */
        retire(grub, server);
    }
    if (server->state == GRUB_INACTIVE) {
        server->virtual_time = units(now);
        grub->active += server->bandwidth;
    }
    server->state = GRUB_CONTENDING;
    server->deadline = limited(server->virtual_time + units(server->period));
}

void grub_execute(struct grub *grub, uint32_t server, grt_time now) {
    advance(grub, now);
    grub->executing = server;
}

void grub_complete(struct grub *grub, uint32_t number, grt_time now) {
    advance(grub, now);
    struct grub_server *server = &grub->servers[number];
    if (server->virtual_time > server->deadline) {
        postpone(grub, server);
    }
    server->state = GRUB_COMPLETED;
    grub->executing = grub->executing == number ? GRUB_NONE : grub->executing;
}

void grub_settle(struct grub *grub, bool idle, grt_time now) {
    advance(grub, now);
    look_at_servers(grub);
    if (grub->executing != GRUB_NONE) {
        postpone(grub, &grub->servers[grub->executing]);
    }
    for (uint32_t i = 0; idle && i < grub->count; i++) { /* rule 5 */
        grub->servers[i].state = GRUB_INACTIVE;
    }
    grub->active = idle ? 0 : grub->active;
}

grt_time grub_deadline(const struct grub *grub, uint32_t server) {
    return (grt_time)((grub->servers[server].deadline + ONE - 1) >> 32);
}

/* (D - V) / (P / Q) / active, in parts that fit: D - V is at most P. */
grt_time grub_until_reached(const struct grub *grub) {
    if (grub->executing == GRUB_NONE || grub->active == 0) {
        return GRT_TIME_NEVER;
    }
    const struct grub_server *server = &grub->servers[grub->executing];
    grt_wide left = server->deadline - server->virtual_time, period = (uint64_t)server->period;
    grt_wide budget = (uint64_t)server->budget,
             asked = left / period * budget + left % period * budget / period;
    grt_wide span = asked / grub->active + 1;
    return span < (grt_wide)GRT_TIME_LIMIT ? (grt_time)span : GRT_TIME_NEVER;
}
