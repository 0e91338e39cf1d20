/* What plug-ins and programs both look into (models/plugin.h): the sizes of all structs in a plug-in's headers, where their members are, and
 * constants, as they were when the interface got its number. Where they differ, plug-ins that were compiled before are refused: raise GRT_PLUGIN_ABI,
 * and write the table of the new number with GRT_UPDATE in the environment. That the headers' structs and constants are all in
 * models/plugin_layout.h, and functions declared as they were, is checked by tests/structure/plugin_symbols.py. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/plugin.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"

enum { TEXT_SIZE = 1 << 16 };

/* Of macros: NOLINTNEXTLINE(readability-function-cognitive-complexity) */
static void write_table(char text[TEXT_SIZE]) {
    size_t used = 0;
#define LINE(...) used += used < TEXT_SIZE ? (size_t)snprintf(text + used, TEXT_SIZE - used, __VA_ARGS__) : 0;
#define STRUCT(type) LINE("%s %zu\n", #type, sizeof(struct type))
#define MEMBER(type, member)                                                                                 \
    LINE("  %s at %zu, %zu\n", #member, offsetof(struct type, member), sizeof(((struct type *)0)->member))
#define NUMBER(constant) LINE("%s = %" PRId64 "\n", #constant, (int64_t)(constant))
    GRT_PLUGIN_LAYOUT(STRUCT, MEMBER, NUMBER)
#undef LINE
#undef STRUCT
#undef MEMBER
#undef NUMBER
    CU_ASSERT_FATAL(used < TEXT_SIZE);
}

static void the_interface_is_as_its_number_says(void) {
    static char text[TEXT_SIZE];
    char path[200];
    write_table(text);
    snprintf(path, sizeof path, GRT_SOURCE_DIR "/tests/golden/plugin-interface-%d.txt", GRT_PLUGIN_ABI);
    if (getenv("GRT_UPDATE") != NULL) {
        FILE *out = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        fputs(text, out);
        fclose(out);
    }
    size_t size;
    char *kept = grt_file_text(path, &size);
    if (kept == NULL || strcmp(kept, text) != 0) {
        printf("\n    raise GRT_PLUGIN_ABI: this is not what %s says:\n%s", path, text);
    }
    CU_ASSERT(kept != NULL && strcmp(kept, text) == 0);
    free(kept);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the interface is as its number says", the_interface_is_as_its_number_says},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the interface of plug-ins", tests);
}
