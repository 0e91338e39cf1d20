/* Simulates a scenario with the seeds 1 to N, reading its file once, and prints each task's longest response of all runs.
 *
 *     cc -std=c17 seeds.c $(pkg-config --cflags --libs gpurt) -o seeds
 *     ./seeds scenario.json 100 */
#include <errno.h>
#include <gpurt.h>
#include <inttypes.h>
#include <stdlib.h>

/* One run; false after adding errors. */
static bool run(const struct grt_scenario_file *file, uint64_t seed, struct grt_arena_store *store,
                grt_time *longest, struct grt_errors *errors) {
    struct grt_scenario scenario = file->scenario;
    scenario.seed = seed;
    struct grt_world_options options = {.store =
                                            store}; /* each run takes over the memory of the one before */
    struct grt_world *world =
        grt_world_create(&scenario, file->policy, file->policy_parameters, &options, errors);
    if (world == NULL) {
        return false;
    }
    grt_world_run(world);
    bool whole = grt_world_is_whole(world, errors); /* not ended for want of memory */
    const struct grt_result *result = grt_world_result(world);
    for (size_t i = 0; i < result->task_count; i++) {
        grt_time response = result->tasks[i].response.max;
        longest[i] = response > longest[i] ? response : longest[i];
    }
    grt_world_free(world);
    return whole;
}

/* A whole number from 1; 0: it is none. */
static uint64_t number_of(const char *text) {
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    bool good = text[0] >= '1' && text[0] <= '9' && *end == '\0' && errno == 0;
    return good ? number : 0;
}

int main(int argc, char **argv) {
    uint64_t count = argc == 3 ? number_of(argv[2]) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: seeds SCENARIO N\n");
        return 2;
    }
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    struct grt_arena_store store = {0};
    bool done = grt_scenario_read(argv[1], NULL, &file, &errors);
    size_t task_count = file.scenario.task_count; /* 0 where it was refused */
    grt_time *longest = grt_allocate((task_count + 1) * sizeof *longest);
    for (size_t i = 0; i < task_count; i++) {
        longest[i] = 0;
    }
    for (uint64_t seed = 1; done && seed <= count; seed++) {
        done = run(&file, seed, &store, longest, &errors);
    }
    for (size_t i = 0; done && i < task_count; i++) {
        printf("%s: %" PRId64 " ns\n", file.scenario.tasks[i].name, longest[i]);
    }
    if (!done) {
        fprintf(stderr, "seeds: %s:\n", argv[1]);
        grt_errors_print(&errors, stderr, "  ");
    }
    grt_errors_clear(&errors);
    free(longest);
    grt_scenario_file_free(&file);
    grt_arena_store_free(&store);
    return done ? 0 : 1;
}
