/* Blocks that look on which SM they are and work there only if it is one of the right ones: rule W8.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA",
 * JRWRTC 2019, section 4.3, for the test and the exit; B. Wu, G. Chen, D. Li, X. Shen, J. Vetter, "Enabling and Exploiting Flexible
 * Task Assignment on GPU through SM-Centric Program Transformations", ICS 2015, for the loop in which the blocks that stay take items
 * of work until none is left. */
#include "models/gpu/pin.h"

#include "models/gpu/internal.h"

void grt_gpu_use_pins(struct grt_gpu *gpu) {
    gpu->uses.pins = true;
    gpu->uses.apart = true; /* its dispatch tells blocks that they begin */
    gpu->uses.more_than_ends = true;
}

/* The k-th item that is taken draws the k-th time, whichever block takes it. */
static grt_time take_item(struct command *command) {
    const struct grt_gpu_kernel *kernel = command->kernel;
    uint32_t item = kernel->items - command->items_left--;
    return kernel->same_time              ? command->block_time
           : command->block_times != NULL ? command->block_times[item]
                                          : grt_distribution_draw(&kernel->block_time, &command->random);
}

static bool is_pinned_to(const struct grt_gpu_kernel *kernel, uint32_t place) {
    return (kernel->pinned_to[place / 64] >> place % 64 & 1) != 0;
}

grt_time gpu_pin_block_begins(struct command *command, struct cohort *cohort) {
    const struct grt_gpu_kernel *kernel = command->kernel;
    if (cohort->first == 0) {
        command->items_left = kernel->items;
    }
    cohort->exits = !is_pinned_to(kernel, cohort->place) || command->items_left == 0;
    return cohort->exits ? kernel->exit_time : take_item(command);
}

/* The last block of a kernel ends. */
static void lose_items(struct grt_gpu *gpu, const struct command *command) {
    gpu->lost_items += command->items_left;
    if (gpu->options.trace != NULL && command->items_left > 0) {
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                              .time = gpu->options.loop->now,
                                              .other = command->items_left,
                                              .job = command->job,
                                              .detail = command->place,
                                              .row = gpu->streams[command->stream].row,
                                              .task = command->task,
                                              .kind = GRT_TRACE_LOST_ITEMS,
                                          });
    }
}

/* A block has taken another item. */
static void tell_item(struct grt_gpu *gpu, const struct context *context, uint32_t number) {
    const struct grt_gpu_listener *listener = &gpu->options.listener;
    const struct cohort *cohort = &context->cohorts[number];
    const struct command *command = &gpu->commands[cohort->command];
    if (listener->block_begins != NULL) {
        listener->block_begins(listener->state, command->owner, cohort->first, gpu_pin_item(command, cohort),
                               grt_placement_sm(context->placement, cohort->place));
    }
}

bool gpu_pin_goes_on(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct cohort *cohort = &context->cohorts[number];
    struct command *command = &gpu->commands[cohort->command];
    if (command->kernel->items == 0) {
        return false;
    }
    if (!cohort->exits && command->items_left > 0) {
        gpu_cohort_cut(gpu, context, cohort, GRT_TRACE_GOES_ON);
        grt_time time = take_item(command);
        cohort->time = time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
        gpu_cohort_run(gpu, context, number, clock_of(gpu, context));
        tell_item(gpu, context, number);
        return true;
    }
    if (command->running == 1 && command->next_block == command->block_end) {
        lose_items(gpu, command);
    }
    return false;
}
