#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/files/raw_read.h"
#include "calib/program/report/chart_file.h"
#include "calib/program/report/page.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "sim/check.h"

enum { MOST_FILES = 64 };

struct report {
    const char *raw, *output, *pictures;
    enum grt_plot_format format;
    const char *files[MOST_FILES];
    size_t file_count;
    uint64_t given;
};

enum { KEY_PICTURES = 0x800, KEY_FORMAT, KEY_FILE };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The page, in Markdown (default: -, standard output)", 0},
    {"pictures", KEY_PICTURES, "FOLDER", 0, "Draw the pictures into it (default: the page has none)", 0},
    {"format", KEY_FORMAT, "svg|pdf|png", 0, "Format of the pictures (default: svg)", 0},
    {"file", KEY_FILE, "FILE", 0,
     "List a file that was made of this raw file, with its SHA-256, and say of a device file or kernel file "
     "whether it is what fit writes; may be given often",
     0},
    {0}};

static enum grt_plot_format read_format(const char *text, const struct argp_state *state) {
    for (int i = 0; i < GRT_PLOT_FORMATS; i++) {
        if (strcmp(text, grt_chart_endings[i]) == 0) {
            return (enum grt_plot_format)i;
        }
    }
    grt_argp_error(state, "--format must be svg, pdf or png (got '%s')", text);
    return GRT_PLOT_SVG;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct report *report = state->input;
    if (key != KEY_FILE) {
        grt_option_once(&report->given, options, key, state);
    }
    switch (key) {
    case KEY_FILE:
        if (report->file_count == MOST_FILES) {
            grt_argp_error(state, "--file may be given %d times at most", MOST_FILES);
        }
        report->files[report->file_count++] = grt_option_text("--file", argument, state);
        return 0;
    case 'o':
        report->output = grt_option_text("--output", argument, state);
        return 0;
    case KEY_PICTURES:
        report->pictures = grt_option_text("--pictures", argument, state);
        return 0;
    case KEY_FORMAT:
        report->format = read_format(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&report->raw, "raw file", argument, state);
        return 0;
    case ARGP_KEY_END:
        if (report->raw == NULL) {
            grt_argp_error(state, "which raw file? (\"-\": standard input)");
        }
        grt_check_output_list("raw file", report->raw,
                              &(struct grt_output_option){"--output", report->output}, 1, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_calib_report_argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "RAW",
    .doc = "Writes a page about a calibration: a summary to sign, every parameter with interval, "
           "residual and how it was found, what was refused or is missing, "
           "and pictures of samples beside models. Needs no device."
           "\v"
           "Examples:\n"
           "  gpurt-calib report h200.jsonl -o h200.md --pictures=h200-pictures\n"
           "  gpurt-calib report h200.jsonl -o h200.md --file=h200.json \\\n"
           "      --file=h200-kernels.json\n"
           "  gpurt-calib report h200.jsonl -o h200.md --pictures=. --format=pdf\n"
           "\n" GRT_EXIT_HELP};

/* The folder of pictures as a page beside or above it sees it. */
static const char *link_of(const struct report *report) {
    const char *slash = report->output != NULL ? strrchr(report->output, '/') : NULL;
    size_t length = slash != NULL ? (size_t)(slash - report->output) + 1 : 0;
    bool inside =
        length > 0 && report->pictures != NULL && strncmp(report->pictures, report->output, length) == 0;
    return inside ? report->pictures + length : report->pictures;
}

static bool write_page(const struct report *report, const struct grt_fit *fit, struct grt_arena *arena,
                       struct grt_errors *errors) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    struct grt_page page = {.fit = fit,
                            .out = out,
                            .pictures = report->pictures,
                            .link = link_of(report),
                            .format = report->format,
                            .named = report->files,
                            .named_count = report->file_count,
                            .arena = arena,
                            .errors = errors};
    grt_page_write(&page);
    fclose(out);
    bool good =
        grt_output_text(report->output != NULL ? report->output : "-", text, "", errors) && !page.failed;
    free(text);
    return good;
}

enum grt_exit grt_calib_report(int argc, char **argv) {
    struct report report = {0};
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    grt_options_parse(&grt_calib_report_argp, argc, argv, &report);
    enum grt_exit result = GRT_EXIT_INPUT;
    struct grt_raw *raw = grt_raw_read(report.raw, &arena, &errors);
    if (raw == NULL) {
        grt_print_errors(&errors, report.raw);
    } else {
        result =
            write_page(&report, grt_fit_all(raw, &arena), &arena, &errors) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
        grt_print_errors(&errors, NULL);
    }
    grt_arena_clear(&arena);
    return result;
}
