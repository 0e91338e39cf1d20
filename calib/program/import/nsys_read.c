/* The schema as NVIDIA's "Nsight Systems Exporter: SQLite Export Schema Reference" and exports of 2021 to 2025 have it. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/nsys_reader.h"

/* nsys's numbers of events. */
enum { RANGE_PUSH_POP = 59, RANGE_START_END = 60 };

/* ---- texts ---- */

static int by_id(const void *left, const void *right) {
    const struct nsys_text *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

const char *grt_nsys_text(const struct nsys_reader *reader, int64_t id) {
    const struct nsys_text key = {.id = id};
    const struct nsys_text *found = reader->text_count == 0 ? NULL
                                                            : bsearch(&key, reader->texts, reader->text_count,
                                                                      sizeof reader->texts[0], by_id);
    return found != NULL ? found->text : NULL;
}

static bool read_texts(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {{"id", true}, {"value", true}};
    struct grt_sqlite_table table;
    if (!grt_sqlite_has_table(reader->database, "StringIds")) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, "StringIds", columns, COUNT(columns), "", &table,
                          reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        const char *text = grt_sqlite_text(&table, 1);
        reader->texts = grt_array_grow(reader->texts, &reader->text_capacity, reader->text_count + 1,
                                       sizeof reader->texts[0]);
        reader->texts[reader->text_count++] = (struct nsys_text){
            grt_sqlite_number(&table, 0, 0), grt_arena_text(&reader->out->arena, text != NULL ? text : "")};
    }
    if (reader->text_count > 0) {
        qsort(reader->texts, reader->text_count, sizeof reader->texts[0], by_id);
    }
    return grt_sqlite_end(&table);
}

/* Which number pageable memory has. */
static bool read_memory_kinds(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {{"id", true}, {"label", false}, {"name", false}};
    struct grt_sqlite_table table;
    reader->pageable = -1;
    if (!grt_sqlite_has_table(reader->database, "ENUM_CUDA_MEM_KIND")) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, "ENUM_CUDA_MEM_KIND", columns, COUNT(columns), "", &table,
                          reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        for (int column = 1; column <= 2; column++) {
            const char *text = grt_sqlite_text(&table, column);
            size_t length = text != NULL ? strlen(text) : 0;
            bool says = length >= 8 && (strcmp(text + length - 8, "Pageable") == 0 ||
                                        strcmp(text + length - 8, "PAGEABLE") == 0);
            reader->pageable = says ? grt_sqlite_number(&table, 0, 0) : reader->pageable;
        }
    }
    return grt_sqlite_end(&table);
}

/* ---- calls ---- */

static int by_correlation(const void *left, const void *right) {
    const struct nsys_call *a = left, *b = right;
    int order = (a->process > b->process) - (a->process < b->process);
    order = order != 0 ? order : (a->correlation > b->correlation) - (a->correlation < b->correlation);
    return order != 0 ? order : (a->start > b->start) - (a->start < b->start);
}

static bool read_calls(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {
        {"start", true}, {"correlationId", true}, {"globalTid", false}, {"nameId", false}};
    static const char name[] = "CUPTI_ACTIVITY_KIND_RUNTIME";
    struct grt_sqlite_table table;
    if (!grt_sqlite_has_table(reader->database, name)) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, name, columns, COUNT(columns), "", &table, reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        int64_t thread = grt_sqlite_number(&table, 2, 0);
        reader->calls = grt_array_grow(reader->calls, &reader->call_capacity, reader->call_count + 1,
                                       sizeof reader->calls[0]);
        reader->calls[reader->call_count++] =
            (struct nsys_call){.process = PROCESS_OF(thread),
                               .correlation = grt_sqlite_number(&table, 1, 0),
                               .thread = thread,
                               .start = grt_sqlite_number(&table, 0, 0),
                               .name = grt_nsys_text(reader, grt_sqlite_number(&table, 3, -1))};
    }
    if (reader->call_count > 0) {
        qsort(reader->calls, reader->call_count, sizeof reader->calls[0], by_correlation);
    }
    return grt_sqlite_end(&table);
}

/* The first call of that number. */
const struct nsys_call *grt_nsys_call(const struct nsys_reader *reader, int64_t process,
                                      int64_t correlation) {
    uint32_t low = 0, high = reader->call_count;
    const struct nsys_call key = {.process = process, .correlation = correlation, .start = INT64_MIN};
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_correlation(&reader->calls[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < reader->call_count && reader->calls[low].process == process &&
                 reader->calls[low].correlation == correlation;
    return found ? &reader->calls[low] : NULL;
}

/* ---- ranges, priorities, the GPU ---- */

static int by_nesting(const void *left, const void *right) {
    const struct grt_nsys_range *a = left, *b = right;
    int order = (a->start > b->start) - (a->start < b->start);
    return order != 0 ? order : (a->end < b->end) - (a->end > b->end);
}

static bool read_ranges(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {{"start", true},      {"end", true},
                                                       {"eventType", false}, {"globalTid", false},
                                                       {"text", false},      {"textId", false}};
    struct grt_sqlite_table table;
    struct grt_nsys *out = reader->out;
    if (!grt_sqlite_has_table(reader->database, "NVTX_EVENTS")) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, "NVTX_EVENTS", columns, COUNT(columns),
                          " WHERE \"end\" IS NOT NULL", &table, reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        int64_t type = grt_sqlite_number(&table, 2, RANGE_PUSH_POP);
        const char *text = grt_sqlite_text(&table, 4),
                   *name = grt_nsys_text(reader, grt_sqlite_number(&table, 5, -1));
        struct grt_nsys_range range = {.name = text != NULL ? grt_arena_text(&out->arena, text) : name,
                                       .start = grt_sqlite_number(&table, 0, 0),
                                       .end = grt_sqlite_number(&table, 1, 0),
                                       .thread = grt_sqlite_number(&table, 3, 0)};
        if ((type == RANGE_PUSH_POP || type == RANGE_START_END) && range.name != NULL &&
            range.end >= range.start) {
            out->ranges = grt_array_grow(out->ranges, &reader->range_capacity, (uint32_t)out->range_count + 1,
                                         sizeof out->ranges[0]);
            out->ranges[out->range_count++] = range;
        }
    }
    if (out->range_count > 0) {
        qsort(out->ranges, out->range_count, sizeof out->ranges[0], by_nesting);
    }
    return grt_sqlite_end(&table);
}

static bool read_priorities(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {
        {"streamId", true}, {"contextId", false}, {"processId", false}, {"priority", true}};
    struct grt_sqlite_table table;
    struct grt_nsys *out = reader->out;
    if (!grt_sqlite_has_table(reader->database, "TARGET_INFO_CUDA_STREAM")) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, "TARGET_INFO_CUDA_STREAM", columns, COUNT(columns), "", &table,
                          reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        out->priorities = grt_array_grow(out->priorities, &reader->priority_capacity,
                                         (uint32_t)out->priority_count + 1, sizeof out->priorities[0]);
        out->priorities[out->priority_count++] =
            (struct grt_nsys_priority){.stream = {.process = grt_sqlite_number(&table, 2, 0),
                                                  .context = grt_sqlite_number(&table, 1, 0),
                                                  .stream = grt_sqlite_number(&table, 0, 0)},
                                       .priority = grt_sqlite_number(&table, 3, 0)};
    }
    return grt_sqlite_end(&table);
}

static bool read_gpus(struct nsys_reader *reader) {
    static const struct grt_sqlite_column columns[] = {{"name", false}, {"smCount", false}};
    struct grt_sqlite_table table;
    struct grt_nsys *out = reader->out;
    if (!grt_sqlite_has_table(reader->database, "TARGET_INFO_GPU")) {
        return true;
    }
    if (!grt_sqlite_begin(reader->database, "TARGET_INFO_GPU", columns, COUNT(columns), " ORDER BY rowid",
                          &table, reader->errors)) {
        return false;
    }
    while (grt_sqlite_next(&table)) {
        const char *name = grt_sqlite_text(&table, 0);
        out->gpus = grt_array_grow(out->gpus, &reader->gpu_capacity, (uint32_t)out->gpu_count + 1,
                                   sizeof out->gpus[0]);
        out->gpus[out->gpu_count++] =
            (struct grt_nsys_gpu){.name = grt_arena_text(&out->arena, name != NULL ? name : ""),
                                  .sm_count = grt_sqlite_number(&table, 1, 0)};
    }
    return grt_sqlite_end(&table);
}

/* ---- the file ---- */

bool grt_nsys_is_there(void) {
    return true;
}

/* A file that is none shows only when it is read. */
static bool open_file(const char *path, struct nsys_reader *reader) {
    int result = sqlite3_open_v2(path, &reader->database, SQLITE_OPEN_READONLY, NULL);
    if (result == SQLITE_OK) {
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA /* expressions in a stranger's schema may call only what does no harm */
        sqlite3_db_config(reader->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
        grt_sqlite_guard(reader->database, &reader->steps_left);
        result = sqlite3_exec(reader->database, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL);
    }
    if (result != SQLITE_OK) {
        grt_error_add(reader->errors, NULL, "%s%s", sqlite3_errmsg(reader->database),
                      result == SQLITE_NOTADB ? ": export the report with nsys export --type sqlite" : "");
    }
    return result == SQLITE_OK;
}

bool grt_nsys_read(const char *path, struct grt_nsys *out, struct grt_errors *errors) {
    struct nsys_reader reader = {.out = out, .errors = errors, .steps_left = GRT_SQLITE_MOST_STEPS};
    *out = (struct grt_nsys){0};
    bool good = open_file(path, &reader) && read_texts(&reader) && read_memory_kinds(&reader) &&
                read_calls(&reader) && grt_nsys_read_operations(&reader) && read_ranges(&reader) &&
                read_priorities(&reader) && read_gpus(&reader);
    sqlite3_close(reader.database);
    free(reader.texts);
    free(reader.calls);
    if (!good) {
        grt_nsys_free(out);
    }
    return good;
}
