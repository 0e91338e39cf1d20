/* What makes slices of two runs the same (difference.h), and a table of such things. */
#ifndef GRT_VIZ_ANSWERS_DIFFERENCE_KEY_H
#define GRT_VIZ_ANSWERS_DIFFERENCE_KEY_H

#include "viz/answers/difference_rows.h"

/* The numbers of tasks are those of their pairs, of labels those of the scope. */
struct grt_difference_key {
    uint32_t task, job;
    uint32_t detail; /* as the slice's, where it says what runs */
    /* of blocks: that of their kernel; of threads of the policy: which; of priorities: more of them */
    uint32_t place;
    uint32_t tag; /* part, what is counted, and of ends how it ended */
};

/* The kernels of the last blocks of one run. */
enum { GRT_KERNEL_CACHE = 64 };
struct grt_kernel_cache {
    struct grt_known_kernel {
        grt_time first, end,
            start; /* blocks of that task, job and grid that end in [first, end] are of the kernel */
        uint32_t job, place;
        uint16_t task, grid;
        bool known;
    } kernels[GRT_KERNEL_CACHE];
};

/* What a slice of a part is, without the tag; and how it ended, in 16 bits. */
struct grt_difference_key grt_difference_key_of(const struct grt_difference_scope *scope, int side,
                                                struct grt_kernel_cache *kernels, enum grt_track_part part,
                                                const struct grt_slice *slice, uint32_t *ending);

/* A key in a table: what is known of it. */
struct grt_difference_entry {
    struct grt_difference_key key;
    uint32_t next;       /* in its bucket, or of those that are free */
    int32_t surplus;     /* how many more of it run in A than in B */
    uint32_t head, tail; /* the events that wait for one of the other side: the first and the last */
    bool waits;
    uint8_t side; /* of those that wait */
};

struct grt_difference_table {
    struct grt_difference_entry *entries;
    uint32_t *buckets; /* the first entry of each */
    uint32_t entry_count, entry_capacity, bucket_count, used, free;
};

#define GRT_NO_ENTRY UINT32_MAX

void grt_difference_table_free(struct grt_difference_table *table);

/* The entry of a key, a new one if there is none; it may move others. */
uint32_t grt_difference_table_get(struct grt_difference_table *table, const struct grt_difference_key *key);

/* Takes an entry out. */
void grt_difference_table_drop(struct grt_difference_table *table, uint32_t entry);

#endif
