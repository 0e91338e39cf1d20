/* labels: sqlite */
/* Tables of strangers' files: how many rows are read, and that views are no tables. */
#include <sqlite3.h>

#include "calib/program/import/sqlite_table.h"
#include "tests/support/suite.h"

static const struct grt_sqlite_column columns[] = {{"id", true}};

static sqlite3 *make(const char *sql) {
    sqlite3 *database = NULL;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    return database;
}

/* Reads all rows, of which there may be `most`. */
static uint32_t count_rows(sqlite3 *database, uint32_t most, struct grt_errors *errors) {
    struct grt_sqlite_table table;
    uint32_t count = 0;
    CU_ASSERT_TRUE_FATAL(grt_sqlite_begin(database, "t", columns, 1, "", &table, errors));
    CU_ASSERT_EQUAL(table.most_rows, GRT_SQLITE_MOST_ROWS);
    table.most_rows = most;
    while (grt_sqlite_next(&table)) {
        count++;
    }
    CU_ASSERT_EQUAL(grt_sqlite_end(&table), errors->count == 0);
    return count;
}

static void rows_are_counted(void) {
    sqlite3 *database = make("CREATE TABLE t (id INTEGER); INSERT INTO t VALUES (1), (2), (3)");
    struct grt_errors errors = {0};
    CU_ASSERT_EQUAL(count_rows(database, 3, &errors), 3);
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_EQUAL(count_rows(database, 2, &errors), 2);
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "t: has more than 2 rows: make a shorter profile");
    grt_errors_clear(&errors);
    sqlite3_close(database);
}

/* A view may have rows without end. */
static void views_are_no_tables(void) {
    sqlite3 *database = make("CREATE VIEW t AS WITH RECURSIVE r(id) AS (VALUES(1) UNION ALL SELECT id + 1 "
                             "FROM r) SELECT id FROM r");
    CU_ASSERT_FALSE(grt_sqlite_has_table(database, "t"));
    sqlite3_close(database);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"rows are counted", rows_are_counted},
        {"views are no tables", views_are_no_tables},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tables of SQLite", tests);
}
