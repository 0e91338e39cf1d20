/* Packed slots: one behind the other from the start of an activation, which is at a multiple of the server's period. Tasks without a job are
 * passed over. (V. Golyanik, M. Nasri, D. Stricker, ICIP 2017, section 3.1) */
#include "policies/tdm/server.h"

static bool anybody_waits(const struct tdm_server *server) {
    for (size_t i = 0; i < server->turn_count; i++) {
        if (server->turns[i].waiting) {
            return true;
        }
    }
    return false;
}

static grt_time multiple_until(grt_time instant, grt_time period) {
    return instant - instant % period;
}

/* Starts an activation if it is time and somebody waits; else the timer is set to the next one. An activation that was under way, or that
 * took place, at a multiple of the period makes the server late only for that one. */
static bool activate(struct tdm *self, struct grt_world *world, struct tdm_server *server) {
    grt_time now = grt_policy_now(world), instant = multiple_until(now, server->period);
    if (!anybody_waits(server)) {
        return false;
    }
    bool overdue = server->active && instant > server->activation;
    if (!overdue && instant < now) {
        instant += server->period;
    }
    if (instant == server->activation) {
        instant += server->period;
    }
    server->active = false;
    if (instant > now) {
        grt_policy_timer(world, server->timer, instant);
        return false;
    }
    server->active = true;
    server->activation = instant;
    server->next = 0;
    grt_policy_count(world, self->activations);
    return true;
}

/* Finds the next slot of the activation, or of the next one; false if none begins now. */
bool tdm_next_packed(struct tdm *self, struct grt_world *world, struct tdm_server *server) {
    for (;;) {
        if (!server->active && !activate(self, world, server)) {
            return false;
        }
        while (server->next < server->turn_count) {
            struct tdm_turn *turn = &server->turns[server->next++];
            if (turn->waiting && tdm_begin_slot(self, world, server, turn)) {
                return true;
            }
        }
        grt_policy_trace_slice(world, server->server_row, self->activation_label, GRT_NO_JOB,
                               server->activation);
        if (!activate(self, world, server)) {
            server->active = false;
            return false;
        }
    }
}
