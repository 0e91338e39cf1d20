/* Source: rule W8, docs/gpu-model.md. From the first block that works on there is work under way until none is left, because a block
 * that is done takes the next item at once. If `workers` blocks work from the beginning on, the items are jobs on that many identical
 * machines and done in as many rounds. All other blocks exit, on all the room that those leave, and are never delayed by each other
 * longer than it takes for room to come free. */
#include "models/demand/pinned.h"

#include "models/span.h"

static grt_time at_least_one(grt_time time) {
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

static grt_time larger_of(grt_time a, grt_time b) {
    return a > b ? a : b;
}

static int64_t rounds_of(int64_t count, int64_t machines) {
    return (count + machines - 1) / machines;
}

static bool is_in(const struct grt_number_list *list, int64_t number) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] == number) {
            return true;
        }
    }
    return false;
}

/* P1, P4: blocks of one kernel alone are spread evenly, those that are left over by the device's order. How many of `blocks` come to the
 * right ones of `sms` SMs. */
static int64_t spread_evenly(const struct grt_device *device, const struct grt_kernel *kernel,
                             const struct grt_number_list *tpcs, int64_t sms, int64_t blocks) {
    uint16_t order[GRT_DEVICE_MAX_SMS];
    int64_t workers = 0, rank = 0;
    grt_device_sm_order(device, order);
    for (int64_t place = 0; place < device->sm_count; place++) {
        bool usable = tpcs->count == 0 || is_in(tpcs, order[place] / device->sms_per_tpc);
        bool right = usable && is_in(&kernel->sms, order[place]);
        workers += right ? blocks / sms + (rank < blocks % sms) : 0;
        rank += usable;
    }
    return workers;
}

/* How many SMs of those that it may use are wrong ones. */
static int64_t wrong_sms(const struct grt_device *device, const struct grt_kernel *kernel,
                         const struct grt_number_list *tpcs, int64_t sms) {
    int64_t wrong = sms;
    for (int64_t sm = 0; sm < device->sm_count; sm++) {
        bool usable = tpcs->count == 0 || is_in(tpcs, sm / device->sms_per_tpc);
        wrong -= usable && is_in(&kernel->sms, sm);
    }
    return wrong;
}

/* How the blocks come to the SMs at the beginning. */
struct start {
    int64_t blocks, items, room; /* of the kernel; for blocks on all its SMs */
    int64_t workers;             /* blocks that work from the beginning on, at least */
    bool exact;                  /* just as many */
};

static struct start start_of(const struct grt_device *device, const struct grt_kernel *kernel,
                             const struct grt_number_list *tpcs, int64_t sms, int64_t per_sm) {
    struct start start = {.blocks = kernel->blocks, .items = grt_kernel_items(kernel), .room = sms * per_sm};
    int64_t at_once = start.blocks < start.room ? start.blocks : start.room;
    bool given = tpcs->count > 0 || sms == device->sm_count;
    bool even =
        device->placement == GRT_PLACEMENT_MOST_ROOM || device->placement == GRT_PLACEMENT_LEAST_LOADED;
    if (given && even) {
        start.exact = true;
        start.workers = spread_evenly(device, kernel, tpcs, sms, at_once);
    } else if (given) { /* the others may be full */
        int64_t elsewhere = wrong_sms(device, kernel, tpcs, sms) * per_sm;
        start.workers = at_once > elsewhere ? at_once - elsewhere : 0;
    }
    start.workers = start.workers < start.items ? start.workers : start.items;
    return start;
}

grt_time grt_pinned_kernel_time(const struct grt_device *device, const struct grt_kernel *kernel,
                                const struct grt_number_list *tpcs, int64_t sms, int64_t per_sm) {
    struct start start = start_of(device, kernel, tpcs, sms, per_sm);
    grt_time item = at_least_one(grt_distribution_worst(&kernel->block_time)),
             exit = at_least_one(kernel->exit_time), limit = GRT_TIME_LIMIT;
    if (start.workers == 0 && start.exact) { /* few blocks, all on wrong SMs: the work is lost */
        return exit;
    }
    if (start.workers == 0) { /* one may begin behind some rounds of exits, the rest behind its work */
        return grt_span_sum_within(grt_span_product_within(item, start.items, limit),
                                   grt_span_product_within(exit, rounds_of(start.blocks, start.room), limit),
                                   limit);
    }
    int64_t exits = start.blocks - start.workers;
    grt_time work = grt_span_product_within(item, rounds_of(start.items, start.workers), limit);
    if (start.exact && start.blocks <= start.room) {
        return exits > 0 ? larger_of(work, exit) : work;
    }
    if (start.exact && start.room > start.workers) {
        int64_t rounds = rounds_of(exits, start.room - start.workers);
        return larger_of(work, grt_span_product_within(exit, rounds, limit));
    }
    return grt_span_sum_within(work, grt_span_product_within(exit, rounds_of(exits, start.room), limit),
                               limit);
}
