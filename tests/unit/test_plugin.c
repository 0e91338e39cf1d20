/* labels: plugins */
/* Policies outside the tree: which files are refused, with which sentence; what becomes of one that is taken. */
#include "scenarios/plugin.h"

#include <stdlib.h>

#include "tests/support/plugin_error.h"
#include "tests/support/suite.h"

#define PLUGIN(name) GRT_PLUGINS "/" name ".so"

static const struct grt_path root = {0}, place = {.parent = &root, .key = "plugin"};

/* ---- loading ---- */

/* Expects the one error "plugin: it: <sentence>". */
static void refused(const char *file, const char *sentence) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_PTR_NULL(grt_plugin_load(file, "it", &arena, &errors, &place));
    expect_plugin_error(&errors, "plugin: ", sentence);
    grt_arena_clear(&arena);
}

#define OTHER_HEADERS "was compiled with other headers than this gpurt "
#define AGAIN ": compile it again"

static void what_is_no_plugin_is_refused(void) {
    char other[200];
    put_file("text.so", "no program");
    put_file("short.so", "\x7f"
                         "EL");
    put_file("cut.so", "\x7f"
                       "ELF, but not really");
    refused(SCRATCH "none.so", "No such file or directory");
    refused(SCRATCH, "is a folder");
    CU_ASSERT_EQUAL(call("rm -f pipe.so; mkfifo pipe.so"), 0);
    refused(SCRATCH "pipe.so", "is no file");
    refused(SCRATCH "text.so", "is no shared object; `cc -shared -fPIC` makes one");
    refused(SCRATCH "short.so", "is no shared object; `cc -shared -fPIC` makes one");
    refused(SCRATCH "cut.so", "is cut off: it has fewer bytes than it says");
    refused(PLUGIN("no-symbol"), "is no plug-in of gpurt: it does not say GRT_PLUGIN(policy)");
    refused(PLUGIN("unknown-function"), "undefined symbol: grt_policy_of_the_future");
    snprintf(
        other, sizeof other,
        "was made for plug-in interface %d, this gpurt has %d: compile it again with this gpurt's headers",
        GRT_PLUGIN_ABI + 1, GRT_PLUGIN_ABI);
    refused(PLUGIN("other-interface"), other);
    snprintf(other, sizeof other, OTHER_HEADERS "(struct grt_path has a size of %zu there, %zu here)" AGAIN,
             sizeof(struct grt_path) + 8, sizeof(struct grt_path));
    refused(PLUGIN("other-layout"), other);
    refused(PLUGIN("other-place"),
            OTHER_HEADERS "(key of struct grt_path is at byte 16 there, 8 here)" AGAIN);
    snprintf(other, sizeof other, OTHER_HEADERS "(GRT_TIME_TEXT_SIZE is %d there, %d here)" AGAIN,
             GRT_TIME_TEXT_SIZE + 1, GRT_TIME_TEXT_SIZE);
    refused(PLUGIN("other-constant"), other);
    refused(PLUGIN("other-types"), OTHER_HEADERS "(they have other structs, types or constants)" AGAIN);
    refused(PLUGIN("fewer-structs"), OTHER_HEADERS "(they have other structs, types or constants)" AGAIN);
    refused(PLUGIN("no-policy"), "the policy must have a name of letters, digits, \"-\" and \"+\" in lower "
                                 "case, a letter first, at most 32");
    refused(PLUGIN("no-layout"), OTHER_HEADERS "(they have other structs, types or constants)" AGAIN);
}

/* Of these the loader says something that does not help, or crashes. */
static void what_the_loader_cannot_say(void) {
    expect(0,
           call("cp '" PLUGIN(
               "llf") "' other.so && printf '\\377\\377' | dd of=other.so bs=1 seek=18 conv=notrunc && "
                      "cp '" PLUGIN(
                          "llf") "' narrow.so && printf '\\3' | dd of=narrow.so bs=1 seek=4 conv=notrunc && "
                                 "cp '" PLUGIN("llf") "' object.so && printf '\\1' | dd of=object.so bs=1 "
                                                      "seek=16 conv=notrunc"));
    refused(SCRATCH "other.so", "is for another kind of machine than this gpurt");
    refused(SCRATCH "narrow.so", "is for another kind of machine than this gpurt");
    refused(SCRATCH "object.so", "is no shared object; `cc -shared -fPIC` makes one");
    for (int part = 1; part < 10; part++) {
        expect(0, call("size=$(wc -c <'" PLUGIN("llf") "') && head -c $((size * %d / 10)) '" PLUGIN(
                           "llf") "' >cut.so",
                       part));
        refused(SCRATCH "cut.so", "is cut off: it has fewer bytes than it says");
    }
    expect(0,
           call("size=$(wc -c <'" PLUGIN("llf") "') && head -c $((size - 1)) '" PLUGIN("llf") "' >cut.so"));
    refused(SCRATCH "cut.so", "is cut off: it has fewer bytes than it says");
}

static void a_plugin_is_loaded_as_often_as_wanted(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_policy_ops *first = grt_plugin_load(PLUGIN("llf"), "it", &arena, &errors, &place);
    const struct grt_policy_ops *again = grt_policy_choose(PLUGIN("llf"), &arena, &errors, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NOT_NULL_FATAL(again);
    CU_ASSERT_STRING_EQUAL(first->name, "llf");
    CU_ASSERT_STRING_EQUAL(first->plugin, PLUGIN("llf"));
    CU_ASSERT(first->decide != NULL && first->decide == again->decide && first->analyses == again->analyses);
    CU_ASSERT_STRING_EQUAL(first->analyses[0]->name, "llf-latest-start");
    const char *name = first->name;
    grt_arena_clear(&arena);
    CU_ASSERT_STRING_EQUAL(name, "llf"); /* it stays */
    CU_ASSERT_EQUAL(errors.count, 0);
}

/* Nothing is opened: a file that is none is not complained of. An empty value is none. */
static void plugins_can_be_switched_off(void) {
    static const char *const files[] = {PLUGIN("llf"), SCRATCH "none.so"};
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    setenv(GRT_NO_PLUGINS, "0", 1);
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_PTR_NULL(grt_plugin_load(files[i], "it", &arena, &errors, &place));
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        expect_text(errors.messages[0], "plugin: plug-ins are switched off by GPURT_NO_PLUGINS");
        grt_errors_clear(&errors);
    }
    CU_ASSERT_PTR_NOT_NULL(grt_policy_choose("np-edf", &arena, &errors, NULL));
    setenv(GRT_NO_PLUGINS, "", 1);
    CU_ASSERT_PTR_NOT_NULL(grt_plugin_load(files[0], "it", &arena, &errors, &place));
    unsetenv(GRT_NO_PLUGINS);
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_arena_clear(&arena);
}

static void names_and_files(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    CU_ASSERT(grt_plugin_is_file("./mine") && grt_plugin_is_file("mine.so") && grt_plugin_is_file("/a/b"));
    CU_ASSERT(!grt_plugin_is_file("np-edf") && !grt_plugin_is_file(".so") && !grt_plugin_is_file("so"));
    const struct grt_policy_ops *own = grt_policy_choose("np-edf", &arena, &errors, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    CU_ASSERT_PTR_NULL(own->plugin);
    CU_ASSERT_PTR_NULL(grt_policy_choose("np-edv", &arena, &errors, NULL));
    CU_ASSERT_PTR_NULL(grt_policy_choose("np-edf.so", &arena, &errors, NULL));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    expect_text(errors.messages[0],
                "unknown policy \"np-edv\" (did you mean \"np-edf\"?); `gpurt policies` lists them");
    expect_text(errors.messages[1], "np-edf.so: No such file or directory");
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is no plug-in is refused", what_is_no_plugin_is_refused},
        {"what the loader cannot say", what_the_loader_cannot_say},
        {"a plug-in is loaded as often as wanted", a_plugin_is_loaded_as_often_as_wanted},
        {"plug-ins can be switched off", plugins_can_be_switched_off},
        {"names and files", names_and_files},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("plug-ins", tests);
}
