#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "calib/kernels/user.h"
#include "calib/measure/measure.h"
#include "calib/program/backend.h"
#include "calib/program/command.h"
#include "calib/program/measure_options.h"
#include "cli/terminal/date.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/text_table.h"
#include "scenarios/build_id.h"
#include "sim/program_name.h"

/* What measuring is told now and then. */
struct watch {
    double last; /* second at which progress was shown */
    bool shown;
};

static bool is_interrupted(void *state) {
    struct watch *watch = state;
    if (grt_interruption_came() && grt_interruption_tell()) {
        fprintf(stderr, "%s%s: told to end: what was measured stays; told again, it ends at once\n",
                watch->shown ? "\r\x1b[K" : "", grt_program_name());
        watch->shown = false;
    }
    return grt_interruption_came();
}

static void show_progress(void *state, const struct grt_measure_progress *progress) {
    struct watch *watch = state;
    bool terminal = isatty(STDERR_FILENO) == 1;
    double every = terminal ? 0.2 : 30;
    if (fabs(progress->seconds - watch->last) < every) {
        return;
    }
    watch->last = progress->seconds;
    watch->shown = terminal;
    fprintf(stderr, "%s%s: %.0f s: %s", terminal ? "\r" : "", grt_program_name(), progress->seconds,
            progress->experiment);
    if (progress->cells > 0) {
        fprintf(stderr, ", %zu of %zu cells", progress->done, progress->cells);
    }
    fputs(terminal ? "\x1b[K" : "\n", stderr);
    fflush(stderr);
}

static const char *host_text(struct grt_arena *arena) {
    struct utsname system;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return uname(&system) == 0 ? grt_format(arena, "%s %s %s, %ld processors", system.sysname, system.release,
                                            system.machine, processors)
                               : "";
}

static struct grt_raw_head make_head(const struct grt_measure_command *command, struct grt_bench *bench,
                                     struct grt_arena *arena) {
    const char *started = grt_date_text(grt_arena_array(arena, GRT_DATE_SIZE, 1));
    const char *hash = strstr(grt_kernels_made_by(), "hash ");
    return (struct grt_raw_head){
        .version = GRT_RAW_VERSION,
        .program = "gpurt-calib " GRT_VERSION,
        .build = grt_build_id,
        .backend = grt_backend_name(&command->backend),
        .started = started,
        .command = command->line,
        .host = host_text(arena),
        .driver = {grt_bench_driver(bench)->path, grt_bench_device(bench)->driver_version},
        .kernels = {grt_kernels_made_by(), hash != NULL ? hash + strlen("hash ") : ""}};
}

/* What `worst` runs beside each kernel (calib/measure/worst.c). */
static void say_neighbour(const struct grt_plan *plan) {
    bool is_wanted = plan->experiments == 0 || (plan->experiments >> GRT_EXPERIMENT_WORST & 1) != 0;
    for (size_t i = 0; i < plan->workload_count && is_wanted; i++) {
        is_wanted = strcmp(plan->workloads[i], "triad") != 0;
    }
    if (is_wanted && plan->workload_count > 0) {
        fprintf(stderr,
                "%s: worst: kernels are measured beside %s, since triad, which takes most of the memory's "
                "bandwidth, is not "
                "among --workloads\n",
                grt_program_name(), plan->workloads[0]);
    }
}

static enum grt_exit measure(const struct grt_measure_command *command, struct grt_bench *bench,
                             struct grt_raw_writer *writer, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct watch watch = {.last = -INFINITY};
    struct grt_plan plan = command->plan;
    if (!command->quiet) {
        say_neighbour(&plan);
    }
    plan.interrupted = is_interrupted;
    plan.progress = command->quiet ? NULL : show_progress;
    plan.state = &watch;
    const struct grt_raw_head head = make_head(command, bench, &arena);
    struct grt_interruption interruption;
    grt_interruption_start(&interruption);
    enum grt_measure_result result = grt_measure_device(bench, &plan, &head, writer, errors);
    grt_interruption_end(&interruption);
    if (watch.shown) {
        fputs("\r\x1b[K", stderr);
    }
    if (result == GRT_MEASURE_STOPPED) {
        grt_error_add(errors, NULL, "stopped; what was measured is in %s", command->output);
    }
    grt_arena_clear(&arena);
    return result == GRT_MEASURE_DONE ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* As many as a bench has as a rule, or what a large grid needs. */
static uint32_t record_count_for(uint32_t blocks) {
    enum { USUAL = 65536 };
    uint32_t needed = blocks * GRT_PLAN_RECORDS_PER_BLOCK;
    return needed > USUAL ? needed : USUAL;
}

/* Opens the device before the file: without one, there is no file. */
static enum grt_exit measure_device(const struct grt_measure_command *command, struct grt_driver *driver,
                                    struct grt_errors *errors) {
    struct grt_user_kernel user = {0};
    struct grt_bench_options options = {.driver = driver, .device = command->backend.device};
    if (command->kernel_file != NULL) {
        if (!grt_measure_read_kernel(command, driver, &user, errors)) {
            grt_user_kernel_free(&user);
            return GRT_EXIT_INPUT;
        }
        options.user = &user;
        options.record_count = record_count_for(command->plan.user_blocks);
    }
    struct grt_bench *bench = grt_bench_open(&options, errors);
    struct grt_raw_writer *writer =
        bench != NULL ? grt_raw_writer_open(command->output, command->replace, errors) : NULL;
    enum grt_exit result = GRT_EXIT_FAILED;
    if (writer != NULL) {
        result = measure(command, bench, writer, errors);
        result = grt_raw_writer_close(writer, errors) ? result : GRT_EXIT_FAILED;
    }
    if (bench != NULL) {
        grt_bench_close(bench);
    }
    grt_user_kernel_free(&user);
    return result;
}

enum grt_exit grt_calib_measure(int argc, char **argv) {
    struct grt_measure_command command = {0};
    struct grt_errors errors = {0};
    struct grt_backend backend = {0};
    grt_measure_options_parse(argc, argv, &command);
    if (command.backend.kind == GRT_BACKEND_HOST) {
        grt_plan_for_threads(&command.plan);
    }
    enum grt_exit result = GRT_EXIT_INPUT;
    if (grt_plan_check(&command.plan, &errors)) {
        result = grt_backend_open(&command.backend, &backend, &errors);
    }
    if (result == GRT_EXIT_DONE) {
        result = measure_device(&command, &backend.driver, &errors);
    }
    grt_backend_close(&backend);
    grt_print_errors(&errors, NULL);
    free(command.line);
    return result;
}
