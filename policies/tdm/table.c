/* Slots in a table: every one has its place in the server's period, and stays empty without a job. */
#include "policies/tdm/server.h"

/* The first start of a task's slot that is not before `instant`. */
static grt_time start_from(const struct tdm_server *server, const struct tdm_turn *turn, grt_time instant) {
    grt_time after = instant - turn->offset;
    grt_time periods = after <= 0 ? 0 : (after + server->period - 1) / server->period;
    return periods * server->period + turn->offset;
}

/* The next slot of the table whose task waits, and its start. A start that passed while another slot overran is made up for. */
static struct tdm_turn *first_of_table(const struct tdm_server *server, grt_time *start) {
    struct tdm_turn *first = NULL;
    for (size_t i = 0; i < server->turn_count; i++) {
        struct tdm_turn *turn = &server->turns[i];
        grt_time from = turn->since > turn->last + 1 ? turn->since : turn->last + 1;
        grt_time own = start_from(server, turn, from);
        if (turn->waiting && (first == NULL || own < *start)) {
            first = turn;
            *start = own;
        }
    }
    return first;
}

bool tdm_next_of_table(struct tdm *self, struct grt_world *world, struct tdm_server *server) {
    grt_time start = 0;
    struct tdm_turn *turn;
    while ((turn = first_of_table(server, &start)) != NULL) {
        if (start > grt_policy_now(world)) {
            grt_policy_timer(world, server->timer, start);
            return false;
        }
        turn->last = start;
        if (tdm_begin_slot(self, world, server, turn)) {
            return true;
        }
    }
    return false;
}
