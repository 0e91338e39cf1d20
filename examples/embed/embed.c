/* Simulates a scenario under a policy of choice and prints each task's longest response and misses.
 *     cc -std=c17 embed.c $(pkg-config --cflags --libs gpurt) -o embed
 *     ./embed scenario.json [policy] */
#include <gpurt.h>
#include <inttypes.h>

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: embed SCENARIO [POLICY]\n");
        return 2;
    }
    struct grt_simulation simulation = {0};
    struct grt_errors errors = {0};
    struct grt_scenario_changes changes = {.policy = argc == 3 ? argv[2] : NULL};
    bool done = grt_simulation_load(&simulation, argv[1], &changes, &errors) &&
                grt_simulation_run(&simulation, false, &errors) &&
                grt_simulation_is_whole(&simulation, &errors); /* not ended for want of memory */
    for (size_t i = 0; done && i < simulation.result->task_count; i++) {
        const struct grt_task_result *task = &simulation.result->tasks[i];
        printf("%s: %" PRIu64 " jobs, longest response %.3f ms, %" PRIu64 " missed\n", task->name,
               task->released, (double)task->response.max / (double)GRT_MILLISECOND, task->missed);
    }
    if (!done) {
        fprintf(stderr, "embed: %s:\n", argv[1]);
        grt_errors_print(&errors, stderr, "  ");
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
    return done ? 0 : 1;
}
