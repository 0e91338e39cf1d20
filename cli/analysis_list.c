#include "cli/analysis_report.h"
#include "cli/paragraph.h"
#include "cli/text_table.h"
#include "policies/analyses/registry.h"

const char *grt_analysis_policies_text(const struct grt_analysis_ops *ops, struct grt_arena *arena) {
    const char *text = "";
    for (const char *const *name = ops->policies; *name != NULL; name++) {
        const char *between = name == ops->policies ? "" : name[1] == NULL ? " and " : ", ";
        text = grt_format(arena, "%s%s%s", text, between, *name);
    }
    return text[0] != '\0' ? text : "no policy of gpurt";
}

void grt_analysis_list(const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    size_t width = (size_t)style->width;
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        const struct grt_analysis_ops *ops = *analysis;
        fprintf(out, "%s%s\n  ", analysis == grt_analyses ? "" : "\n", ops->name);
        grt_paragraph_put(out, ops->summary, 2, width);
        fprintf(out, "  of %s; %s%s\n", grt_analysis_policies_text(ops, &arena),
                ops->exact ? "exact" : "not exact", ops->bounds ? "; bounds response times" : "");
        fputs("  source: ", out);
        grt_paragraph_put(out, ops->source, 10, width);
        if (ops->deviation != NULL) {
            fputs("  deviates: ", out);
            grt_paragraph_put(out, ops->deviation, 12, width);
        }
    }
    grt_arena_clear(&arena);
}
