/* labels: golden
 * What docs/wamp2s.md shows of its example is what the program draws and counts. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/file_text.h"
#include "tests/support/suite.h"

#define EXAMPLE "papers/wamp2s/taking-shares" /* of the library */

enum { TEXT_SIZE = 1 << 18 };

static char output[TEXT_SIZE];

/* The output of gpurt with some arguments. */
static void run(const char *arguments, bool good) {
    char command[512];
    snprintf(command, sizeof command, "%s %s", GRT_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    output[fread(output, 1, TEXT_SIZE - 1, pipe)] = '\0';
    CU_ASSERT_EQUAL(pclose(pipe) == 0, good);
}

static void the_picture(void) {
    static const char command[] =
        "gpurt export svg " EXAMPLE " --to 1500ms --width 1000 --rows 'lud,lavamd,streamcluster,* "
        "share,decisions'";
    size_t size;
    char *document = grt_file_text("docs/wamp2s.md", &size);
    char *known = grt_file_text("docs/pictures/wamp2s-taking-shares.svg", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    CU_ASSERT_PTR_NOT_NULL_FATAL(known);
    CU_ASSERT_PTR_NOT_NULL(strstr(document, command));
    run(command + strlen("gpurt "), true);
    CU_ASSERT_STRING_EQUAL(output, known);
    free(document);
    free(known);
}

static bool has(const char *text) {
    return strstr(output, text) != NULL;
}

static void what_it_does(void) {
    run("export csv " EXAMPLE, true);
    CU_ASSERT(has("share,,,400018000,400018000,lud,59,"));
    CU_ASSERT(has(",700018000,700018000,decisions,not schedulable"));
    CU_ASSERT(has("share,,,700018000,700018000,lavamd,69,"));
    CU_ASSERT(has(",428348186,428348186,decisions,nothing to do (WDC)"));
}

static void what_others_do(void) {
    run("run " EXAMPLE " --policy hardware --set 'platform.gpus[0].share_mode=left-over'", true);
    CU_ASSERT(has("lud missed 2 of 4") && has("lavamd missed 1 of 2") && !has("streamcluster missed"));
    run("run " EXAMPLE " --policy hardware --set 'platform.gpus[0].share_mode=time-slicing'", true);
    CU_ASSERT(has("lud missed 2 of 4") && has("lavamd missed 1 of 2") && !has("streamcluster missed"));
    run("run " EXAMPLE " --policy static-shares", true);
    CU_ASSERT(has("lud missed") && has("lavamd missed") && has("streamcluster missed"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the picture", the_picture},
        {"what it does", what_it_does},
        {"what others do", what_others_do},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the document of wamp2s", tests);
}
