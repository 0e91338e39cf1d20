/* labels: golden
 * Each command in the documents of calibration works, on a pretended device where it would need a real one, and each file that they show is a good one. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

enum { LINE_SIZE = 400 };

/* What stands in for the GPU, and for half a minute of its time. */
#define STAND_IN " --backend=sim --pretend=stand-in.json"
#define FEW                                                                                                  \
    " -q --replace --samples=2 --worst-samples=20 --workloads=matmul,stencil "                               \
    "--only=clock,launch,dispatch,coresidency,copy"

static char page[TEXT_SIZE];
static bool has_gnuplot;

static void read_page(const char *name) {
    read_text(name, page);
    CU_ASSERT_FATAL(strlen(page) > 1000 && strlen(page) < sizeof page - 1);
}

/* The command's name is that word. */
static bool is_command(const char *line, const char *name) {
    char begin[64];
    snprintf(begin, sizeof begin, "gpurt-calib %s", name);
    size_t length = strlen(begin);
    return strncmp(line, begin, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}

/* A line as it is run here, without its comment. */
static void adapt(const char *line, char adapted[2 * LINE_SIZE]) {
    const char *comment = strstr(line, " #");
    int length = comment != NULL ? (int)(comment - line) : (int)strlen(line);
    bool needs_device =
        (is_command(line, "list") || is_command(line, "measure") || is_command(line, "trace")) &&
        strstr(line, "--backend") == NULL;
    snprintf(adapted, 2 * LINE_SIZE, "%.*s%s%s", length, line, needs_device ? STAND_IN : "",
             is_command(line, "measure") ? FEW : "");
}

static void run_line(const char *line) {
    char adapted[2 * LINE_SIZE];
    CU_ASSERT_FATAL(strlen(line) < LINE_SIZE);
    adapt(line, adapted);
    int code = call("%s", adapted);
    if (strstr(line, "--pictures") != NULL && !has_gnuplot) {
        CU_ASSERT_EQUAL(code, 1);
        expect_part(err, "gnuplot is not installed here");
        return;
    }
    expect(0, code);
    if (code != 0) {
        printf("    of: %s\n", line);
    }
}

/* A file that is shown: a scenario under its name, others as shown.json; all are checked. False where it is a part of one. */
static bool put_shown(const char *text) {
    char name[64] = "shown", file[80];
    if (strstr(text, "{\n  \"gpurt") != text) {
        return false;
    }
    const char *at = strstr(text, "\n  \"name\": \"");
    if (at != NULL && strncmp(text, "{\n  \"gpurt\": 1,", 15) == 0) {
        CU_ASSERT_EQUAL_FATAL(sscanf(at, "\n  \"name\": \"%60[a-z0-9-]", name), 1);
    }
    snprintf(file, sizeof file, "%s.json", name);
    put_file(file, text);
    if (strstr(text, "\"gpurt_pretend\"") != NULL) {
        expect(0, call("gpurt-calib list --backend=sim --pretend=%s", file));
    } else {
        expect(0, call("gpurt check %s", file));
    }
    return true;
}

/* From one fence to the next, in the order of the page: lists of commands that are a summary (they have words in capitals for arguments) are left out. */
static void go_through(size_t commands, size_t files) {
    for (char *at = strstr(page, "\n```"); at != NULL; at = strstr(at, "\n```")) {
        char *begin = strchr(at + 1, '\n'), *end = begin != NULL ? strstr(begin, "\n```") : NULL;
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        *end = '\0';
        bool is_json = strncmp(at, "\n```json", 8) == 0, is_list = strstr(begin, "[OPTION") != NULL;
        char *rest = NULL;
        if (is_json) {
            files -= put_shown(begin + 1);
        }
        for (char *line = is_json || is_list ? NULL : strtok_r(begin, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            if (strncmp(line, "gpurt-calib ", 12) == 0 || strncmp(line, "gpurt ", 6) == 0) {
                run_line(line);
                commands--;
            }
        }
        at = end + 4;
    }
    CU_ASSERT_EQUAL(commands, 0);
    CU_ASSERT_EQUAL(files, 0);
}

static void prepare(void) {
    has_gnuplot = call("rm -rf *; command -v gnuplot") == 0;
    put_file(
        "stand-in.json",
        "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"NVIDIA H200\", \"compute_capability\": \"9.0\", "
        "\"sm_count\": 6, \"copy_latency\": \"2us\", \"h2d_bandwidth\": \"50GB/s\", \"d2h_bandwidth\": "
        "\"50GB/s\", \"memory_bandwidth\": \"900GB/s\"}}\n");
}

static void test_manual(void) {
    prepare();
    read_page(GRT_SOURCE_DIR "/docs/gpurt-calib.md");
    go_through(8, 1);
    expect(0, call("gpurt-calib validate two-tasks.json two-tasks.trace --tolerance=0ns && gpurt run "
                   "two-tasks.json -q"));
    expect(0, call("sed -n 1p h200.md && ls h200-pictures"));
    CU_ASSERT_EQUAL(strncmp(out, "# Calibration of NVIDIA H200\n", 29), 0);
}

/* The scenario is that of the manual, with this page's names of files. */
static void test_validation(void) {
    expect(0, call("sed -i 's/h200.json/mine.json/; s/h200-kernels.json/kernels.json/' two-tasks.json"));
    read_page(GRT_SOURCE_DIR "/docs/validation.md");
    go_through(4, 0);
    expect_part(out, "two-tasks.trace: errors are simulated minus measured; the largest is 0s");
}

static void test_kernel_files(void) {
    read_page(GRT_SOURCE_DIR "/docs/kernel-files.md");
    go_through(0, 1);
}

static void test_pretended(void) {
    read_page(GRT_SOURCE_DIR "/docs/pretended-devices.md");
    go_through(0, 1);
    /* With the fault that the page shows, measuring ends early; without, it does not. */
    expect(1, call("gpurt-calib measure --backend=sim --pretend=shown.json -o shown.jsonl" FEW));
    expect_part(err, "the device had a fault");
}

/* The chapter of the README. */
static void test_readme(void) {
    expect(0, call("sed 's/h200.json/mine.json/; s/\"kernels.json\"/\"mine-kernels.json\"/' two-tasks.json > "
                   "S.json"));
    read_page(GRT_SOURCE_DIR "/README.md");
    char *begin = strstr(page, "\n```sh\ngpurt-calib measure");
    CU_ASSERT_PTR_NOT_NULL_FATAL(begin);
    char *end = strstr(begin + 5, "\n```");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    end[4] = '\0';
    memmove(page, begin, strlen(begin) + 1);
    go_through(5, 0);
}

int main(void) {
    CU_TestInfo tests[] = {{"manual", test_manual},
                           {"validation", test_validation},
                           {"kernel files", test_kernel_files},
                           {"pretended devices", test_pretended},
                           {"README", test_readme},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("calibration_documents", tests);
}
