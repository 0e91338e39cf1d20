#include "scenarios/experiment/points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/experiment/memo.h"
#include "scenarios/experiment/plan.h"
#include "scenarios/experiment/point_errors.h"
#include "sim/check.h"
#include "sim/hash.h"

/* Evaluations that differ from point to point have to be kept, some KiB each. */
enum { MOST_KEPT_EVALUATIONS = 20000 };

struct points {
    const struct grt_point_source *source;
    struct grt_experiment *experiment;
    struct grt_memo plans, makers;
    const struct grt_plan *first; /* the first plan that could be read */
    size_t kept_evaluations;
    uint32_t maker_capacity;
    struct grt_set_maker *maker_list; /* of experiment->makers */
    struct grt_arena drawing;
};

/* ---- names of points ---- */

static void label_point(const void *state, size_t point, char *text, size_t size) {
    const struct points *points = state;
    const struct grt_point *own = &points->experiment->points[point];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < points->source->axis_count && used < size; i++) {
        const struct grt_axis *axis = &points->source->axes[i].axis;
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i > 0 ? ", " : "", axis->name,
                                 axis->values[own->values[i]]);
    }
}

static uint64_t key_of(const struct grt_point_source *source, const size_t *values) {
    uint64_t key = 0;
    for (size_t i = 0; i < source->axis_count; i++) {
        const struct grt_axis *axis = &source->axes[i].axis;
        if (!axis->same_sets) {
            const char *text = axis->values[values[i]];
            key = grt_hash_bytes(key, axis->name, strlen(axis->name));
            key = grt_hash_bytes(key, text, strlen(text));
        }
    }
    return key;
}

/* ---- plans ---- */

static void read_plan(struct points *points, const cJSON *object, struct grt_memo_entry *entry) {
    struct grt_reader reader = *points->source->reader;
    reader.errors = &entry->errors;
    if (points->kept_evaluations > MOST_KEPT_EVALUATIONS) {
        grt_error_add(&entry->errors, NULL,
                      "the points have more than %d different evaluations; let the axes change less of them",
                      MOST_KEPT_EVALUATIONS);
        return;
    }
    const struct grt_plan *plan = grt_plan_read(&reader, object);
    if (plan == NULL) {
        return;
    }
    grt_file_names_in(points->source->files, object, ".", reader.arena);
    points->first = points->first != NULL ? points->first : plan;
    points->kept_evaluations += plan->count;
    grt_plan_compare(points->first, plan, &entry->errors);
    entry->value = grt_arena_new(reader.arena, struct grt_plan);
    *(struct grt_plan *)entry->value = *plan;
}

static const struct grt_plan *plan_of(struct points *points, const cJSON *object, size_t point,
                                      struct grt_point_errors *all) {
    bool fresh;
    char *text = cJSON_PrintUnformatted(object);
    struct grt_memo_entry *entry = grt_memo_find(&points->plans, text, &fresh);
    cJSON_free(text);
    if (fresh) {
        read_plan(points, object, entry);
    }
    grt_point_errors_note(all, &entry->errors, point);
    return entry->errors.count == 0 ? entry->value : NULL;
}

/* ---- generators ---- */

/* What a maker depends on: the generator, the device, the seed. To be freed. */
static char *maker_text(const cJSON *generator, const cJSON *object, uint64_t key) {
    const cJSON *own = grt_json_find(cJSON_GetArrayItem(grt_json_find(object, "evaluations"), 0), "platform");
    const cJSON *platform = grt_json_find(object, "platform");
    char *drawn = cJSON_PrintUnformatted(generator);
    char *on = cJSON_PrintUnformatted(own != NULL ? own : platform), *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%016" PRIx64 " %s %s", key, drawn, on != NULL ? on : "");
    fclose(out);
    cJSON_free(drawn);
    cJSON_free(on);
    return text;
}

/* What a set says of the platform that it is for; `path`: of whose platform it is, the root's or an evaluation's. */
static void check_set(const struct grt_generator_ops *generator, const struct grt_drawn_set *set,
                      const struct grt_evaluation *evaluation, const struct grt_path *path,
                      struct grt_errors *errors) {
    const struct grt_path platform = {.parent = path, .key = "platform"},
                          cpus = {.parent = &platform, .key = "cpus"};
    int64_t drawn = set->scenario.core_count, cores = evaluation->core_count;
    bool given = evaluation->assignment.allocation == GRT_ALLOCATION_GIVEN;
    if (set->whole && evaluation->gpu_count > 0 && path->parent == NULL) {
        grt_error_add(errors, &platform,
                      "not allowed for all evaluations: generator %s draws whole scenarios, with theirs",
                      generator->name);
    } else if (set->whole && evaluation->gpu_count > 0 && evaluation->gpu_count != set->scenario.gpu_count) {
        grt_error_add(errors, &platform, "must have %zu GPUs, as what generator %s draws (got %zu)",
                      set->scenario.gpu_count, generator->name, evaluation->gpu_count);
    } else if (!set->whole && evaluation->gpu_count == 0) {
        grt_error_add(errors, &platform, "required: generator %s draws tasks only", generator->name);
    } else if (given && cores > 0 && drawn == 0) {
        grt_error_add(errors, &cpus, "needs an allocation: generator %s puts tasks on no cores",
                      generator->name);
    } else if (given && cores > 0 && cores != drawn) {
        grt_error_add(errors, &cpus,
                      "must be %" PRId64 ", or needs an allocation: generator %s puts tasks on so many cores "
                      "(got %" PRId64 ")",
                      drawn, generator->name, cores);
    }
}

/* Each platform once. */
static void check_platforms(const struct grt_generator_ops *generator, const struct grt_drawn_set *set,
                            const struct grt_plan *plan, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "evaluations"};
    bool shared = false;
    for (size_t i = 0; i < plan->count; i++) {
        const struct grt_path own = {.parent = &list, .index = i};
        bool of_all = plan->evaluations[i].gpus == plan->gpus;
        if (!of_all || !shared) {
            check_set(generator, set, &plan->evaluations[i], of_all ? &root : &own, errors);
        }
        shared = shared || of_all;
    }
}

/* Tasks come without a policy. */
static void check_policies(const struct grt_plan *plan, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "evaluations"};
    for (size_t i = 0; i < plan->count; i++) {
        const struct grt_path path = {.parent = &list, .index = i},
                              policy = {.parent = &path, .key = "policy"};
        if (plan->evaluations[i].gpu_count > 0 && plan->evaluations[i].policy == NULL) {
            grt_error_add(errors, &policy, "required");
        }
    }
}

/* Draws a set, which shows what the generator makes. Not of one that may find none, after a tenth of a second or more, at each of thousands of points: what
 * its sets have in common is known, and is that of an empty one. */
static void try_maker(struct points *points, const struct grt_set_maker *maker, const struct grt_plan *plan,
                      struct grt_errors *errors) {
    struct grt_drawn_set set = {0};
    if (!maker->generator->may_find_none) {
        bool found = maker->generator->make(maker->maker, 0, &points->drawing, &set);
        GRT_REQUIRE(found, "only a generator that says so finds no set");
    }
    check_platforms(maker->generator, &set, plan, errors);
    if (!set.whole) {
        check_policies(plan, errors);
    }
    grt_arena_clear(&points->drawing);
}

static void keep_maker(struct points *points, struct grt_set_maker maker) {
    struct grt_experiment *experiment = points->experiment;
    uint32_t count = (uint32_t)experiment->maker_count;
    points->maker_list =
        grt_array_grow(points->maker_list, &points->maker_capacity, count + 1, sizeof *points->maker_list);
    points->maker_list[count] = maker;
    experiment->maker_count++;
}

static void add_files(const struct points *points, const struct grt_set_maker *maker) {
    const struct grt_point_source *source = points->source;
    const char *const *names = NULL;
    size_t count = maker->generator->files != NULL
                       ? maker->generator->files(maker->maker, source->reader->arena, &names)
                       : 0;
    for (size_t i = 0; i < count; i++) {
        grt_file_names_add(source->files, names[i], source->reader->arena);
    }
}

static struct grt_set_maker *create_maker(struct points *points, const cJSON *generator,
                                          const struct grt_plan *plan, uint64_t key,
                                          struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path path = {.parent = &root, .key = "generator"};
    struct grt_reader reader = *points->source->reader;
    struct grt_sets_fields fields = {0};
    reader.errors = errors;
    cJSON *object = cJSON_CreateObject();
    if (generator != NULL) {
        cJSON_AddItemReferenceToObject(object, "generator", (cJSON *)(size_t)generator);
    }
    bool good = grt_read_record(&reader, &grt_sets_record, object, &root, &fields);
    cJSON_Delete(object);
    if (!good || plan == NULL) {
        return NULL;
    }
    const struct grt_generator_place place = {.seed = grt_hash_add(grt_hash_mix(points->source->seed), key) &
                                                      (uint64_t)GRT_INTEGER_LIMIT,
                                              .device = plan->evaluations[0].gpus,
                                              .folder = reader.folder};
    struct grt_set_maker *maker = grt_arena_new(reader.arena, struct grt_set_maker);
    *maker = (struct grt_set_maker){fields.generator,
                                    fields.generator->create(fields.parameters, &place, errors, &path)};
    if (maker->maker == NULL) {
        return NULL;
    }
    keep_maker(points, *maker);
    add_files(points, maker);
    return maker;
}

static const struct grt_set_maker *maker_of(struct points *points, const cJSON *generator,
                                            const cJSON *object, const struct grt_plan *plan, size_t point,
                                            struct grt_point_errors *all) {
    bool fresh;
    struct grt_point *own = (struct grt_point *)(size_t)&points->experiment->points[point];
    char *text = maker_text(generator, object, own->key);
    struct grt_memo_entry *entry = grt_memo_find(&points->makers, text, &fresh);
    free(text);
    if (fresh) {
        entry->value = create_maker(points, generator, plan, own->key, &entry->errors);
    }
    grt_point_errors_note(all, &entry->errors, point);
    if (entry->value != NULL && plan != NULL) {
        struct grt_errors errors = {0};
        try_maker(points, entry->value, plan, &errors);
        grt_point_errors_note(all, &errors, point);
        grt_errors_clear(&errors);
    }
    return entry->value;
}

/* ---- points ---- */

static void read_point(struct points *points, size_t number, struct grt_point *point,
                       struct grt_point_errors *all) {
    const struct grt_point_source *source = points->source;
    struct grt_errors errors = {0};
    cJSON *tree = cJSON_Duplicate(source->body, true);
    point->key = key_of(source, point->values);
    grt_axes_put(source->axes, source->axis_count, point->values, tree, &errors);
    grt_point_errors_note(all, &errors, number);
    if (errors.count == 0) {
        cJSON *generator = cJSON_DetachItemFromObjectCaseSensitive(tree, "generator");
        const struct grt_plan *plan = plan_of(points, tree, number, all);
        const struct grt_set_maker *maker = maker_of(points, generator, tree, plan, number, all);
        if (plan != NULL && maker != NULL) {
            point->generator = maker->generator;
            point->maker = maker->maker;
            point->evaluations = plan->evaluations;
        }
        cJSON_Delete(generator);
    }
    cJSON_Delete(tree);
    grt_errors_clear(&errors);
}

/* The next combination, the last axis fastest. */
static void step(const struct grt_point_source *source, size_t *values) {
    for (size_t i = source->axis_count; i-- > 0;) {
        if (++values[i] < source->axes[i].axis.count) {
            return;
        }
        values[i] = 0;
    }
}

static size_t count_points(const struct grt_point_source *source) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "axes"};
    size_t count = 1;
    for (size_t i = 0; i < source->axis_count; i++) {
        count *= source->axes[i].axis.count; /* 1000 to the 6th has room */
    }
    if (count > GRT_MOST_POINTS) {
        grt_error_add(source->reader->errors, &list, "must come to at most %d points (got %zu)",
                      GRT_MOST_POINTS, count);
        return 0;
    }
    return count;
}

void grt_points_read(const struct grt_point_source *source, struct grt_experiment *experiment) {
    struct points points = {.source = source, .experiment = experiment};
    struct grt_arena *arena = source->reader->arena;
    struct grt_point_errors all = {0};
    size_t count = count_points(source);
    struct grt_point *list = grt_arena_array(arena, count, sizeof *list);
    size_t values[GRT_MOST_AXES] = {0};
    experiment->points = list;
    experiment->point_count = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(list[i].values, values, sizeof values);
        read_point(&points, i, &list[i], &all);
        step(source, values);
    }
    grt_point_errors_add(&all, count, source->reader->errors, label_point, &points);
    experiment->evaluation_count = points.first != NULL ? points.first->count : 0;
    if (experiment->maker_count > 0) {
        struct grt_set_maker *makers = grt_arena_array(arena, experiment->maker_count, sizeof *makers);
        experiment->makers = memcpy(makers, points.maker_list, experiment->maker_count * sizeof *makers);
    }
    free(points.maker_list);
    grt_memo_clear(&points.plans);
    grt_memo_clear(&points.makers);
}

cJSON *grt_points_split(cJSON *tree) {
    cJSON *body = cJSON_CreateObject();
    for (cJSON *item = tree->child, *next; item != NULL; item = next) {
        next = item->next;
        if (grt_axis_may_change(item->string) && item->string[strcspn(item->string, ".[")] == '\0') {
            cJSON_DetachItemViaPointer(tree, item);
            cJSON_AddItemToArray(body, item); /* it keeps its name */
        }
    }
    return body;
}
