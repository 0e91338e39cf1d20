/* labels: once */
/* Manual pages, completion and --help of every command say the same: all options are in all of them; pages are roff without a warning, and help stays
 * within its lines. How completion answers is in completion.sh. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

enum { MOST_COMMANDS = 40, NAME_SIZE = 64 };

static const char *program; /* "gpurt" */
static char commands[MOST_COMMANDS][NAME_SIZE];
static size_t command_count;
static char page[TEXT_SIZE], bash[TEXT_SIZE], zsh[TEXT_SIZE], fish[TEXT_SIZE];

static bool has_groff(void) {
    return call("command -v groff") == 0;
}

/* ---- What there is ---- */

static void list_commands(void) {
    char *rest = NULL;
    command_count = 0;
    expect(0, call("%s --help", program));
    char *list = strstr(out, "Commands:\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    for (char *line = strtok_r(list, "\n", &rest); line != NULL && strcmp(line, "Examples:") != 0;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ' && strncmp(line, "  help ", 7) != 0) {
            CU_ASSERT_FATAL(command_count < MOST_COMMANDS);
            CU_ASSERT_EQUAL_FATAL(sscanf(line, " %63[a-z]", commands[command_count++]), 1);
        }
    }
    CU_ASSERT(command_count >= 8);
}

static void read_completions(void) {
    expect(0, call("%s --completion=bash > bash; %s --completion=zsh > zsh; %s --completion=fish > fish",
                   program, program, program));
    read_text(SCRATCH "bash", bash);
    read_text(SCRATCH "zsh", zsh);
    read_text(SCRATCH "fish", fish);
}

/* ---- Pages ---- */

static void check_page(const char *command) {
    static const char *const sections[] = {"NAME",        "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                                           "EXIT STATUS", "EXAMPLES", "SEE ALSO"};
    expect(0, call("%s --man%s%s > page", program, command[0] != '\0' ? "=" : "", command));
    expect_text(err, "");
    read_text(SCRATCH "page", page);
    const char *at = page;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char heading[NAME_SIZE];
        snprintf(heading, sizeof heading, "\n.SH %s\n", sections[i]);
        at = strstr(at, heading);
        if (at == NULL) {
            printf("\n    %s %s: no section %s in its place", program, command, sections[i]);
            CU_FAIL_FATAL("a section is missing");
        }
    }
    if (has_groff()) {
        expect(0, call("groff -man -ww -z -Tutf8 page"));
        expect_text(err, "");
        expect_text(out, "");
    }
}

/* ---- Options ---- */

/* The option as roff has it: "\-\-fail\-on\-miss\fR". */
static bool page_has(const char *option) {
    char text[4 * NAME_SIZE] = "\\fB", *to = text + 3;
    for (; *option != '\0'; option++) {
        if (*option == '-') {
            *to++ = '\\';
        }
        *to++ = *option;
    }
    snprintf(to, 5, "\\fR");
    return strstr(page, text) != NULL;
}

/* Whether a part of a text, from `begin` to the next `end`, has a word that one of `behind` follows. */
static bool part_has(const char *text, const char *begin, const char *end, const char *word,
                     const char *behind) {
    const char *from = strstr(text, begin);
    if (from == NULL) {
        return false;
    }
    const char *to = strstr(from + strlen(begin), end);
    for (const char *at = strstr(from, word); at != NULL && (to == NULL || at < to);
         at = strstr(at + 1, word)) {
        if (strchr(behind, at[strlen(word)]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool fish_has(const char *command, const char *option) {
    char text[3 * NAME_SIZE];
    snprintf(text, sizeof text, "from %.63s' ", command);
    for (const char *at = strstr(fish, text); at != NULL; at = strstr(at + 1, text)) {
        char line[3 * NAME_SIZE], wanted[2 * NAME_SIZE];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        snprintf(wanted, sizeof wanted, " -l %.63s ", option + 2);
        if (strstr(line, wanted) != NULL) {
            return true;
        }
    }
    return false;
}

static void check_option(const char *command, const char *option) {
    char in_bash[NAME_SIZE + 16], in_zsh[2 * NAME_SIZE], function[NAME_SIZE];
    snprintf(function, sizeof function, "%s", strcmp(program, "gpurt") == 0 ? "_gpurt__" : "_gpurt_calib__");
    snprintf(in_bash, sizeof in_bash, "    %.47s)\n        options=", command);
    snprintf(in_zsh, sizeof in_zsh, "\n%.31s%.63s() {\n", function, command);
    const char *const missing = !page_has(option)                               ? "the page"
                                : !part_has(bash, in_bash, ";;", option, " ='") ? "completion of bash"
                                : !part_has(zsh, in_zsh, "\n}\n", option, "[=") ? "completion of zsh"
                                : !fish_has(command, option)                    ? "completion of fish"
                                                                                : NULL;
    if (missing != NULL) {
        printf("\n    %s %s: %s is not in %s", program, command, option, missing);
        CU_FAIL("an option is missing");
    }
}

/* The options of --help stand before two spaces, behind which is what they do. Returns how many there were. */
static size_t check_options(const char *command) {
    static char help[TEXT_SIZE];
    size_t count = 0;
    char *rest = NULL, option[NAME_SIZE];
    memcpy(help, out, sizeof help);
    for (char *line = strtok_r(help, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *at = line + strspn(line, " "), *end = strstr(at, "  ");
        if (*at != '-' || at == line) {
            continue;
        }
        if (end != NULL) {
            *end = '\0';
        }
        for (at = strstr(at, "--"); at != NULL && sscanf(at, "%60[a-z0-9-]", option) == 1;
             at = strstr(at + 2, "--")) {
            check_option(command, option);
            count++;
        }
    }
    return count;
}

/* ---- Help ---- */

/* No line is wider than a terminal, and none that was meant to stand by itself was broken. */
static void check_lines(const char *command) {
    bool in_examples = false;
    for (const char *line = out; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool is_example = length >= 2 && strncmp(line, "  ", 2) == 0;
        if (length > 79 || (length > 0 && line[length - 1] == ' ') ||
            (in_examples && length > 0 && !is_example)) {
            printf("\n    %s %s --help: \"%.*s\"", program, command, (int)length, line);
            CU_FAIL("a line is broken");
        }
        in_examples = strncmp(line, "Examples:\n", 10) == 0 || (in_examples && length > 0);
        line += length + (line[length] == '\n');
    }
}

/* Two groups under one number would stand below one heading, and leave the other with nothing. */
static void check_headings(const char *command) {
    for (const char *at = strstr(out, ":\n\n "); at != NULL; at = strstr(at + 1, ":\n\n ")) {
        printf("\n    %s %s --help: an empty heading: %.60s", program, command, at);
        CU_FAIL("an empty heading");
    }
}

static void look_at(const char *name) {
    program = name;
    list_commands();
    read_completions();
    check_page("");
    for (size_t i = 0; i < command_count; i++) {
        check_page(commands[i]);
        expect(0, call("%s %s --help", program, commands[i]));
        check_lines(commands[i]);
        check_headings(commands[i]);
        CU_ASSERT(check_options(commands[i]) >= 3); /* --help, --usage, --version at least */
    }
}

static void test_gpurt(void) {
    look_at("gpurt");
}

#ifdef GRT_CALIB_PROGRAM
static void test_calibration(void) {
    look_at("gpurt-calib");
}
#endif

/* ---- Particulars ---- */

static void test_dates(void) {
    expect(0, call("unset SOURCE_DATE_EPOCH; gpurt --man=run"));
    expect_part(out, ".TH GPURT\\-RUN 1 \"\" \"gpurt " GRT_VERSION "\"");
    expect(0, call("export SOURCE_DATE_EPOCH=951782400; gpurt --man=run"));
    expect_part(out, ".TH GPURT\\-RUN 1 \"2000-02-29\" ");
    expect(0, call("export SOURCE_DATE_EPOCH=today; gpurt --man=run"));
    expect_part(out, ".TH GPURT\\-RUN 1 \"\" ");
}

static void test_texts(void) {
    expect(0, call("gpurt --man=run"));
    expect_part(out, "\n\\fBgpurt run\\fR [\\fIOPTION\\fR...] \\fISCENARIO\\fR\n");
    expect_part(out, ".TP\n\\fB\\-\\-gantt\\fR[=\\fIFROM,TO\\fR]\n");
    expect_part(out, ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nPrint no tables.\n");
    expect_part(out, ".TP\n\\fB3\\fR\nA deadline was missed and \\fB\\-\\-fail\\-on\\-miss\\fR was given.\n");
    expect_part(out, ".TP\n\\fBNO_COLOR\\fR\n");
    expect_part(out, "\n\\fBgpurt run scenario\\&.json \\-\\-gantt=0ms,100ms\\fR\n");
    expect(0, call("gpurt --man=export"));
    expect_part(out, ".PP\nFormats:\n.TP\n\\fBpng\\fR\n"); /* what a filter adds to the help */
    expect_part(out, "\\fBgpurt\\-run\\fR(1),\n\\fBgpurt\\fR(1)");
    expect(0, call("gpurt --man=train"));
    expect_part(out, "\\fISCENARIO\\fR\n.br\n\\fBgpurt train\\fR"); /* two ways to call it */
    expect(0, call("gpurt --man"));
    expect_part(out, "\\fBgpurt\\-verify\\fR(1)\n");
    expect_part(out, ".TP\n\\fBGPURT_LIBRARY\\fR\n");
    expect(0, call("gpurt --man=generate"));
    expect_part(out, "\nuniform:MIN,MAX, log\\-uniform:MIN,MAX"); /* a value stays as it is typed */
    expect_part(out, "\\fBgpurt\\-run\\fR(1),\n");
    expect(0, call("gpurt --man=check"));
    expect_part(out, ".TP\n\\fBGPURT_LIBRARY\\fR\n"); /* it takes names */
    expect(0, call("gpurt --man=show"));
    CU_ASSERT_PTR_NULL(strstr(out, "GPURT_LIBRARY"));
}

/* Whoever may load a plug-in says how that is prevented; nobody else does. */
static void test_no_plugins(void) {
    static const char *const loading[] = {"", "=run", "=check", "=policies", "=sweep", "=compare", "=papers"};
    static const char *const others[] = {"=devices", "=plot", "=show"};
    for (size_t i = 0; i < sizeof loading / sizeof loading[0]; i++) {
        expect(0, call("gpurt --man%s", loading[i]));
        expect_part(out, ".TP\n\\fBGPURT_NO_PLUGINS\\fR\n");
    }
#ifdef GRT_CALIB_PROGRAM
    expect(0, call("gpurt-calib --man=validate"));
    expect_part(out, ".TP\n\\fBGPURT_NO_PLUGINS\\fR\n");
#endif
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        expect(0, call("gpurt --man%s", others[i]));
        CU_ASSERT_PTR_NULL(strstr(out, "NO_PLUGINS"));
    }
}

/* As `gpurt help help` is `gpurt help`. */
static void test_page_of_help(void) {
    expect(0, call("gpurt --man >program.1 && gpurt --man=help | cmp - program.1"));
}

static void test_refused(void) {
    expect(2, call("gpurt --man=rum"));
    expect_part(err, "gpurt: unknown command \"rum\" (did you mean \"run\"?)");
    expect_text(out, "");
    expect(2, call("gpurt --completion=tcsh"));
    expect_part(err, "gpurt: --completion: must be bash, zsh or fish (got 'tcsh')");
    expect(2, call("gpurt --completion"));
    expect(1, call("gpurt --man >/dev/full"));
    expect_part(err, "standard output");
    expect(2, call("gpurt --mab"));
    CU_ASSERT_PTR_NULL(strstr(err, "did you mean")); /* what is hidden is not offered */
}

int main(void) {
    CU_TestInfo tests[] = {{"gpurt", test_gpurt},
#ifdef GRT_CALIB_PROGRAM
                           {"gpurt-calib", test_calibration},
#endif
                           {"dates", test_dates},
                           {"texts", test_texts},
                           {"no plug-ins", test_no_plugins},
                           {"the page of help", test_page_of_help},
                           {"refused", test_refused},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("manual pages", tests);
}
