#include "calib/program/report/page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/report/chart_file.h"
#include "calib/program/report/findings.h"
#include "calib/program/report/host_costs.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"
#include "sim/check.h"

/* The chapters, in the order in which one builds on the other. */
static const struct chapter {
    const char *experiment, *title, *about;
} chapters[] = {
    {"device", "What the driver says", "Not measured."},
    {"clock", "Clocks",
     "The device's timer, its events, its frequency, and how its clock runs beside the host's."},
    {"launch", "Launches",
     "From the host's call to the kernel's first block, between kernels of a stream, and from the last "
     "block's end until the host knows."},
    {"residency", "Blocks on an SM",
     "How many were seen on one SM at a time; the driver's own number stands in the device."},
    {"dispatch", "Placement of blocks",
     "Which SM takes which block, and how quickly one block follows another."},
    {"coresidency", "Blocks that share an SM", "How long a block takes with so many others on its SM."},
    {"waves", "Kernels of many blocks",
     "The time of a kernel over its blocks: a replay of waves with the measured times of blocks beside the "
     "measured kernel."},
    {"split", "Kernels cut into pieces", "What every further sub-kernel costs."},
    {"copy", "Copies", "Time = latency + bytes / bandwidth."},
    {"engines", "Copy engines", "Whether two copies overlap."},
    {"priority", "Priorities of streams",
     "When a late, urgent kernel gets its first block while another one fills the device."},
    {"partition", "Some of the SMs",
     "A kernel's time over the SMs that it may use. The model is the nearest curve that never rises."},
    {"together", "Kernels side by side",
     "How many times as long a kernel takes beside another one: 1.00x is as long as without it."},
};

/* ---- small parts ---- */

/* A name for a file: letters and digits of a title, dashes for the rest. */
static const char *file_name(const char *title, struct grt_arena *arena) {
    char *name = grt_arena_array(arena, strlen(title) + 1, 1);
    size_t length = 0;
    for (; *title != '\0'; title++) {
        unsigned char letter = (unsigned char)*title;
        if (isalnum(letter)) {
            name[length++] = (char)tolower(letter);
        } else if (length > 0 && name[length - 1] != '-') {
            name[length++] = '-';
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
    return name;
}

void grt_page_put_chart(struct grt_page *page, const struct grt_chart *chart) {
    if (page->pictures == NULL || page->failed || chart->line_count == 0) {
        return;
    }
    const char *name = file_name(chart->title, page->arena);
    if (!grt_chart_write(page->pictures, name, chart, page->format, page->errors)) {
        page->failed = true;
        return;
    }
    fprintf(page->out, "\n%s[", page->format == GRT_PLOT_PDF ? "" : "!");
    grt_markdown_put(page->out, chart->title);
    fprintf(page->out, "](%s/%s.%s)\n", page->link, name, grt_chart_endings[page->format]);
    page->files =
        grt_array_grow(page->files, &page->file_capacity, page->file_count + 1, sizeof *page->files);
    page->files[page->file_count++] =
        grt_format(page->arena, "%s/%s.%s", page->pictures, name, grt_chart_endings[page->format]);
}

/* ---- chapters ---- */

static bool is_of(const struct grt_finding *finding, const char *experiment) {
    return strcmp(finding->experiment, experiment) == 0;
}

static void put_finding(struct grt_page *page, const struct grt_finding *finding) {
    struct grt_arena *arena = page->arena;
    fputs("| ", page->out);
    grt_markdown_put(page->out, finding->name);
    fprintf(page->out, " | %s | %s | %s | %zu | ", grt_finding_value_text(finding, arena),
            grt_finding_interval_text(finding, arena), grt_finding_residual_text(finding, arena),
            finding->samples);
    grt_markdown_put(page->out, finding->how);
    fputs(" |\n", page->out);
}

static void put_findings(struct grt_page *page, const char *experiment) {
    const struct grt_fit *fit = page->fit;
    bool headed = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        if (is_of(&fit->findings[i], experiment) && fit->findings[i].why == NULL) {
            fputs(headed ? ""
                         : "\n| parameter | value | 95 % interval | residual | samples | how "
                           "|\n|---|---|---|---|---|---|\n",
                  page->out);
            headed = true;
            put_finding(page, &fit->findings[i]);
        }
    }
}

static void put_missing(struct grt_page *page, const char *experiment) {
    const struct grt_fit *fit = page->fit;
    bool missed = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (is_of(finding, experiment) && finding->why != NULL) {
            fputs(missed ? "" : "\nNot found:\n\n", page->out);
            missed = true;
            fputs("- ", page->out);
            grt_markdown_put(page->out, finding->name);
            fputs(": ", page->out);
            grt_markdown_put(page->out, finding->why);
            fputc('\n', page->out);
        }
    }
}

static bool has_chapter(const struct grt_fit *fit, const char *experiment) {
    bool any = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        any = any || is_of(&fit->findings[i], experiment);
    }
    return any;
}

static void put_curves(struct grt_page *page, const char *experiment) {
    for (size_t i = 0; i < page->fit->curve_count; i++) {
        const struct grt_curve *curve = &page->fit->curves[i];
        if (strcmp(curve->experiment, experiment) == 0 && curve->count > 0) {
            const struct grt_chart chart = grt_chart_of_curve(curve, page->arena);
            grt_page_put_chart(page, &chart);
        }
    }
}

static void put_host_costs(struct grt_page *page, const char *experiment) {
    const char *member =
        strcmp(experiment, "launch") == 0 ? grt_host_costs_member(page->fit, page->arena) : NULL;
    if (member != NULL) {
        fprintf(page->out, "\nWhat the host computes:\n\n```\n%s\n```\n\n", member);
        grt_markdown_put(page->out, grt_host_costs_about);
        fputc('\n', page->out);
    }
}

static void put_chapters(struct grt_page *page) {
    for (size_t i = 0; i < sizeof chapters / sizeof chapters[0]; i++) {
        const struct chapter *chapter = &chapters[i];
        if (has_chapter(page->fit, chapter->experiment)) {
            fprintf(page->out, "\n## %s\n\n%s\n", chapter->title, chapter->about);
            if (strcmp(chapter->experiment, "together") == 0) {
                grt_page_write_slowdowns(page);
            } else {
                put_findings(page, chapter->experiment);
            }
            put_missing(page, chapter->experiment);
            put_host_costs(page, chapter->experiment);
            put_curves(page, chapter->experiment);
        }
    }
    grt_page_write_worst(page);
}

/* The chapters are made first: the summary names the pictures in them. */
void grt_page_write(struct grt_page *page) {
    FILE *out = page->out;
    char *text = NULL;
    size_t size = 0;
    page->out = open_memstream(&text, &size);
    GRT_REQUIRE(page->out != NULL, "have more memory");
    put_chapters(page);
    fclose(page->out);
    page->out = out;
    fputs("# Calibration of ", out);
    grt_markdown_put(out, page->fit->raw->device.name);
    fputc('\n', out);
    grt_page_write_summary(page);
    fwrite(text, 1, size, out);
    grt_page_write_files(page);
    free(text);
    free(page->files);
    page->files = NULL;
}
