/* labels: sqlite */
/* Tables of strangers' files: how much is read of them, and that nothing in them is computed. */
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

/* What reading all texts of t says; there may be `most` bytes of them. */
static void check_texts(const char *sql, size_t most, const char *said) {
    sqlite3 *database = make(sql);
    struct grt_errors errors = {0};
    struct grt_sqlite_table table;
    int64_t steps_left = 1000000;
    grt_sqlite_guard(database, &steps_left);
    if (grt_sqlite_begin(database, "t", columns, 1, "", &table, &errors)) {
        CU_ASSERT_EQUAL(table.most_text_bytes, GRT_SQLITE_MOST_TEXT);
        table.most_text_bytes = most;
        while (grt_sqlite_next(&table)) {
            grt_sqlite_text(&table, 0);
        }
        CU_ASSERT_EQUAL(grt_sqlite_end(&table), said == NULL);
    }
    CU_ASSERT_EQUAL(errors.count, said != NULL ? 1 : 0);
    if (said != NULL && errors.count == 1) {
        CU_ASSERT_STRING_EQUAL(errors.messages[0], said);
    }
    grt_errors_clear(&errors);
    sqlite3_close(database);
}

static void texts_are_counted(void) {
    static const char two[] = "CREATE TABLE t (id); INSERT INTO t VALUES ('1234'), ('567')";
    check_texts(two, 7, NULL);
    check_texts(two, 6, "t: has more than 6 bytes of text: make a shorter profile");
    /* A value that is missing in the row costs the file nothing. */
    check_texts(
        "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); ALTER TABLE t ADD COLUMN id DEFAULT 'long'", 7,
        "t: has more than 7 bytes of text: make a shorter profile");
    check_texts("CREATE TABLE t (id); INSERT INTO t VALUES (hex(zeroblob(8388608)))", SIZE_MAX, NULL);
    check_texts("CREATE TABLE t (id); INSERT INTO t VALUES (hex(zeroblob(8388609)))", SIZE_MAX,
                "t: string or blob too big");
}

/* 8 KB of these took gigabytes. */
static void nothing_is_computed(void) {
    static const char said[] = "t: is computed in part or as a whole, as in no export of Nsight Systems";
    check_texts("CREATE TABLE t (a, id GENERATED ALWAYS AS (hex(zeroblob(400000000))))", SIZE_MAX, said);
    check_texts("CREATE TABLE t (a, b AS (a + 1) STORED, id); INSERT INTO t (a, id) VALUES (1, 2)", SIZE_MAX,
                said);
    check_texts("CREATE VIRTUAL TABLE t USING rtree(id, low, high)", SIZE_MAX, said);
    check_texts("CREATE TABLE T (ID TEXT)", SIZE_MAX, NULL);
}

/* Rows that are left out are not counted, and may be without end. */
static void steps_are_counted(void) {
    sqlite3 *database = make("CREATE TABLE t (id INTEGER); WITH RECURSIVE r(i) AS (VALUES(1) UNION ALL "
                             "SELECT i + 1 FROM r WHERE i < 10000) INSERT INTO t SELECT i FROM r");
    for (int enough = 0; enough <= 1; enough++) {
        struct grt_errors errors = {0};
        struct grt_sqlite_table table;
        int64_t steps_left = enough == 1 ? 1000000 : 10000;
        grt_sqlite_guard(database, &steps_left);
        CU_ASSERT_TRUE_FATAL(
            grt_sqlite_begin(database, "t", columns, 1, " WHERE id IS NULL", &table, &errors));
        CU_ASSERT_FALSE(grt_sqlite_next(&table));
        CU_ASSERT_EQUAL(grt_sqlite_end(&table), enough == 1);
        CU_ASSERT_EQUAL_FATAL(errors.count, enough == 1 ? 0 : 1);
        if (enough == 0) {
            CU_ASSERT_STRING_EQUAL(errors.messages[0], "t: interrupted: it takes too long to read");
        }
        grt_errors_clear(&errors);
    }
    sqlite3_close(database);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"rows are counted", rows_are_counted},   {"views are no tables", views_are_no_tables},
        {"texts are counted", texts_are_counted}, {"nothing is computed", nothing_is_computed},
        {"steps are counted", steps_are_counted}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tables of SQLite", tests);
}
