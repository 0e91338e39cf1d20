#include "tests/bench/block_maker.h"

#include <stdio.h>

enum { TASKS = 7, NAMES = TASKS + BLOCK_MAKER_MOST_SMS };

static void begin_block(struct block_maker *maker, uint32_t lane, grt_time at) {
    maker->starts[lane] = at + (grt_time)grt_random_below(&maker->random, 500);
    grt_time time = 5000 + (grt_time)grt_random_below(&maker->random, 10000);
    grt_ready_queue_push(&maker->ends, maker->starts[lane] + time, 0, lane);
}

void block_maker_start(struct block_maker *maker, uint32_t sms) {
    *maker = (struct block_maker){.random = grt_random_of_key(1)};
    maker->ends = grt_ready_queue_create(&maker->arena, sms * BLOCK_MAKER_LANES);
    for (uint32_t lane = 0; lane < sms * BLOCK_MAKER_LANES; lane++) {
        begin_block(maker, lane, 0);
    }
}

void block_maker_free(struct block_maker *maker) {
    grt_arena_clear(&maker->arena);
}

struct grt_trace_record block_maker_next(struct block_maker *maker) {
    uint32_t number = maker->made++;
    grt_time end = grt_ready_queue_top(&maker->ends)->key;
    uint32_t lane = grt_ready_queue_pop(&maker->ends);
    struct grt_trace_record record = {.time = end,
                                      .other = maker->starts[lane],
                                      .job = number / 1000,
                                      .detail = number % 1000,
                                      .row = lane / BLOCK_MAKER_LANES,
                                      .task = (uint16_t)(lane % TASKS),
                                      .kind = GRT_TRACE_BLOCK};
    begin_block(maker, lane, end);
    return record;
}

const struct grt_trace_name *block_maker_names(uint32_t sms, size_t *count) {
    static struct grt_trace_name names[NAMES];
    static char texts[NAMES][16];
    for (uint32_t i = 0; i < TASKS + sms; i++) {
        bool is_task = i < TASKS;
        uint32_t index = is_task ? i : i - TASKS;
        snprintf(texts[i], sizeof texts[i], "%s %u", is_task ? "task" : "SM", (unsigned)index);
        names[i] = (struct grt_trace_name){.kind = is_task ? GRT_NAME_TASK : GRT_NAME_SM,
                                           .index = index,
                                           .weight = is_task ? 0 : 2048,
                                           .text = texts[i]};
    }
    *count = TASKS + sms;
    return names;
}
