#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "calib/program/files/device_write.h"
#include "calib/program/files/fit_write.h"
#include "calib/program/files/kernels_write.h"
#include "calib/program/files/raw_read.h"
#include "calib/program/report/findings.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/same_file.h"
#include "cli/terminal/sha256.h"

struct fit {
    const char *raw, *device, *kernels, *json, *name;
    double exceedance;
    bool fails_on_refusal, with_how;
    uint64_t given;
    struct grt_style style;
};

enum { KEY_DEVICE = 0x600, KEY_KERNELS, KEY_NAME, KEY_FAIL, KEY_HOW };

static const struct argp_option options[] = {
    {"device-file", KEY_DEVICE, "FILE", 0,
     "Write what was measured as a device file, which scenarios name as `device`", 0},
    {"kernel-file", KEY_KERNELS, "FILE", 0,
     "Write the kernels' times as a kernel file, which scenarios name as `kernels`", 0},
    {"json", 'j', "FILE", 0,
     "Write all findings and curves as JSON (- for standard output, then without tables)", 0},
    {"exceedance", 'p', "P", 0,
     "How often a run may be longer than the worst case that the kernel file declares: at most 0.001 "
     "(default: 1e-6)",
     0},
    {"how", KEY_HOW, NULL, 0, "Say of each parameter how it was found", 0},
    {"fail-on-refusal", KEY_FAIL, NULL, 0,
     "End with exit code 1 where samples are there but do not allow to say a parameter or a worst case", 0},
    {"name", KEY_NAME, "TEXT", 0, "Name of the device in these files (default: the driver's name of it)", 0},
    {0}};

static void check(const struct fit *fit, const struct argp_state *state) {
    const struct grt_output_option outputs[] = {
        {"--device-file", fit->device}, {"--kernel-file", fit->kernels}, {"--json", fit->json}};
    if (fit->raw == NULL) {
        grt_argp_error(state, "which raw file? (\"-\": standard input)");
    }
    grt_check_output_list("raw file", fit->raw, outputs, sizeof outputs / sizeof outputs[0], state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct fit *fit = state->input;
    const struct grt_plain_option plain[] = {{KEY_DEVICE, "--device-file", .text = &fit->device},
                                             {KEY_KERNELS, "--kernel-file", .text = &fit->kernels},
                                             {'j', "--json", .text = &fit->json},
                                             {KEY_HOW, .flag = &fit->with_how},
                                             {KEY_NAME, "--name", .text = &fit->name},
                                             {KEY_FAIL, .flag = &fit->fails_on_refusal},
                                             {0}};
    grt_option_once(&fit->given, options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &fit->style;
        return 0;
    case 'p':
        fit->exceedance =
            grt_option_number("--exceedance", argument, 1e-15, GRT_PWCET_MOST_EXCEEDANCE, state);
        return 0;
    case ARGP_KEY_ARG:
        if (fit->raw != NULL) {
            grt_argp_error(
                state,
                "takes one raw file (got '%s' and '%s'): kernels have sizes, and clocks origins, of "
                "their own in each; measure all of it in one, with a longer --budget or fewer --workloads",
                fit->raw, argument);
        }
        grt_option_one(&fit->raw, "raw file", argument, state);
        return 0;
    case ARGP_KEY_END:
        check(fit, state);
        return 0;
    default:
        return grt_option_keep(plain, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_fit_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .args_doc = "RAW",
    .doc =
        "Turns the samples of a raw file into parameters: each with an interval, its residual and how it "
        "was found, or why it was not. Needs no device."
        "\v"
        "Examples:\n"
        "  gpurt-calib fit h200.jsonl\n"
        "  gpurt-calib fit h200.jsonl --device-file=h200.json \\\n"
        "      --kernel-file=h200-kernels.json\n"
        "\n"
        "Exit codes: 0 done; 1 failed while running, or with --fail-on-refusal something is refused; 2 bad "
        "input or usage. A refusal is an answer: without that option it ends with 0."};

/* Writes a text that may not have come about, says by what to know it again, and frees it. */
static bool write_text(const char *path, char *text, bool says, struct grt_errors *errors) {
    char hash[GRT_SHA256_TEXT_SIZE];
    bool written = text != NULL && grt_output_text(path, text, "", errors);
    if (written && says) {
        printf("%s: %zu bytes, SHA-256 %s\n", path, strlen(text), grt_sha256_text(text, strlen(text), hash));
    }
    free(text);
    return written;
}

static bool prints_table(const struct fit *fit) {
    return !grt_is_standard_output(fit->device) && !grt_is_standard_output(fit->kernels) &&
           !grt_is_standard_output(fit->json);
}

static bool has_refusals(const struct grt_fit *fit) {
    bool any = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        any = any || fit->findings[i].status == GRT_FINDING_REFUSED;
    }
    return any;
}

static bool write_files(const struct fit *command, const struct grt_fit *fit, struct grt_arena *arena,
                        struct grt_errors *errors) {
    const char *name = command->name != NULL ? command->name : grt_device_file_name(&fit->raw->device, arena);
    bool good = true, says = prints_table(command);
    if (says && (command->device != NULL || command->kernels != NULL || command->json != NULL)) {
        puts("\nFiles:");
    }
    if (command->device != NULL) {
        good = write_text(command->device, grt_device_file_text(fit, name, errors), says, errors) && good;
    }
    if (command->kernels != NULL) {
        good = write_text(command->kernels, grt_kernel_file_text(fit, name, errors), says, errors) && good;
    }
    if (command->json != NULL) {
        good = write_text(command->json, grt_fit_text_of(fit), says, errors) && good;
    }
    return good;
}

enum grt_exit grt_calib_fit(int argc, char **argv) {
    struct fit command = {.exceedance = GRT_FIT_EXCEEDANCE, .style = grt_style_default()};
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    grt_options_parse(&grt_calib_fit_argp, argc, argv, &command);
    struct grt_raw *raw = grt_raw_read(command.raw, &arena, &errors);
    if (raw == NULL) {
        grt_print_errors(&errors, command.raw);
        grt_arena_clear(&arena);
        return GRT_EXIT_INPUT;
    }
    const struct grt_fit *fit = grt_fit_at(raw, command.exceedance, &arena);
    if (prints_table(&command)) {
        grt_findings_print(fit, &command.style, command.with_how, stdout);
    }
    bool good = write_files(&command, fit, &arena, &errors);
    good = good && !(command.fails_on_refusal && has_refusals(fit));
    grt_print_errors(&errors, NULL);
    grt_arena_clear(&arena);
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}
