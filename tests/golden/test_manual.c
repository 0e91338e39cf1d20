/* labels: golden once
 * The manuals of gpurt and gpurt-calib have a section of every command, and every option of the command's --help, there or on a page that the section names. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

enum { MOST_COMMANDS = 40, NAME_SIZE = 64 };

/* The program whose manual is looked at. */
static const struct program {
    const char *name, *page;
    size_t least_commands;
} programs[] = {
    {"gpurt", "docs/gpurt.md", 10},
#ifdef GRT_CALIB_PROGRAM
    {"gpurt-calib", "docs/gpurt-calib.md", 7},
#endif
};
static const struct program *program;

static char commands[MOST_COMMANDS][NAME_SIZE];
static size_t command_count;
static char manual[1 << 18], section[1 << 18], pages[1 << 20];

static void read_into(char *text, size_t size, const char *path) {
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(text, 1, size - 1, file);
    CU_ASSERT_FATAL(length > 0 && length < size - 1);
    text[length] = '\0';
    fclose(file);
}

/* The commands that gpurt --help lists. */
static void test_commands(void) {
    char path[sizeof GRT_SOURCE_DIR + NAME_SIZE];
    snprintf(path, sizeof path, GRT_SOURCE_DIR "/%s", program->page);
    read_into(manual, sizeof manual, path);
    command_count = 0;
    expect(0, call("%s --help", program->name));
    char *line = strstr(out, "Commands:\n"), *rest = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    strtok_r(line, "\n", &rest);
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL && strcmp(line, "Examples:") != 0) {
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ') { /* else a summary goes on */
            CU_ASSERT_FATAL(command_count < MOST_COMMANDS);
            CU_ASSERT_EQUAL_FATAL(sscanf(line, " %63[a-z]", commands[command_count]), 1);
            command_count += strcmp(commands[command_count], "help") != 0;
        }
    }
    CU_ASSERT_FATAL(command_count > program->least_commands);
}

/* Whether a text has an option, not as the beginning of a longer one. */
static bool has_option(const char *text, const char *option) {
    size_t length = strlen(option);
    for (const char *at = strstr(text, option); at != NULL; at = strstr(at + 1, option)) {
        if (strchr("abcdefghijklmnopqrstuvwxyz-", at[length]) == NULL || at[length] == '\0') {
            return true;
        }
    }
    return false;
}

/* The section of a command; false where there is none. */
static bool find_section(const char *command) {
    char heading[NAME_SIZE + 32];
    snprintf(heading, sizeof heading, "\n## %s %.63s\n", program->name, command);
    const char *begin = strstr(manual, heading);
    if (begin == NULL) {
        return false;
    }
    const char *end = strstr(begin + strlen(heading), "\n## ");
    snprintf(section, sizeof section, "%.*s", end != NULL ? (int)(end - begin) : (int)strlen(begin), begin);
    return true;
}

/* The section, and the pages of this folder that it links to. */
static void read_pages(void) {
    size_t size = (size_t)snprintf(pages, sizeof pages, "%s", section);
    for (const char *at = strstr(section, "]("); at != NULL; at = strstr(at + 1, "](")) {
        char name[NAME_SIZE], path[sizeof GRT_SOURCE_DIR + NAME_SIZE + 8];
        if (sscanf(at, "](%60[a-z-].md", name) == 1 && strncmp(at + 2 + strlen(name), ".md", 3) == 0) {
            snprintf(path, sizeof path, GRT_SOURCE_DIR "/docs/%s.md", name);
            read_into(pages + size, sizeof pages - size, path);
            size += strlen(pages + size);
        }
    }
}

static bool is_built_in(const char *option) {
    return strcmp(option, "--help") == 0 || strcmp(option, "--usage") == 0 ||
           strcmp(option, "--version") == 0;
}

/* The options of a command's --help: the words before the two spaces that what they do stands behind. Returns how many there were. */
static size_t check_options(const char *command) {
    size_t count = 0;
    char *rest = NULL;
    for (char *line = strtok_r(out, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *at = line + strspn(line, " ");
        if (*at != '-' || at == line) {
            continue;
        }
        char *end = strstr(at, "  ");
        if (end != NULL) {
            *end = '\0';
        }
        char option[NAME_SIZE];
        for (at = strstr(at, "--"); at != NULL && sscanf(at, "%60[a-z0-9-]", option) == 1;
             at = strstr(at + 2, "--")) {
            count++;
            if (!is_built_in(option) && !has_option(pages, option)) {
                printf("\n    %s, section %s: no %s", program->page, command, option);
                CU_FAIL("an option is missing");
            }
        }
    }
    return count;
}

static void test_options(void) {
    for (size_t i = 0; i < command_count; i++) {
        if (!find_section(commands[i])) {
            printf("\n    %s: no section of %s", program->page, commands[i]);
            CU_FAIL("a section is missing");
            continue;
        }
        read_pages();
        expect(0, call("%s %s --help", program->name, commands[i]));
        CU_ASSERT(check_options(commands[i]) >= 2); /* --help and --usage at least */
    }
}

/* The list at the beginning has them all, in the order of gpurt --help. */
static void test_list(void) {
    const char *at = strstr(manual, "```\n");
    for (size_t i = 0; i < command_count && at != NULL; i++) {
        char line[NAME_SIZE + 32];
        snprintf(line, sizeof line, "\n%s %.63s", program->name, commands[i]);
        at = strstr(at, line);
        if (at == NULL) {
            printf("\n    %s: %s is not in the list of commands, or not in its place", program->page,
                   commands[i]);
        }
        CU_ASSERT_PTR_NOT_NULL(at);
    }
}

/* Exit codes that only some commands have are said of these alone. */
static void test_exit_codes(void) {
    for (size_t i = 0; i < command_count; i++) {
        expect(0, call("%s %s --help", program->name, commands[i]));
        expect_part(out, "Exit codes: 0 ");
        char *codes = strstr(out, "Exit codes: ");
        bool said = codes != NULL && strstr(codes, "--fail-on-miss") != NULL;
        CU_ASSERT_EQUAL(said,
                        has_option(out, "--fail-on-miss") && strstr(out, "      --fail-on-miss") != NULL);
    }
}

/* Looks at everything in the manual of one program. */
static void look_at(size_t number) {
    program = &programs[number];
    test_commands();
    test_options();
    test_list();
    test_exit_codes();
}

static void test_gpurt(void) {
    look_at(0);
}

#ifdef GRT_CALIB_PROGRAM
static void test_calibration(void) {
    look_at(1);
}
#endif

int main(void) {
    CU_TestInfo tests[] = {{"gpurt", test_gpurt},
#ifdef GRT_CALIB_PROGRAM
                           {"gpurt-calib", test_calibration},
#endif
                           CU_TEST_INFO_NULL};
    return grt_suite_run("manual", tests);
}
