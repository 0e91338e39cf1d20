/* labels: window cairo once */
/* docs/gpurt-view.md is true: its tables are the program's, its commands and its script run, its pictures are made by scripts that
 * still run, and the manual page is good roff. Where GRT_UPDATE is set in the environment, tables and pictures are written
 * instead of compared. (Letters are drawn differently from machine to machine, so pictures are not compared.) */
#include <glob.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "tests/support/file_text.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define DOCUMENT GRT_SOURCE_DIR "/docs/gpurt-view.md"
#define PICTURES GRT_SOURCE_DIR "/docs/pictures/"
#define MARK "GRT_UPDATE=1 build/release/tests/unit/test_view_docs writes it. -->\n"

enum { PICTURE_BYTES = 120 * 1024 };

/* Both programs by their names. */
#define PROGRAMS "PATH=$PWD/bin:$PATH; export SDL_VIDEODRIVER=dummy; "

static bool is_updated(void) {
    return getenv("GRT_UPDATE") != NULL;
}

static char *read_file(const char *path) {
    size_t bytes;
    char *text = grt_file_text(path, &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

/* Into the folder in which commands run: the scenarios, and the program, which without a script would wait for a user; so it is
 * given one, and has to paint what it shows. */
static void make_folder(void) {
    expect(0, call("ln -sfn '" GRT_SOURCE_DIR
                   "/scenarios' scenarios; mkdir -p bin; echo screenshot painted.png > paint.script"));
    FILE *file = fopen(SCRATCH "bin/gpurt-view", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#!/bin/sh\nprogram='" GRT_VIEW_PROGRAM "'\n"
          "case \"$*\" in\n*--script* | *--man* | *--markdown*) exec \"$program\" \"$@\" ;;\nesac\n"
          "rm -f painted.png; \"$program\" \"$@\" --script paint.script && test -s painted.png\n",
          file);
    CU_ASSERT_EQUAL(fclose(file), 0);
    expect(0, call("chmod +x bin/gpurt-view"));
}

/* ---- tables ---- */

static void test_tables(void) {
    expect(0, call(PROGRAMS "echo; gpurt-view --markdown"));
    char *document = read_file(DOCUMENT), *mark = strstr(document, MARK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mark);
    char *tables = mark + strlen(MARK);
    if (is_updated()) {
        FILE *file = fopen(DOCUMENT, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fprintf(file, "%.*s%s", (int)(tables - document), document, out);
        CU_ASSERT_EQUAL(fclose(file), 0);
    } else {
        bool same = strcmp(tables, out) == 0;
        printf("%s", same ? "" : "\n    docs/gpurt-view.md: run this test with GRT_UPDATE=1");
        CU_ASSERT(same);
    }
    free(document);
}

static void test_manual_page(void) {
    expect(0, call(PROGRAMS "gpurt-view --man > page; tail -n 2 page"));
    expect_part(out, "gpurt");
    bool groff = call("command -v groff") == 0, mandoc = call("command -v mandoc") == 0;
    if (groff) {
        expect(0, call("groff -man -ww -z -Tutf8 page"));
        expect_text(err, "");
        expect(0, call("groff -man -P-cbou -Tutf8 page"));
        expect_part(out, "Go to the next missed deadline");
    }
    if (mandoc) {
        expect(0, call("mandoc -Tlint -Wwarning page | grep -v 'missing date'; true"));
        expect_text(out, "");
    }
    printf("%s", groff || mandoc ? "" : "(no groff, no mandoc) ");
}

/* ---- commands ---- */

/* The next block between ```KIND and ```; NULL if there is none. Ends it with a zero, and sets `*place` behind it. */
static char *next_block(char **place, const char *kind) {
    char fence[20];
    snprintf(fence, sizeof fence, "\n```%s\n", kind);
    char *begin = strstr(*place, fence);
    char *end = begin != NULL ? strstr(begin + 1, "\n```\n") : NULL;
    if (end == NULL) {
        return NULL;
    }
    end[1] = '\0';
    *place = end + 2;
    return begin + strlen(fence);
}

static unsigned run_block(char *block) {
    unsigned count = 0;
    char *place = NULL;
    for (char *line = strtok_r(block, "\n", &place); line != NULL; line = strtok_r(NULL, "\n", &place)) {
        bool done = call(PROGRAMS "%s", line) == 0;
        printf("%s%s%s", done ? "" : "\n    failed: ", done ? "" : line, done ? "" : err);
        CU_ASSERT(done);
        count++;
    }
    return count;
}

static unsigned run_commands(void) {
    char *document = read_file(DOCUMENT), *place = document;
    unsigned count = 0;
    for (char *block; (block = next_block(&place, "sh")) != NULL;) {
        count += run_block(block);
    }
    free(document);
    return count;
}

static void write_script(void) {
    char *document = read_file(DOCUMENT), *place = document, *script = next_block(&place, "text");
    CU_ASSERT_PTR_NOT_NULL_FATAL(script);
    FILE *file = fopen(SCRATCH "tour.script", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(script, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
    free(document);
}

static void test_commands(void) {
    write_script();
    CU_ASSERT(run_commands() >= 7);
    expect(0, call("test -s miss.png && head -c 1000 fifo.svg"));
    expect_part(out, "<svg");
}

/* What the text says of the runs that it shows. */
static void test_verdicts(void) {
    expect(0, call(PROGRAMS "gpurt run scenarios/quickstart.json --policy hardware"));
    expect_part(out, "control missed 28 of 200 deadlines");
    expect(0,
           call("gpurt run scenarios/quickstart.json --policy hardware --set 'tasks[0].stream_priority=-1'"));
    expect_part(out, "all 342 deadlines met");
    expect(0, call("gpurt export csv scenarios/quickstart.json | grep "
                   "'^blocked,control,2,\\|^gpu-request,control,2,'"));
    expect_part(out, ",20300000,");
    expect_part(out, ",30791215,");
}

/* ---- pictures ---- */

/* Plays a script by the command in its first line, "# gpurt-view ...". */
static void play_script(const char *path) {
    char *script = read_file(path), name[200];
    script[strcspn(script, "\n")] = '\0';
    CU_ASSERT_EQUAL_FATAL(strncmp(script, "# gpurt-view ", 13), 0);
    const char *base = strrchr(path, '/') + 1;
    snprintf(name, sizeof name, "%.*s.png", (int)strcspn(base, "."), base);
    int code =
        call(PROGRAMS "rm -f '%s'; set -f; %s --script '%s' && test -s '%s'", name, script + 2, path, name);
    expect(0, code);
    if (is_updated()) {
        expect(0, call("cp '%s' '" PICTURES "'", name));
    }
    char picture[sizeof PICTURES + sizeof name];
    struct stat status = {0};
    snprintf(picture, sizeof picture, PICTURES "%s", name);
    CU_ASSERT_EQUAL(stat(picture, &status), 0);
    CU_ASSERT(status.st_size > 1000 && status.st_size < PICTURE_BYTES);
    free(script);
}

static void test_pictures(void) {
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob(PICTURES "*.script", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        play_script(found.gl_pathv[i]);
    }
    CU_ASSERT(found.gl_pathc >= 5);
    globfree(&found);
}

/* Every picture that the documents show is there. */
static void test_links(void) {
    expect(0, call("cd '" GRT_SOURCE_DIR
                   "/docs' && for p in $(grep -oh '(\\(docs/\\)\\?pictures/[^)]*)' *.md ../README.md |"
                   "sed 's/[()]//g; s|^docs/||'); do test -s $p || echo $p is missing; done"));
    expect_text(out, "");
}

int main(void) {
    CU_TestInfo tests[] = {{"folder", make_folder},
                           {"tables", test_tables},
                           {"manual page", test_manual_page},
                           {"commands", test_commands},
                           {"verdicts", test_verdicts},
                           {"pictures", test_pictures},
                           {"links", test_links},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("the window's documents", tests);
}
