/* What the parts of explanations share. */
#ifndef GRT_VIZ_ANSWERS_EXPLAIN_INTERNAL_H
#define GRT_VIZ_ANSWERS_EXPLAIN_INTERNAL_H

#include "viz/answers/explain.h"
#include "viz/answers/job_story.h"
#include "viz/answers/others.h"
#include "viz/answers/time_text.h"
#include "viz/answers/words.h"

struct explanation {
    const struct grt_timeline *timeline;
    struct grt_place place;
    const struct grt_row *row;
    enum grt_track_part part;
    struct grt_slice slice;
    char task[GRT_NAME_WORDS]; /* the slice's, "" if it has none */
    char row_name[GRT_NAME_WORDS];
    char time[GRT_TIME_WORDS], when[GRT_TIME_WORDS]; /* how long it was, and from when to when */
    struct grt_words words;
};

/* What a part says of what happened on the GPU. */
void explain_copy(struct explanation *explanation);
void explain_kernel(struct explanation *explanation);
void explain_call(struct explanation *explanation);
void explain_share(struct explanation *explanation);
void explain_block(struct explanation *explanation);
void explain_suspended(struct explanation *explanation);

/* " Its stream had 35 of the GPU's 100 vprocessors.": the slice, a kernel in a row of a stream; nothing where that never had a share. */
void explain_shares_of_kernel(struct explanation *explanation, const struct grt_row *stream);

/* What a part says of what happened on a core that is no computing of a job's own. */
void explain_host(struct explanation *explanation);
void explain_spin(struct explanation *explanation);
void explain_overhead(struct explanation *explanation);
void explain_thread(struct explanation *explanation);
void explain_boosted(struct explanation *explanation);

/* "; meanwhile map computed there for 2 ms", since an instant until the slice; nothing if nobody else did. */
void explain_other_on_core(struct explanation *explanation, const struct grt_row *core, grt_time from);

/* " Then it was preempted; job 3 of map ran next there.": the slice, which is at `home` on the core. */
void explain_preempted(struct explanation *explanation, const struct grt_row *core,
                       const struct grt_place *home);

/* " It had waited 2 ms since its release", without an end; nothing, and false, if it did not wait. */
bool explain_wait(struct explanation *explanation, grt_time since, grt_time until, const char *event);

/* "; meanwhile kernels of map ran for 1 ms" or the same of copies, whichever is more; nothing if there were none. */
void explain_others_on_gpu(struct explanation *explanation, grt_time from, grt_time to);

/* " It was given up." and the like, as the slice's flags say. */
void explain_end(struct explanation *explanation, const char *preempted);

#endif
