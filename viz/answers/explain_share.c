/* What shares of streams say, and what they mean for kernels. */
#include <inttypes.h>

#include "viz/answers/explain_internal.h"
#include "viz/timeline/shares.h"

void explain_share(struct explanation *explanation) {
    uint32_t share = explanation->slice.detail;
    grt_words_say(&explanation->words,
                  "Share of %s: %" PRIu32
                  " of the GPU's %d vprocessors (hundredths of its SMs) for %s, %s.%s",
                  explanation->row_name, share, (int)GRT_WHOLE_SHARE, explanation->time, explanation->when,
                  share == 0 ? " Its kernels stood still." : "");
}

void explain_shares_of_kernel(struct explanation *explanation, const struct grt_row *stream) {
    const struct grt_slice *kernel = &explanation->slice;
    struct grt_words *words = &explanation->words;
    struct grt_shares shares;
    char time[GRT_TIME_WORDS];
    if (!grt_row_shares(stream, kernel->start, kernel->end, &shares) || shares.cut) {
        return;
    }
    if (shares.least == shares.most) {
        grt_words_say(words, " Its stream had %" PRIu32 " of the GPU's %d vprocessors.", shares.most,
                      (int)GRT_WHOLE_SHARE);
    } else {
        grt_words_say(words,
                      " Its stream had %" PRIu32 " to %" PRIu32
                      " of the GPU's %d vprocessors, on average %" PRIu32 ".",
                      shares.least, shares.most, (int)GRT_WHOLE_SHARE, shares.mean);
    }
    if (shares.still > 0) {
        grt_words_say(words, " With none it stood still, for %s.", grt_time_words(shares.still, time));
    }
}
