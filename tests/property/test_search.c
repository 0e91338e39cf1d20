/* labels: soak */
/* Searches in random worlds against a look at every slice. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random_world.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/search.h"
#include "viz/answers/search_text.h"

struct found {
    grt_time end;
    struct grt_place place;
};

struct list {
    struct found *hits;
    uint32_t count;
};

static bool is_hit(const struct grt_timeline *timeline, const struct grt_row *row, enum grt_track_part part,
                   const struct grt_slice *slice, const char *text) {
    const char *name = NULL;
    if (part == GRT_PART_JOB) {
        name = row->name;
    } else if ((part == GRT_PART_KERNEL && row->kind == GRT_ROW_TASK) || part == GRT_PART_CALL) {
        name = grt_timeline_command(timeline, slice->task, slice->detail);
    } else if (part == GRT_PART_OWN || part == GRT_PART_OWN_MARK) {
        name = timeline->labels[slice->detail];
    }
    return name != NULL && grt_search_contains(name, text);
}

static bool has_job(const struct grt_row *row, enum grt_track_part part, uint32_t job) {
    const struct grt_track *track = grt_row_track(row, part);
    bool has = false;
    for (uint32_t i = 0; i < track->count; i++) {
        has |= grt_track_at(track, i).job == job;
    }
    return has;
}

/* Where it ended, else where it was released, else where it was skipped. */
static bool is_job(const struct grt_row *row, enum grt_track_part part, const struct grt_slice *slice,
                   const struct grt_search *search) {
    if (row->kind != GRT_ROW_TASK || slice->job != search->job ||
        !(search->text[0] == '\0' || grt_search_contains(row->name, search->text))) {
        return false;
    }
    bool ended = has_job(row, GRT_PART_JOB, search->job),
         released = has_job(row, GRT_PART_WINDOW, search->job);
    return part == (ended ? GRT_PART_JOB : released ? GRT_PART_WINDOW : GRT_PART_SIGN);
}

static int by_position(const void *a, const void *b) {
    const struct found *left = a, *right = b;
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    uint64_t l = (uint64_t)left->place.row << 32 | left->place.track,
             r = (uint64_t)right->place.row << 32 | right->place.track;
    if (l != r) {
        return l < r ? -1 : 1;
    }
    return (left->place.number > right->place.number) - (left->place.number < right->place.number);
}

static struct list look_everywhere(const struct grt_timeline *timeline, const struct grt_search *search) {
    struct list list = {NULL, 0};
    uint32_t room = 0;
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        const struct grt_row *row = &timeline->rows[i];
        for (uint32_t j = 0; j < row->track_count; j++) {
            for (uint32_t k = 0; k < row->tracks[j].track->count; k++) {
                struct grt_slice slice = grt_track_at(row->tracks[j].track, k);
                enum grt_track_part part = row->tracks[j].part;
                if (search->kind == GRT_SEARCH_JOB ? is_job(row, part, &slice, search)
                                                   : is_hit(timeline, row, part, &slice, search->text)) {
                    list.hits = grt_array_grow(list.hits, &room, list.count + 1, sizeof *list.hits);
                    list.hits[list.count++] = (struct found){slice.end, {i, j, k}};
                }
            }
        }
    }
    if (list.count > 0) {
        qsort(list.hits, list.count, sizeof *list.hits, by_position);
    }
    return list;
}

static bool same_place(const struct grt_place *a, const struct grt_place *b) {
    return a->row == b->row && a->track == b->track && a->number == b->number;
}

/* Through all hits in both directions. */
static bool walks(const struct grt_search *search, const struct list *list) {
    struct grt_search_hit hit;
    struct grt_place from = {GRT_NOWHERE, 0, 0};
    for (uint32_t i = 0; i < search->row_count + list->count; i++, from = hit.place) {
        if (!grt_search_next(search, &from, &hit) || hit.wrapped || hit.number != i) {
            return false;
        }
        const struct grt_place row = {i < search->row_count ? search->rows[i] : 0, 0, GRT_NO_SLICE};
        const struct grt_place *wanted =
            i < search->row_count ? &row : &list->hits[i - search->row_count].place;
        if (!same_place(&hit.place, wanted)) {
            return false;
        }
    }
    from = (struct grt_place){GRT_NOWHERE, 0, 0};
    for (uint32_t i = search->row_count + list->count; i-- > 0; from = hit.place) {
        if (!grt_search_previous(search, &from, &hit) || hit.wrapped || hit.number != i) {
            return false;
        }
    }
    return true;
}

static bool leaps(const struct grt_search *search, const struct list *list, grt_time instant) {
    struct grt_search_hit next = {.wrapped = true}, last = {.wrapped = true};
    uint32_t i = 0;
    while (i < list->count && list->hits[i].end <= instant) {
        i++;
    }
    bool any = grt_search_next_at(search, instant, &next);
    bool any_last = grt_search_previous_at(search, instant, &last);
    if (any != any_last || any != (list->count + search->row_count > 0)) {
        return false;
    }
    bool forward = i == list->count ? !any || next.wrapped : same_place(&next.place, &list->hits[i].place);
    bool backward = i > 0 ? same_place(&last.place, &list->hits[i - 1].place)
                          : !any || last.wrapped || last.place.number == GRT_NO_SLICE;
    return forward && backward;
}

static void choose_text(const struct grt_timeline *timeline, struct grt_random *random, char text[64]) {
    const char *name = timeline->rows[grt_random_below(random, timeline->row_count)].name;
    uint32_t task, place;
    unsigned job = (unsigned)grt_random_below(random, 4);
    if (timeline->kernel_count > 0 && grt_random_below(random, 3) == 0) {
        name = grt_timeline_named(timeline, (uint32_t)grt_random_below(random, timeline->kernel_count), &task,
                                  &place);
    }
    size_t skip = grt_random_below(random, 2) == 0 && strlen(name) > 1 ? 1 : 0;
    switch (grt_random_below(random, 4)) {
    case 0:
        snprintf(text, 64, "#%u", job);
        break;
    case 1:
        snprintf(text, 64, "%s#%u", name, job);
        break;
    default:
        snprintf(text, 64, "%.*s", grt_random_below(random, 2) == 0 ? 1 : 40, name + skip);
    }
}

static bool judge(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    struct grt_timeline timeline;
    struct grt_random random = grt_random_of_key(number);
    grt_random_world_add_calls(builder, number);
    grt_built_run_under(&run, builder, "hardware");
    grt_small_timeline(&timeline, run.kept.names, run.kept.name_count, run.kept.records,
                       run.kept.record_count);
    bool good = true;
    for (int i = 0; good && i < 8; i++) {
        struct grt_search search;
        char text[64];
        choose_text(&timeline, &random, text);
        grt_search_make(&search, &timeline, text);
        struct list list = look_everywhere(&timeline, &search);
        good = search.hit_count == search.row_count + list.count && walks(&search, &list);
        for (int j = 0; good && j < 10; j++) {
            good = leaps(&search, &list, (grt_time)grt_random_below(&random, (uint64_t)timeline.end + 10));
        }
        if (!good) {
            fprintf(stderr, "world %" PRIu64 ", \"%s\"\n", number, text);
        }
        free(list.hits);
        grt_search_free(&search);
    }
    grt_timeline_free(&timeline);
    grt_built_run_end(&run, builder);
    return good;
}

static void worlds(void) {
    int cases = grt_suite_cases(60, 1500);
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        bool good = judge(740000 + i);
        CU_ASSERT(good);
        if (!good) {
            return;
        }
    }
}

static CU_TestInfo tests[] = {
    {"searches of random worlds find what a look at every slice finds", worlds},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("search in random worlds", tests);
}
