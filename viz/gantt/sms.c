/* The rows of the SMs: the share of their threads in use, and the letter of the task that has the most of it. Many SMs
 * are folded into groups of neighbours. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "viz/gantt/chart.h"

enum { GROUPS_PER_GPU = 8, GROUPS_SHOWN = 256, LABEL_SIZE = 300, LEVELS = 8 };

/* Neighbouring SMs of one GPU, drawn as one. */
struct group {
    uint32_t first, count;
};

struct builder {
    struct grt_gantt_chart *chart;
    uint32_t sm_count;
    uint32_t *threads;   /* per SM: how many it holds */
    uint32_t *weights;   /* per record: the threads of a block */
    uint32_t *processes; /* per record: 1 + the process of a block, 0 where it has the GPU to itself */
    double *shares;      /* per column: the sum over tasks, then per column and task */
};

/* ---- Weights ---- */

static uint32_t kernel_weight(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel) {
    const struct grt_trace_name *name =
        grt_gantt_find_name(chart, GRT_NAME_KERNEL, kernel->task, grt_trace_segment(kernel->detail),
                            grt_trace_command(kernel->detail));
    return name != NULL ? name->weight : 0;
}

/* What the next record of a kernel says of the blocks before it. */
struct kernel_seen {
    uint32_t weight, process;
};

/* Places for the kernels of each task without a grid, and sorted for the pairs of task and grid that the trace has. */
struct kernels_seen {
    struct kernel_seen *plain;
    uint64_t *grids;
    struct kernel_seen *of_grids;
    size_t grid_count;
};

static uint64_t grid_key(const struct grt_trace_record *record) {
    return (uint64_t)record->task << 32 | grt_trace_grid(record->row);
}

static int compare_keys(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static struct kernels_seen find_grids(struct builder *builder) {
    const struct grt_trace_memory *trace = builder->chart->trace;
    struct kernels_seen seen = {0};
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += trace->records[i].kind == GRT_TRACE_KERNEL && grt_trace_grid(trace->records[i].row) > 0;
    }
    seen.plain = grt_arena_array(&builder->chart->arena, builder->chart->task_count, sizeof *seen.plain);
    seen.grids = grt_arena_array(&builder->chart->arena, count, sizeof *seen.grids);
    seen.of_grids = grt_arena_array(&builder->chart->arena, count, sizeof *seen.of_grids);
    count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        if (trace->records[i].kind == GRT_TRACE_KERNEL && grt_trace_grid(trace->records[i].row) > 0) {
            seen.grids[count++] = grid_key(&trace->records[i]);
        }
    }
    qsort(seen.grids, count, sizeof *seen.grids, compare_keys);
    for (size_t i = 0; i < count; i++) {
        if (seen.grid_count == 0 || seen.grids[seen.grid_count - 1] != seen.grids[i]) {
            seen.grids[seen.grid_count++] = seen.grids[i];
        }
    }
    return seen;
}

/* The place for a kernel or block of a task that is in the chart: by task and grid. */
static struct kernel_seen *seen_of(const struct kernels_seen *seen, const struct grt_trace_record *record) {
    if (grt_trace_grid(record->row) > 0 && seen->grid_count > 0) {
        uint64_t key = grid_key(record);
        const uint64_t *found = bsearch(&key, seen->grids, seen->grid_count, sizeof key, compare_keys);
        if (found != NULL) {
            return &seen->of_grids[found - seen->grids];
        }
    }
    return &seen->plain[record->task];
}

/* A block does not say of which kernel it is: a job's kernels of one grid number come one after the other, so it is the
 * one whose record is next in the trace. */
static void find_kernels(struct builder *builder) {
    const struct grt_trace_memory *trace = builder->chart->trace;
    struct kernels_seen seen = find_grids(builder);
    builder->weights = grt_allocate(trace->record_count * sizeof *builder->weights);
    builder->processes = grt_allocate(trace->record_count * sizeof *builder->processes);
    for (size_t i = trace->record_count; i-- > 0;) {
        const struct grt_trace_record *record = &trace->records[i];
        builder->weights[i] = builder->processes[i] = 0;
        bool kernel = record->kind == GRT_TRACE_KERNEL, block = record->kind == GRT_TRACE_BLOCK;
        if (record->task >= builder->chart->task_count || !(kernel || block)) {
            continue;
        }
        struct kernel_seen *next = seen_of(&seen, record);
        if (kernel) {
            next->weight = kernel_weight(builder->chart, record);
            next->process = grt_gantt_process_of_stream(builder->chart, grt_trace_row(record->row));
        } else {
            builder->weights[i] = next->weight;
            builder->processes[i] = next->process;
        }
    }
}

/* The share of its SM that a block has; all of it where the trace does not say. */
static double share_of(const struct builder *builder, size_t record, uint32_t sm) {
    double threads = builder->threads[sm], weight = builder->weights[record];
    return threads > 0 && weight > 0 && weight < threads ? weight / threads : 1;
}

/* ---- One group ---- */

static void add_span(struct builder *builder, uint32_t task, double share, grt_time start, grt_time end) {
    const struct grt_gantt_chart *chart = builder->chart;
    uint32_t first, last;
    if (!grt_gantt_clip(chart, &start, &end, &first, &last)) {
        return;
    }
    for (uint32_t column = first; column <= last; column++) {
        builder->shares[(size_t)column * chart->task_count + task] +=
            share * (double)grt_gantt_overlap(chart, column, start, end);
    }
}

/* A block uses its SM while its process has the SMs. */
static void add_block(struct builder *builder, size_t index) {
    const struct grt_trace_record *block = &builder->chart->trace->records[index];
    uint32_t process = builder->processes[index];
    double share = share_of(builder, index, grt_trace_row(block->row));
    grt_time start = block->other, end;
    while (grt_gantt_next_stay(builder->chart, process, &start, &end, block->time)) {
        add_span(builder, block->task, share, start, end);
        start = end;
    }
}

/* Sums each task's share of the group's threads, times ns, into shares[column * task_count + task]. */
static void sum_shares(struct builder *builder, const struct group *group) {
    const struct grt_gantt_chart *chart = builder->chart;
    memset(builder->shares, 0, (size_t)chart->column_count * chart->task_count * sizeof *builder->shares);
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task < chart->task_count &&
            grt_trace_row(record->row) - group->first < group->count) {
            add_block(builder, i);
        }
    }
}

static uint32_t level_of(double share) {
    uint32_t level = (uint32_t)(share * LEVELS + 0.5);
    return level < 1 ? 1 : level > LEVELS ? LEVELS : level;
}

/* Marks each column with the task that has the most of the group's threads in it. */
static void find_letters(const struct builder *builder, struct grt_gantt_cell *letters) {
    const struct grt_gantt_chart *chart = builder->chart;
    for (uint32_t column = 0; column < chart->column_count; column++) {
        const double *shares = builder->shares + (size_t)column * chart->task_count;
        uint32_t most = 0;
        for (uint32_t task = 1; task < chart->task_count; task++) {
            most = shares[task] > shares[most] ? task : most;
        }
        if (shares[most] > 0) {
            letters[column].task = (uint16_t)most;
            letters[column].sign = GRT_SIGN_LETTER;
        }
    }
}

static struct grt_gantt_cell bar_of(const struct builder *builder, const struct group *group, uint32_t column,
                                    const struct grt_gantt_cell *letter) {
    const struct grt_gantt_chart *chart = builder->chart;
    double sum = 0, capacity = (double)group->count * (double)grt_gantt_column_time(chart, column);
    for (uint32_t task = 0; task < chart->task_count; task++) {
        sum += builder->shares[(size_t)column * chart->task_count + task];
    }
    if (!(sum > 0)) {
        return (struct grt_gantt_cell){0};
    }
    return (struct grt_gantt_cell){.task = letter->task,
                                   .sign = (uint8_t)(GRT_SIGN_LEVEL + level_of(sum / capacity) - 1)};
}

/* ---- Groups ---- */

/* The length of a name without the number at its end: SMs of one GPU share it. */
static size_t stem_length(const char *name) {
    size_t length = strlen(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1])) {
        length--;
    }
    return length;
}

static const char *sm_name(const struct builder *builder, uint32_t sm) {
    return grt_gantt_name(builder->chart, GRT_NAME_SM, sm);
}

/* How many SMs from `first` on belong to the same GPU. */
static uint32_t gpu_size(const struct builder *builder, uint32_t first) {
    const char *name = sm_name(builder, first);
    size_t stem = stem_length(name);
    uint32_t count = 1;
    while (first + count < builder->sm_count) {
        const char *other = sm_name(builder, first + count);
        if (stem_length(other) != stem || strncmp(name, other, stem) != 0) {
            break;
        }
        count++;
    }
    return count;
}

static void add_bars(struct builder *builder, const struct group *group,
                     const struct grt_gantt_cell *letters) {
    char label[LABEL_SIZE];
    const char *first = sm_name(builder, group->first);
    const char *last = sm_name(builder, group->first + group->count - 1);
    if (group->count > 1) {
        snprintf(label, sizeof label, "%s-%s", first, last + stem_length(last));
    } else {
        snprintf(label, sizeof label, "%s", first);
    }
    struct grt_gantt_cell *bars = grt_gantt_add_row(builder->chart, label);
    for (uint32_t column = 0; column < builder->chart->column_count; column++) {
        bars[column] = bar_of(builder, group, column, &letters[column]);
    }
}

static void add_letters(struct builder *builder, const struct grt_gantt_cell *letters) {
    struct grt_gantt_cell *cells = grt_gantt_add_row(builder->chart, "");
    memcpy(cells, letters, builder->chart->column_count * sizeof *cells);
}

static bool are_same(const struct grt_gantt_chart *chart, const struct grt_gantt_cell *first,
                     const struct grt_gantt_cell *second) {
    for (uint32_t column = 0; column < chart->column_count; column++) {
        if (first[column].sign != second[column].sign || first[column].task != second[column].task) {
            return false;
        }
    }
    return true;
}

/* The letters of a group stand below its bars; groups below each other that have the same letters share them. */
static void add_groups(struct builder *builder) {
    struct grt_gantt_cell *pending = NULL;
    uint32_t groups = 0;
    for (uint32_t gpu = 0, size = 0; gpu < builder->sm_count; gpu += size) {
        size = gpu_size(builder, gpu);
        if (groups > GROUPS_SHOWN - GROUPS_PER_GPU) {
            builder->chart->hidden_rows += size < GROUPS_PER_GPU ? size : GROUPS_PER_GPU;
            continue;
        }
        uint32_t each = (size + GROUPS_PER_GPU - 1) / GROUPS_PER_GPU;
        for (uint32_t first = 0; first < size; first += each) {
            uint32_t count = size - first < each ? size - first : each;
            struct group group = {.first = gpu + first, .count = count};
            groups++;
            struct grt_gantt_cell *letters =
                grt_arena_array(&builder->chart->arena, builder->chart->column_count, sizeof *letters);
            sum_shares(builder, &group);
            find_letters(builder, letters);
            if (pending != NULL && !are_same(builder->chart, pending, letters)) {
                add_letters(builder, pending);
            }
            add_bars(builder, &group, letters);
            pending = letters;
        }
    }
    GRT_ASSERT(pending != NULL, "draw the SMs of a platform that has some");
    add_letters(builder, pending);
}

static bool any_block(const struct grt_gantt_chart *chart) {
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        grt_time start = chart->trace->records[i].other, end = chart->trace->records[i].time;
        uint32_t first, last;
        if (chart->trace->records[i].kind == GRT_TRACE_BLOCK &&
            grt_gantt_clip(chart, &start, &end, &first, &last)) {
            return true;
        }
    }
    return false;
}

void grt_gantt_add_sms(struct grt_gantt_chart *chart) {
    struct builder builder = {.chart = chart, .sm_count = grt_gantt_name_count(chart, GRT_NAME_SM)};
    if (builder.sm_count == 0 || chart->task_count == 0 || !any_block(chart)) {
        return;
    }
    builder.threads = grt_arena_array(&chart->arena, builder.sm_count, sizeof *builder.threads);
    for (size_t i = 0; i < chart->trace->name_count; i++) {
        const struct grt_trace_name *name = &chart->trace->names[i];
        if (name->kind == GRT_NAME_SM && name->index < builder.sm_count) {
            builder.threads[name->index] = name->weight;
        }
    }
    find_kernels(&builder);
    builder.shares = grt_allocate((size_t)chart->column_count * chart->task_count * sizeof *builder.shares);
    add_groups(&builder);
    free(builder.shares);
    free(builder.processes);
    free(builder.weights);
}
