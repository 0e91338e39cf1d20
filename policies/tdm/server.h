/* The inside of the policy `tdm`: a reservation server for every GPU. */
#ifndef GRT_POLICIES_TDM_SERVER_H
#define GRT_POLICIES_TDM_SERVER_H

#include "models/policy.h"
#include "policies/tdm/tdm.h"

/* One task on its server. */
struct tdm_turn {
    uint32_t task;   /* in the scenario */
    grt_time length; /* of its slot, ns; GRT_TIME_NEVER: as long as its segment takes */
    grt_time offset; /* of its slot in a table */
    int64_t sure;    /* slots that a job is sure to get before its deadline; 0: nothing is sure */
    int64_t pieces;  /* in which a job is done, if nothing overruns */
    grt_job job;     /* that has requested */
    bool waiting;    /* its request, or the rest of it, waits */
    grt_time since;  /* for so long */
    grt_time last;   /* the start of its last slot in the table, or -1 */
    grt_time owes;   /* what it has taken from others */
    int64_t used;    /* slots of the current job */
    uint32_t slot_label, overrun_label, owes_label;
};

enum tdm_phase {
    TDM_PHASE_IDLE,     /* no slot is going on */
    TDM_PHASE_PREPARES, /* a slot began, the overhead is being spent */
    TDM_PHASE_EXECUTES, /* a piece is with the device */
};

struct tdm_server {
    grt_stream stream;
    uint32_t timer;
    grt_time period;
    struct tdm_turn *turns; /* in the order of their slots */
    size_t turn_count;
    enum tdm_phase phase;
    struct tdm_turn *current; /* whose slot is going on */
    grt_job job;
    grt_time slot_start, submits_at;
    bool active;         /* packed: an activation is going on */
    grt_time activation; /* packed: its instant, or that of the last one; -1: there was none */
    size_t next;         /* packed: whose turn is next */
    uint32_t slot_row, server_row;
};

struct tdm {
    struct tdm_parameters given;
    struct tdm_server *servers;
    size_t server_count;
    struct tdm_turn **turn_of; /* by the task's number; NULL: it has no GPU segment */
    struct tdm_server **server_of;
    uint32_t activation_label;
    uint32_t activations, slots, overruns, repaid; /* counters */
};

/* Begins a slot now; false where it is left out, because the task owes too much of it. (policy.c) */
bool tdm_begin_slot(struct tdm *self, struct grt_world *world, struct tdm_server *server,
                    struct tdm_turn *turn);

/* Finds the next slot of a server without one and begins it, or sets the server's timer to where it begins; false if none begins now:
 * slots behind one another from the start of an activation (packed.c), and slots in their places (table.c). */
bool tdm_next_packed(struct tdm *self, struct grt_world *world, struct tdm_server *server);
bool tdm_next_of_table(struct tdm *self, struct grt_world *world, struct tdm_server *server);

#endif
