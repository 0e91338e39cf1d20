#include <stdlib.h>
#include <string.h>

#include "calib/program/import/nsys_reader.h"

enum {
    MOST_OPERATIONS = 1 << 22,
    COPY_H2D = 1, /* CUpti_ActivityMemcpyKind */
    COPY_D2H = 2,
};

/* The columns that all tables of operations have, in this order, before their own. */
#define OPERATION_COLUMNS                                                                                    \
    {"start", true}, {"end", true}, {"deviceId", true}, {"streamId", true}, {"contextId", false},            \
        {"correlationId", false}, {                                                                          \
        "globalPid", false                                                                                   \
    }
enum { OWN = 7 };

/* A row's times and place, and its call; NULL after an error. */
static struct grt_nsys_operation *add_operation(struct nsys_reader *reader, struct grt_sqlite_table *table) {
    struct grt_nsys *out = reader->out;
    int64_t process = PROCESS_OF(grt_sqlite_number(table, 6, 0));
    struct grt_nsys_operation operation = {.start = grt_sqlite_number(table, 0, 0),
                                           .end = grt_sqlite_number(table, 1, 0),
                                           .stream = {process, grt_sqlite_number(table, 2, 0),
                                                      grt_sqlite_number(table, 4, 0),
                                                      grt_sqlite_number(table, 3, 0)}};
    if (table->failed || operation.start < 0 || operation.end < operation.start ||
        operation.end > GRT_TIME_LIMIT || out->operation_count == MOST_OPERATIONS) {
        if (!table->failed) {
            grt_error_add(reader->errors, NULL,
                          out->operation_count == MOST_OPERATIONS
                              ? "%s: there are more operations than can be read: export less of the profile"
                              : "%s: an operation ends before it starts, or has no time",
                          table->name);
        }
        table->failed = true;
        return NULL;
    }
    const struct nsys_call *call = grt_nsys_call(reader, process, grt_sqlite_number(table, 5, -1));
    if (call != NULL) {
        operation.called = true;
        operation.call_start = call->start;
        operation.call_thread = call->thread;
        operation.synchronous = call->name != NULL && strstr(call->name, "Async") == NULL;
    }
    out->operations = grt_array_grow(out->operations, &reader->operation_capacity,
                                     (uint32_t)out->operation_count + 1, sizeof out->operations[0]);
    out->operations[out->operation_count] = operation;
    return &out->operations[out->operation_count++];
}

/* The product of three sizes; refuses what no GPU has. */
static int64_t product(struct grt_sqlite_table *table, int first, int64_t most) {
    int64_t result = 1;
    for (int i = first; i < first + 3; i++) {
        int64_t size = grt_sqlite_number(table, i, 1);
        result = size > 0 && size <= most / result ? result * size : most + 1;
        if (result > most) {
            if (!table->failed) {
                grt_error_add(table->errors, NULL, "%s: a %s of %lld is no size", table->name,
                              table->columns[i].name, (long long)size);
            }
            table->failed = true;
            return 1;
        }
    }
    return result;
}

static const struct grt_sqlite_column kernel_columns[] = {OPERATION_COLUMNS,
                                                          {"gridX", true},
                                                          {"gridY", true},
                                                          {"gridZ", true},
                                                          {"blockX", true},
                                                          {"blockY", true},
                                                          {"blockZ", true},
                                                          {"registersPerThread", false},
                                                          {"staticSharedMemory", false},
                                                          {"dynamicSharedMemory", false},
                                                          {"shortName", false},
                                                          {"demangledName", false}};

static void set_kernel(struct nsys_reader *reader, struct grt_sqlite_table *table,
                       struct grt_nsys_operation *kernel) {
    const char *name = grt_nsys_text(reader, grt_sqlite_number(table, OWN + 9, -1));
    name = name != NULL ? name : grt_nsys_text(reader, grt_sqlite_number(table, OWN + 10, -1));
    kernel->kind = GRT_NSYS_KERNEL;
    kernel->name = name != NULL ? name : "kernel";
    kernel->blocks = product(table, OWN, INT64_C(1) << 31);
    kernel->threads = product(table, OWN + 3, 1024);
    kernel->registers = grt_sqlite_number(table, OWN + 6, 0);
    kernel->shared_bytes = grt_sqlite_number(table, OWN + 7, 0) + grt_sqlite_number(table, OWN + 8, 0);
    kernel->synchronous = false;
}

static const struct grt_sqlite_column copy_columns[] = {
    OPERATION_COLUMNS, {"bytes", true}, {"copyKind", true}, {"srcKind", false}, {"dstKind", false}};

static void set_copy(struct nsys_reader *reader, struct grt_sqlite_table *table,
                     struct grt_nsys_operation *copy) {
    int64_t kind = grt_sqlite_number(table, OWN + 1, 0);
    bool to_device = kind == COPY_H2D, to_host = kind == COPY_D2H;
    copy->kind = to_device ? GRT_NSYS_H2D : to_host ? GRT_NSYS_D2H : GRT_NSYS_OTHER;
    copy->name = to_device ? "h2d" : to_host ? "d2h" : "copies that stay on devices";
    copy->bytes = grt_sqlite_number(table, OWN, 0);
    int64_t memory = grt_sqlite_number(table, to_device ? OWN + 2 : OWN + 3, -1);
    copy->pageable = reader->pageable >= 0 && memory == reader->pageable;
    if (copy->bytes < 0 && !table->failed) {
        grt_error_add(reader->errors, NULL, "%s: a copy of %lld bytes", table->name, (long long)copy->bytes);
        table->failed = true;
    }
}

static const struct grt_sqlite_column memset_columns[] = {OPERATION_COLUMNS, {"bytes", false}};

static void set_memset(struct nsys_reader *reader, struct grt_sqlite_table *table,
                       struct grt_nsys_operation *memset) {
    (void)reader;
    memset->kind = GRT_NSYS_OTHER;
    memset->name = "memset";
    memset->bytes = grt_sqlite_number(table, OWN, 0);
}

static const struct {
    const char *table;
    const struct grt_sqlite_column *columns;
    size_t count;
    void (*set)(struct nsys_reader *reader, struct grt_sqlite_table *table,
                struct grt_nsys_operation *operation);
} sources[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, COUNT(kernel_columns), set_kernel},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, COUNT(copy_columns), set_copy},
    {"CUPTI_ACTIVITY_KIND_MEMSET", memset_columns, COUNT(memset_columns), set_memset},
};

static int by_start(const void *left, const void *right) {
    const struct grt_nsys_operation *a = left, *b = right;
    int order = (a->start > b->start) - (a->start < b->start);
    return order != 0 ? order : (a->end > b->end) - (a->end < b->end);
}

bool grt_nsys_read_operations(struct nsys_reader *reader) {
    struct grt_nsys *out = reader->out;
    for (size_t i = 0; i < COUNT(sources); i++) {
        struct grt_sqlite_table table;
        if (!grt_sqlite_has_table(reader->database, sources[i].table)) {
            continue;
        }
        if (!grt_sqlite_begin(reader->database, sources[i].table, sources[i].columns, sources[i].count,
                              " ORDER BY rowid", &table, reader->errors)) {
            return false;
        }
        while (grt_sqlite_next(&table)) {
            struct grt_nsys_operation *operation = add_operation(reader, &table);
            if (operation != NULL) {
                sources[i].set(reader, &table, operation);
            }
        }
        if (!grt_sqlite_end(&table)) {
            return false;
        }
    }
    if (out->operation_count == 0) {
        grt_error_add(reader->errors, NULL,
                      "there are no kernels or copies in it: profile with nsys profile --trace=cuda,nvtx");
        return false;
    }
    qsort(out->operations, out->operation_count, sizeof out->operations[0], by_start);
    return true;
}
