/* Joins journals. They are read side by side, always that one on whose last chunk has the smallest number: lines are in about the order of their
 * numbers, so that little has to wait for what comes before it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/memory.h"
#include "study/sweep/collect.h"
#include "study/sweep/sweep_work.h"

struct source {
    struct grt_journal_reader *reader;
    uint64_t last; /* the number that was read last; UINT64_MAX: it is at its end */
};

struct merging {
    struct grt_collector collector;
    struct source *sources;
    uint32_t *origins; /* by chunk: which source, from 1 */
    size_t count;
    struct grt_chunk *chunk;
};

static struct source *pick(struct merging *merging) {
    struct source *least = &merging->sources[0];
    for (size_t i = 1; i < merging->count; i++) {
        least = merging->sources[i].last < least->last ? &merging->sources[i] : least;
    }
    return least->last == UINT64_MAX ? NULL : least;
}

static void add_conflict(const struct merging *merging, const struct source *source,
                         struct grt_errors *errors) {
    const struct grt_chunk_plan *plan = &merging->collector.plan;
    uint64_t number = merging->chunk->number;
    const struct source *other = &merging->sources[merging->origins[number] - 1];
    grt_error_add(errors, NULL,
                  "%s: line %" PRIu64 ": sets %" PRIu64 " to %" PRIu64 " of point %" PRIu64
                  " are also in %s, with another result: one of both was made by another program, or changed",
                  grt_journal_reader_path(source->reader), grt_journal_reader_line(source->reader),
                  grt_chunk_first(plan, number) + 1,
                  grt_chunk_first(plan, number) + grt_chunk_size(plan, number),
                  grt_chunk_point(plan, number) + 1, grt_journal_reader_path(other->reader));
}

/* Takes the next chunk of a source; false after adding an error. */
static bool advance(struct merging *merging, struct source *source, struct grt_errors *errors) {
    size_t before = errors->count;
    uint64_t hash = 0;
    if (!grt_journal_reader_next(source->reader, merging->chunk, &hash, errors)) {
        source->last = UINT64_MAX;
        return errors->count == before;
    }
    source->last = merging->chunk->number;
    switch (grt_collector_take(&merging->collector, merging->chunk, hash)) {
    case GRT_COLLECTOR_NEW:
        merging->origins[source->last] = (uint32_t)(source - merging->sources) + 1;
        return true;
    case GRT_COLLECTOR_CONFLICT:
        add_conflict(merging, source, errors);
        return false;
    default:
        return true;
    }
}

/* Says how much is missing, and of which points. People count from 1. */
static void add_missing(const struct merging *merging, struct grt_errors *errors) {
    const struct grt_collector *collector = &merging->collector;
    uint64_t missing = collector->count - collector->done, points = 0, first = 0, last = UINT64_MAX;
    for (uint64_t number = 0; number < collector->plan.total; number++) {
        uint64_t point = grt_chunk_point(&collector->plan, number);
        if (collector->digests[number] == 0 && point != last) {
            first = points == 0 ? point : first;
            last = point;
            points++;
        }
    }
    char which[96];
    if (points == 1) {
        snprintf(which, sizeof which, "of point %" PRIu64, first + 1);
    } else {
        snprintf(which, sizeof which, "of %" PRIu64 " points from point %" PRIu64 " to %" PRIu64, points,
                 first + 1, last + 1);
    }
    grt_error_add(errors, NULL,
                  "%" PRIu64 " of %" PRIu64 " chunks %s missing, %s"
                  ": a shard is not there, or not at its end; gpurt sweep goes on where it stopped",
                  missing, collector->count, missing == 1 ? "is" : "are", which);
}

static bool read_all(struct merging *merging, struct grt_errors *errors) {
    struct source *source = NULL;
    bool good = true;
    while (good && (source = pick(merging)) != NULL) {
        good = advance(merging, source, errors);
    }
    if (good && merging->collector.done < merging->collector.count) {
        add_missing(merging, errors);
        good = false;
    }
    return good;
}

static bool open_all(struct merging *merging, const struct grt_journal_head *head,
                     const char *const *journals, struct grt_errors *errors) {
    bool good = true;
    for (size_t i = 0; i < merging->count; i++) {
        merging->sources[i] = (struct source){.reader = grt_journal_reader_open(journals[i], head, errors)};
        good = good && merging->sources[i].reader != NULL;
    }
    return good;
}

bool grt_sweep_work_merge(const struct grt_experiment *experiment, const struct grt_chunk_shape *shape,
                          const char *const *journals, size_t count, struct grt_results *results,
                          struct grt_errors *errors) {
    struct grt_chunk_plan plan;
    if (!grt_sweep_plan(experiment, 0, 1, &plan, errors)) {
        return false;
    }
    struct grt_journal_head head = grt_sweep_head(experiment, shape, plan);
    struct merging merging = {.count = count};
    grt_collector_start(&merging.collector, &plan, shape, experiment, results);
    merging.sources = grt_allocate(count * sizeof *merging.sources);
    merging.origins = grt_allocate(plan.total * sizeof *merging.origins);
    merging.chunk = grt_chunk_create(shape, 0);
    bool good = open_all(&merging, &head, journals, errors) && read_all(&merging, errors);
    for (size_t i = 0; i < count; i++) {
        grt_journal_reader_close(merging.sources[i].reader);
    }
    grt_collector_end(&merging.collector);
    free(merging.sources);
    free(merging.origins);
    free(merging.chunk);
    if (!good) {
        grt_results_free(results);
    }
    return good;
}
