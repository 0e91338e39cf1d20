#include <math.h>
#include <stdlib.h>

#include "calib/measure/host.h"
#include "calib/measure/internal.h"
#include "calib/measure/stop.h"
#include "calib/raw/raw_shapes.h"
#include "sim/check.h"
#include "sim/memory.h"

enum { FIRST_CELLS = 64, FIRST_VALUES = 1024, FIRST_FIGURES = 32 };

struct cell *grt_cell_add(struct measure *measure, uint32_t rank, double cost_ns) {
    uint32_t needed = measure->cell_count + 1, first = GRT_FIRST_CAPACITY(FIRST_CELLS);
    measure->cells = grt_array_grow(measure->cells, &measure->cell_capacity, needed > first ? needed : first,
                                    sizeof *measure->cells);
    struct cell *cell = &measure->cells[measure->cell_count++];
    *cell = (struct cell){.rank = rank, .cost_ns = cost_ns};
    return cell;
}

void grt_cell_text(struct cell *cell, const char *name, const char *text) {
    cell->keys[cell->key_count++] = (struct grt_raw_key){.name = name, .text = text};
}

void grt_cell_number(struct cell *cell, const char *name, int64_t number) {
    cell->keys[cell->key_count++] = (struct grt_raw_key){.name = name, .number = number};
}

void grt_cells_clear(struct measure *measure) {
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        free(measure->cells[i].figures);
        free(measure->cells[i].visits);
    }
    measure->cell_count = 0;
}

/* What the samples of all cells up to a rank are expected to take. */
static double cost_up_to(const struct measure *measure, uint32_t rank, uint32_t least) {
    double sum = 0;
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        const struct cell *cell = &measure->cells[i];
        if (cell->rank <= rank) {
            sum += (cell->cost_ns + measure->overhead_ns) * (double)least;
        }
    }
    return sum;
}

uint32_t grt_cells_trim(struct measure *measure, double span_ns, uint32_t least) {
    uint32_t most = 0, kept = 0, before = measure->cell_count;
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        most = measure->cells[i].rank > most ? measure->cells[i].rank : most;
    }
    while (most > 0 && cost_up_to(measure, most, least) > span_ns) {
        most--;
    }
    for (uint32_t i = 0; i < measure->cell_count; i++) {
        if (measure->cells[i].rank <= most) {
            measure->cells[kept++] = measure->cells[i];
        }
    }
    measure->cell_count = kept;
    return before - kept;
}

void grt_cell_row(struct measure *measure, const int64_t *values, uint32_t count) {
    GRT_REQUIRE(measure->row_count == 0 || count == measure->row_values, "rows of a cell are alike");
    uint32_t used = measure->row_count * count, first = GRT_FIRST_CAPACITY(FIRST_VALUES);
    uint32_t needed = used + count;
    measure->rows = grt_array_grow(measure->rows, &measure->row_capacity, needed > first ? needed : first,
                                   sizeof *measure->rows);
    for (uint32_t i = 0; i < count; i++) {
        measure->rows[used + i] = values[i];
    }
    measure->row_values = count;
    measure->row_count++;
}

/* The shape of the cell by its keys: the columns' names are there. */
static const struct grt_raw_shape *shape_of(const struct measure *measure, const struct cell *cell) {
    const struct grt_raw_shape *shape;
    const char *experiment = grt_experiment_names[measure->number], *why = NULL;
    for (size_t i = 0; (shape = grt_raw_shape(i)) != NULL; i++) {
        struct grt_raw_batch batch = {
            .experiment = experiment, .key_count = cell->key_count, .column_count = shape->column_count};
        for (size_t j = 0; j < cell->key_count; j++) {
            batch.keys[j] = cell->keys[j];
        }
        for (size_t j = 0; j < shape->column_count; j++) {
            batch.columns[j].name = shape->columns[j];
        }
        if (grt_raw_shape_of(&batch, &why) == shape) {
            return shape;
        }
    }
    return NULL;
}

/* A clock that only calls move does not depend on the processor. */
struct visited grt_cell_visited(const struct measure *measure) {
    return (struct visited){.at = grt_measure_now(measure),
                            .cpu = grt_bench_is_simulated(measure->bench) ? -1 : grt_host_cpu()};
}

void grt_cell_write(struct measure *measure, const struct cell *cell, const struct visited *visited) {
    const struct grt_raw_shape *shape = shape_of(measure, cell);
    GRT_REQUIRE(shape != NULL, "give cells the keys of raw_shapes.c");
    uint32_t rows = measure->row_count, columns = (uint32_t)shape->column_count;
    GRT_REQUIRE(rows == 0 || measure->row_values == columns, "give rows the columns of raw_shapes.c");
    int64_t *values = grt_allocate(((size_t)rows * columns + 1) * sizeof *values);
    struct grt_raw_batch batch = {.experiment = shape->experiment,
                                  .key_count = cell->key_count,
                                  .at_ns = visited->at - measure->origin_host,
                                  .sm_mhz = visited->hertz / 1e6,
                                  .has_cpu = visited->cpu >= 0,
                                  .cpu = visited->cpu,
                                  .count = rows,
                                  .column_count = columns};
    for (size_t i = 0; i < cell->key_count; i++) {
        batch.keys[i] = cell->keys[i];
    }
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        batch.dropped_for[i] = visited->dropped_for[i];
        batch.dropped += visited->dropped_for[i];
    }
    for (uint32_t i = 0; i < columns; i++) {
        int64_t *column = values + (size_t)i * rows;
        for (uint32_t j = 0; j < rows; j++) {
            column[j] = measure->rows[j * columns + i];
        }
        batch.columns[i] = (struct grt_raw_column){.name = shape->columns[i], .values = column};
    }
    if ((rows > 0 || batch.dropped > 0) && !measure->unwritten) {
        measure->unwritten = !grt_raw_write_batch(measure->writer, &batch);
    }
    measure->row_count = 0;
    free(values);
}
