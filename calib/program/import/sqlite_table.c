#include "calib/program/import/sqlite_table.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"

/* Between two looks at the number of steps. */
enum { STEPS_AT_ONCE = 1000 };

static int has_had_enough(void *context) {
    int64_t *steps_left = context;
    *steps_left -= STEPS_AT_ONCE;
    return *steps_left < 0;
}

void grt_sqlite_guard(sqlite3 *database, int64_t *steps_left) {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, GRT_SQLITE_MOST_VALUE);
    sqlite3_progress_handler(database, STEPS_AT_ONCE, has_had_enough, steps_left);
}

static bool fail(struct grt_sqlite_table *table) {
    grt_error_add(table->errors, NULL, "%s: %s%s", table->name, sqlite3_errmsg(table->database),
                  sqlite3_errcode(table->database) == SQLITE_INTERRUPT ? ": it takes too long to read" : "");
    table->failed = true;
    return false;
}

bool grt_sqlite_has_table(sqlite3 *database, const char *name) {
    return sqlite3_table_column_metadata(database, NULL, name, NULL, NULL, NULL, NULL, NULL, NULL) ==
           SQLITE_OK;
}

/* All names of columns, for messages. */
static void list_columns(struct grt_sqlite_table *table, char *text, size_t size) {
    sqlite3_stmt *statement = NULL;
    char query[128];
    snprintf(query, sizeof query, "PRAGMA table_info(%s)", table->name);
    text[0] = '\0';
    if (sqlite3_prepare_v2(table->database, query, -1, &statement, NULL) == SQLITE_OK) {
        while (sqlite3_step(statement) == SQLITE_ROW) {
            size_t used = strlen(text);
            const unsigned char *name = sqlite3_column_text(statement, 1);
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                     name != NULL ? (const char *)name : "?");
        }
    }
    sqlite3_finalize(statement);
}

static bool find_columns(struct grt_sqlite_table *table, size_t count) {
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        table->there[i] =
            sqlite3_table_column_metadata(table->database, NULL, table->name, table->columns[i].name, NULL,
                                          NULL, NULL, NULL, NULL) == SQLITE_OK;
        if (!table->there[i] && table->columns[i].required) {
            char columns[600];
            list_columns(table, columns, sizeof columns);
            grt_error_add(table->errors, NULL, "%s has no column %s: this schema is not known (it has %s)",
                          table->name, table->columns[i].name, columns);
            good = false;
        }
    }
    return good;
}

static void add(char *text, size_t size, const char *before, const char *what, const char *after) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s%s", before, what, after);
}

/* Virtual tables have no rows in the file, and columns that are computed from others have expressions of the file's maker. */
static bool is_stored(struct grt_sqlite_table *table) {
    static const char form[] =
        "SELECT 1 FROM sqlite_master WHERE name = '%s' COLLATE NOCASE AND sql NOT LIKE 'create table%%' "
        "UNION ALL SELECT 1 FROM pragma_table_xinfo('%s') WHERE hidden <> 0";
    sqlite3_stmt *statement = NULL;
    char query[512];
    snprintf(query, sizeof query, form, table->name, table->name);
    if (sqlite3_prepare_v2(table->database, query, -1, &statement, NULL) != SQLITE_OK) {
        return fail(table);
    }
    int result = sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (result == SQLITE_ROW) {
        grt_error_add(table->errors, NULL,
                      "%s: is computed in part or as a whole, as in no export of Nsight Systems",
                      table->name);
        table->failed = true;
    }
    return result == SQLITE_DONE || (result != SQLITE_ROW && fail(table));
}

bool grt_sqlite_begin(sqlite3 *database, const char *name, const struct grt_sqlite_column *columns,
                      size_t count, const char *order, struct grt_sqlite_table *table,
                      struct grt_errors *errors) {
    char query[1024] = "SELECT ";
    *table = (struct grt_sqlite_table){.database = database,
                                       .name = name,
                                       .columns = columns,
                                       .errors = errors,
                                       .most_rows = GRT_SQLITE_MOST_ROWS,
                                       .most_text_bytes = GRT_SQLITE_MOST_TEXT};
    GRT_REQUIRE(count <= GRT_SQLITE_MOST_COLUMNS, "read fewer columns at a time");
    if (!is_stored(table) || !find_columns(table, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        add(query, sizeof query, i > 0 ? ", " : "", table->there[i] ? columns[i].name : "NULL", "");
        if (table->there[i]) { /* "end" is a word of SQL */
            size_t length = strlen(columns[i].name), used = strlen(query) - length;
            snprintf(query + used, sizeof query - used, "\"%s\"", columns[i].name);
        }
    }
    add(query, sizeof query, " FROM ", name, order);
    return sqlite3_prepare_v2(database, query, -1, &table->statement, NULL) == SQLITE_OK || fail(table);
}

bool grt_sqlite_next(struct grt_sqlite_table *table) {
    int result = table->failed ? SQLITE_DONE : sqlite3_step(table->statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        fail(table);
    }
    if (result == SQLITE_ROW && ++table->rows > table->most_rows) {
        grt_error_add(table->errors, NULL, "%s: has more than %" PRIu32 " rows: make a shorter profile",
                      table->name, table->most_rows);
        table->failed = true;
    }
    return result == SQLITE_ROW && !table->failed;
}

int64_t grt_sqlite_number(struct grt_sqlite_table *table, int column, int64_t otherwise) {
    int type = sqlite3_column_type(table->statement, column);
    if (type == SQLITE_INTEGER) {
        return sqlite3_column_int64(table->statement, column);
    }
    if (type != SQLITE_NULL || table->columns[column].required) {
        if (!table->failed) {
            grt_error_add(table->errors, NULL, "%s: %s is not a whole number in all rows", table->name,
                          table->columns[column].name);
        }
        table->failed = true;
    }
    return otherwise;
}

const char *grt_sqlite_text(struct grt_sqlite_table *table, int column) {
    if (table->failed || sqlite3_column_type(table->statement, column) != SQLITE_TEXT) {
        return NULL;
    }
    table->text_bytes += (size_t)sqlite3_column_bytes(table->statement, column);
    if (table->text_bytes > table->most_text_bytes) {
        grt_error_add(table->errors, NULL, "%s: has more than %zu bytes of text: make a shorter profile",
                      table->name, table->most_text_bytes);
        table->failed = true;
        return NULL;
    }
    return (const char *)sqlite3_column_text(table->statement, column);
}

bool grt_sqlite_end(struct grt_sqlite_table *table) {
    sqlite3_finalize(table->statement);
    table->statement = NULL;
    return !table->failed;
}
