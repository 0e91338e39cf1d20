#include "cli/analysis/report.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"
#include "policies/analyses/registry.h"

const char *grt_analysis_policies_text(const struct grt_analysis_ops *ops, struct grt_arena *arena) {
    const char *text = "";
    for (const char *const *name = ops->policies; *name != NULL; name++) {
        const char *between = name == ops->policies ? "" : name[1] == NULL ? " and " : ", ";
        text = grt_format(arena, "%s%s%s", text, between, *name);
    }
    return text[0] != '\0' ? text : "no policy of gpurt";
}

/* "  option jitter: a, b (default: a)", then what it means. */
static void print_option(const struct grt_field *field, const void *defaults, size_t width, FILE *out) {
    char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
    fprintf(out, "  option %s: ", field->name);
    for (size_t i = 0; field->type == GRT_FIELD_CHOICE && field->choices[i] != NULL; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", field->choices[i]);
    }
    fprintf(out, "%s(default: %s)\n    ", field->type == GRT_FIELD_CHOICE ? " " : "",
            grt_analysis_option_text(field, defaults, text));
    grt_paragraph_put(out, field->help, 4, width);
}

static void print_options(const struct grt_record *options, size_t width, FILE *out) {
    _Alignas(max_align_t) char defaults[GRT_ANALYSIS_OPTIONS_SIZE];
    grt_analysis_options_default(options, defaults);
    for (size_t i = 0; i < options->field_count; i++) {
        print_option(&options->fields[i], defaults, width, out);
    }
}

void grt_analysis_list(const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    size_t width = (size_t)style->width;
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        const struct grt_analysis_ops *ops = *analysis;
        fprintf(out, "%s%s\n  ", analysis == grt_analyses ? "" : "\n", ops->name);
        grt_paragraph_put(out, ops->summary, 2, width);
        fprintf(out, "  of %s; %s%s%s\n", grt_analysis_policies_text(ops, &arena),
                ops->exact ? "exact" : "not exact", ops->bounds ? "; bounds response times" : "",
                ops->scope == GRT_SCOPE_PLATFORM ? "; of all GPUs and cores together" : "");
        fputs("  source: ", out);
        grt_paragraph_put(out, ops->source, 10, width);
        if (ops->deviation != NULL) {
            fputs("  deviates: ", out);
            grt_paragraph_put(out, ops->deviation, 12, width);
        }
        if (ops->options != NULL) {
            print_options(ops->options, width, out);
        }
    }
    grt_arena_clear(&arena);
}
