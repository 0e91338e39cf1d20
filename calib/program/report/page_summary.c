#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "calib/driver/nvml.h"
#include "calib/program/files/file_text.h"
#include "calib/program/report/findings.h"
#include "calib/program/report/fingerprint.h"
#include "calib/program/report/measured.h"
#include "calib/program/report/page.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"

/* ---- rows of the first table ---- */

static void put_row(struct grt_page *page, const char *name, const char *text) {
    if (text != NULL && text[0] != '\0') {
        fputs("| ", page->out);
        grt_markdown_put(page->out, name);
        fputs(" | ", page->out);
        grt_markdown_put(page->out, text);
        fputs(" |\n", page->out);
    }
}

static const char *driver_text(const struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    bool has_path = raw->driver_path != NULL && raw->driver_path[0] != '\0';
    return grt_format(page->arena, "%sCUDA %d.%d%s%s",
                      grt_pretended_text(raw) != NULL ? "a pretended one, which says " : "",
                      raw->device.driver_version / 1000, raw->device.driver_version % 1000 / 10,
                      has_path ? ", " : "", has_path ? raw->driver_path : "");
}

static const char *device_text(const struct grt_page *page) {
    const struct grt_bench_device *device = &page->fit->raw->device;
    return grt_format(page->arena, "%s, compute capability %d.%d, %d SMs, %s of memory; %s, PCI %s",
                      device->name, device->compute_capability / 10, device->compute_capability % 10,
                      device->sm_count,
                      grt_finding_number_text((double)device->memory_bytes, GRT_UNIT_BYTES, page->arena),
                      device->uuid[0] != '\0' ? device->uuid : "no UUID",
                      device->bus_id[0] != '\0' ? device->bus_id : "not known");
}

/* "sm_frequency 1.300000002GHz (+- 88Hz)". */
static const char *clock_text(const struct grt_page *page, const char *text, const char *name) {
    const struct grt_finding *finding = grt_fit_find(page->fit, name);
    if (finding == NULL || finding->status != GRT_FINDING_MEASURED) {
        return grt_format(page->arena, "%s%s%s not found", text, text[0] != '\0' ? "; " : "", name);
    }
    return grt_format(page->arena, "%s%s%s %s (%s)", text, text[0] != '\0' ? "; " : "", name,
                      grt_finding_value_text(finding, page->arena),
                      grt_finding_interval_text(finding, page->arena));
}

static const char *clocks_text(const struct grt_page *page) {
    static const char *const names[] = {"sm_frequency", "timer_step", "event_step", "clock_offset",
                                        "clock_drift"};
    const char *text = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        text = clock_text(page, text, names[i]);
    }
    return text;
}

/* By the blocks' own cycles and times. */
static const char *frequencies_text(const struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < raw->cell_count; i++) {
        bool known = raw->cells[i].sm_mhz_low > 0;
        low = known ? fmin(low, raw->cells[i].sm_mhz_low) : low;
        high = known ? fmax(high, raw->cells[i].sm_mhz_high) : high;
    }
    return high > 0
               ? grt_format(page->arena, "%.0f to %.0f MHz in all visits, by cycles of blocks", low, high)
               : "not known in any visit";
}

static const char *health_text(const struct grt_page *page) {
    const struct grt_raw_health_range *health = &page->fit->raw->health;
    char reasons[256];
    if (health->count == 0) {
        return "not known: no management library said anything";
    }
    grt_nvml_reasons_text(health->reasons, reasons, sizeof reasons);
    return grt_format(page->arena, "%d to %d C, up to %.4g W, %d to %d MHz; slowed by: %s",
                      health->celsius_low, health->celsius_high, health->milliwatts_high / 1e3,
                      health->sm_mhz_low, health->sm_mhz_high, reasons[0] != '\0' ? reasons : "nothing");
}

static const char *processors_text(const struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    int64_t low = INT64_MAX, high = -1;
    for (size_t i = 0; i < raw->cell_count; i++) {
        bool known = raw->cells[i].cpu_batches > 0;
        low = known && raw->cells[i].cpu_low < low ? raw->cells[i].cpu_low : low;
        high = known && raw->cells[i].cpu_high > high ? raw->cells[i].cpu_high : high;
    }
    return high < 0 ? "" /* the clock is no real one, or the file is older */
           : low == high
               ? grt_format(page->arena, "on processor %" PRId64 " in all visits", low)
               : grt_format(page->arena, "on processors %" PRId64 " to %" PRId64 ": it moved", low, high);
}

static const char *state_text(const struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    return raw->complete          ? "complete"
           : raw->stopped != NULL ? grt_format(page->arena, "not complete: %s", raw->stopped)
           : raw->cut_off         ? "cut off: the last line is not whole"
                                  : "not complete";
}

static const char *found_text(const struct grt_page *page) {
    const struct grt_fit *fit = page->fit;
    size_t counts[GRT_FINDING_MISSING + 1] = {0};
    for (size_t i = 0; i < fit->finding_count; i++) {
        counts[fit->findings[i].status]++;
    }
    return grt_format(
        page->arena,
        "%zu parameters measured, %zu told by the driver, %zu refused, %zu not measured; warnings: %zu",
        counts[GRT_FINDING_MEASURED], counts[GRT_FINDING_TOLD], counts[GRT_FINDING_REFUSED],
        counts[GRT_FINDING_MISSING], fit->warning_count + fit->raw->skipped_count);
}

static void put_provenance(struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    struct grt_arena *arena = page->arena;
    const char *pretended = grt_pretended_text(raw);
    fputs("\n| | |\n|---|---|\n", page->out);
    put_row(page, "Device", device_text(page));
    put_row(page, "Real or pretended",
            pretended != NULL         ? grt_format(arena, "pretended: %s", pretended)
            : raw->backend[0] != '\0' ? grt_format(arena, "real: back end %s", raw->backend)
                                      : "not known: the file names no back end");
    put_row(page, "Driver", driver_text(page));
    put_row(page, "Clocks", clocks_text(page));
    put_row(page, "SMs ran at", frequencies_text(page));
    put_row(page, "Health", health_text(page));
    put_row(page, "Measured",
            raw->seconds > 0 ? grt_format(arena, "%s, in %.4g s", raw->started, raw->seconds) : raw->started);
    put_row(page, "State", state_text(page));
    put_row(page, "Found", found_text(page));
    put_row(page, "By", grt_format(arena, "%s (build %s)", raw->program, raw->build));
    put_row(page, "Command", grt_format(arena, "`%s`", raw->command));
    put_row(page, "Seed", grt_format(arena, "%" PRIu64, raw->seed));
    put_row(page, "Kernels", raw->kernels_made_by);
    put_row(page, "Host", raw->host);
    put_row(page, "Measuring thread", processors_text(page));
}

/* ---- what is doubtful ---- */

static void put_line(struct grt_page *page, const char *before, const char *text) {
    fputs("- ", page->out);
    if (before != NULL) {
        grt_markdown_put(page->out, before);
        fputs(": ", page->out);
    }
    grt_markdown_put(page->out, text);
    fputc('\n', page->out);
}

static const char *refusal_of(const struct grt_fitted_worst *worst) {
    return worst->pwcet->refusal_count > 0 ? worst->pwcet->refusals[0] : "";
}

/* Each reason once, with all that it is the first one of. */
static void put_refused_worst(struct grt_page *page) {
    const struct grt_fit *fit = page->fit;
    for (size_t i = 0; i < fit->worst_count; i++) {
        const char *why = refusal_of(&fit->worst[i]), *names = "";
        bool is_said = why[0] == '\0';
        for (size_t j = 0; j < fit->worst_count && !is_said; j++) {
            bool same = strcmp(refusal_of(&fit->worst[j]), why) == 0;
            is_said = same && j < i;
            names = same ? grt_format(page->arena, "%s%s%s", names, names[0] != '\0' ? "; " : "",
                                      fit->worst[j].name)
                         : names;
        }
        if (!is_said) {
            put_line(page, grt_format(page->arena, "Refused: worst cases of %s", names), why);
        }
    }
}

static void put_doubts(struct grt_page *page) {
    const struct grt_fit *fit = page->fit;
    size_t count;
    const char *const *missing = grt_findings_missing(fit, &count, page->arena);
    fputs("\n### What is doubtful, refused or missing\n\n", page->out);
    if (fit->warning_count + fit->raw->skipped_count + count == 0) {
        fputs("Nothing.\n", page->out);
    }
    for (size_t i = 0; i < fit->warning_count; i++) {
        put_line(page, NULL, fit->warnings[i]);
    }
    for (size_t i = 0; i < fit->raw->skipped_count; i++) {
        put_line(page, fit->raw->skipped[i].experiment, fit->raw->skipped[i].why);
    }
    for (size_t i = 0; i < count; i++) {
        put_line(page, "Not found", missing[i]);
    }
    put_refused_worst(page);
}

/* ---- files ---- */

static void put_file(struct grt_page *page, const char *path, bool is_judged) {
    char hash[GRT_SHA256_TEXT_SIZE];
    size_t size;
    char *bytes = grt_file_bytes(path, &size, page->arena, page->errors);
    if (bytes == NULL) {
        page->failed = true;
        return;
    }
    fputs("| ", page->out);
    grt_markdown_put(page->out, path);
    fprintf(page->out, " | %zu | `%s` | %s |\n", size, grt_sha256_text(bytes, size, hash),
            is_judged ? grt_file_verdict(page->fit, bytes) : "");
}

static const char file_heading[] = "| file | bytes | SHA-256 | |\n|---|---|---|---|\n";

static void put_files(struct grt_page *page) {
    const struct grt_raw *raw = page->fit->raw;
    fprintf(page->out, "\n### Files\n\n%s", file_heading);
    fputs("| ", page->out);
    grt_markdown_put(page->out, raw->file);
    fprintf(page->out, " | %zu | `%s` | the samples |\n", raw->size_bytes,
            raw->sha256 != NULL ? raw->sha256 : "");
    for (size_t i = 0; i < page->named_count; i++) {
        put_file(page, page->named[i], true);
    }
    if (page->file_count > 0) {
        fprintf(page->out, "\nThe %" PRIu32 " pictures of this page are listed [at its end](#pictures).\n",
                page->file_count);
    }
}

void grt_page_write_files(struct grt_page *page) {
    if (page->file_count > 0) {
        fprintf(page->out, "\n## Pictures\n\n%s", file_heading);
    }
    for (uint32_t i = 0; i < page->file_count && !page->failed; i++) {
        put_file(page, page->files[i], false);
    }
}

void grt_page_write_summary(struct grt_page *page) {
    const char *pretended = grt_pretended_text(page->fit->raw);
    fputs("\n## Summary to sign\n", page->out);
    if (pretended != NULL) {
        fprintf(page->out, "\n**This is no measurement of a GPU**: the device was pretended (%s).\n",
                pretended);
    }
    put_provenance(page);
    grt_measured_put(page->fit->raw, page->arena, page->out);
    put_doubts(page);
    put_files(page);
    fputs("\nChecked by, date: ____________________\n", page->out);
}
