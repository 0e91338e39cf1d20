/* Whose turn it is. */
#ifndef GRT_MODELS_GPU_RUNLIST_H
#define GRT_MODELS_GPU_RUNLIST_H

#include "models/gpu/context.h"

struct grt_gpu;

/* Whose turn it is on some of the engines: see runlist.c. */
struct runlist {
    grt_source source; /* tells the end of a turn, or of a switch */
    bool has_sms;
    uint32_t first_engine, end_engine; /* copy engines: from, up to but without */
    struct context *current;           /* whose turn it is; NULL before the first */
    struct context *next;              /* whose turn is to come once the engines are free; else NULL */
    uint32_t position;                 /* of the turn in the order of the turns */
    grt_time turn_end;
    bool goes_on;         /* `next` is to have no new turn, but needs an engine for its present one */
    bool idle;            /* nobody had anything to do when last looked at */
    int64_t priority;     /* of those on it, where contexts are `ranked` */
    grt_time update_ends; /* when others are on it; GRT_TIME_NEVER: no update is under way */
};

void gpu_runlists_create(struct grt_gpu *gpu);
void gpu_runlists_decide(struct grt_gpu *gpu);
void gpu_runlists_finish(struct grt_gpu *gpu);
grt_time gpu_runlist_turn_left(const struct grt_gpu *gpu, const struct runlist *runlist);

#endif
