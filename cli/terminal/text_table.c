#include "cli/terminal/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"

enum { GAP = 2 };

static const char *format_text(struct grt_arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    char *text = grt_arena_array(arena, size, 1);
    vsnprintf(text, size, format, arguments);
    return text;
}

const char *grt_format(struct grt_arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_text(arena, format, arguments);
    va_end(arguments);
    return text;
}

void grt_table_add_column(struct grt_table *table, struct grt_table_column column) {
    GRT_REQUIRE(table->column_count < GRT_TABLE_COLUMNS, "raise GRT_TABLE_COLUMNS");
    table->columns[table->column_count++] = column;
}

void grt_table_add(struct grt_table *table, const char *format, ...) {
    if (table->cell_count == table->cell_capacity) {
        table->cells =
            grt_array_grow(table->cells, &table->cell_capacity, table->cell_count + 1, sizeof *table->cells);
    }
    va_list arguments;
    va_start(arguments, format);
    table->cells[table->cell_count++] = format_text(table->arena, format, arguments);
    va_end(arguments);
}

void grt_table_free(struct grt_table *table) {
    free(table->cells);
    table->cells = NULL;
    table->cell_count = table->cell_capacity = 0;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Columns beside each other with the same group share its heading, which stands over the first. */
static bool repeats_group(const struct grt_table *table, size_t column) {
    return column > 0 && strcmp(table->columns[column].group, table->columns[column - 1].group) == 0;
}

static size_t column_width(const struct grt_table *table, size_t column) {
    size_t width = grt_text_cells(table->columns[column].name);
    if (!repeats_group(table, column)) {
        width = larger(width, grt_text_cells(table->columns[column].group));
    }
    for (size_t cell = column; cell < table->cell_count; cell += table->column_count) {
        width = larger(width, grt_text_cells(table->cells[cell]));
    }
    return width;
}

static size_t kept_of(const struct grt_table *table) {
    return table->kept > 0 ? table->kept : 1;
}

/* One part: the kept columns and columns [begin, end). */
struct part {
    const struct grt_table *table;
    const size_t *widths;
    size_t begin, end;
};

/* A text that is wider than its column, the heading of a group in its second part, reaches into the gap before it. */
static void print_row(const struct part *part, const char *const texts[], FILE *out) {
    size_t pending = 0; /* blanks that are due only if something follows */
    size_t kept = kept_of(part->table);
    for (size_t i = 0; i < kept || i < part->end; i = i + 1 == kept ? part->begin : i + 1) {
        enum grt_text_side side = part->table->columns[i].side;
        size_t cells = grt_text_cells(texts[i]), width = part->widths[i];
        size_t blanks = width > cells ? width - cells : 0, excess = cells > width ? cells - width : 0;
        pending += (i > 0 ? GAP : 0) + (side == GRT_TEXT_RIGHT ? blanks : 0);
        if (cells > 0) {
            fprintf(out, "%*s", (int)(pending > excess ? pending - excess : 0), "");
            grt_text_put(out, texts[i], cells, GRT_TEXT_LEFT);
            pending = 0;
        }
        pending += side == GRT_TEXT_LEFT ? blanks : 0;
    }
    fputc('\n', out);
}

static size_t kept_width(const struct grt_table *table, const size_t *widths) {
    size_t width = widths[0];
    for (size_t i = 1; i < kept_of(table); i++) {
        width += GAP + widths[i];
    }
    return width;
}

static void print_rule(const struct part *part, bool utf8, FILE *out) {
    size_t width = kept_width(part->table, part->widths);
    for (size_t i = part->begin; i < part->end; i++) {
        width += GAP + part->widths[i];
    }
    for (size_t i = 0; i < width; i++) {
        fputs(utf8 ? "─" : "-", out);
    }
    fputc('\n', out);
}

static void print_heading(const struct part *part, bool utf8, FILE *out) {
    const char *groups[GRT_TABLE_COLUMNS], *names[GRT_TABLE_COLUMNS];
    bool any_group = false;
    for (size_t i = 0; i < part->table->column_count; i++) {
        groups[i] = i != part->begin && repeats_group(part->table, i) ? "" : part->table->columns[i].group;
        names[i] = part->table->columns[i].name;
        any_group = any_group || (i >= part->begin && i < part->end && groups[i][0] != '\0');
    }
    if (any_group) {
        print_row(part, groups, out);
    }
    print_row(part, names, out);
    print_rule(part, utf8, out);
}

static void print_part(const struct part *part, bool utf8, FILE *out) {
    print_heading(part, utf8, out);
    for (size_t row = 0; row < part->table->cell_count / part->table->column_count; row++) {
        print_row(part, part->table->cells + row * part->table->column_count, out);
    }
}

/* The end of the part that begins at column `begin`: everything if it fits; else up to the last column that starts a
 * part, or else as many columns as fit, one at least. */
static size_t part_end(const struct grt_table *table, const size_t *widths, size_t begin, size_t limit) {
    size_t width = kept_width(table, widths), end = begin, split = 0;
    while (end < table->column_count && (end == begin || width + GAP + widths[end] <= limit)) {
        split = end > begin && table->columns[end].starts_part ? end : split;
        width += GAP + widths[end++];
    }
    if (end < table->column_count && table->columns[end].starts_part) {
        return end;
    }
    return end < table->column_count && split > 0 ? split : end;
}

void grt_table_print(const struct grt_table *table, const struct grt_style *style, FILE *out) {
    size_t widths[GRT_TABLE_COLUMNS] = {0}, kept = kept_of(table);
    GRT_REQUIRE(table->column_count >= kept, "add the columns that are kept");
    for (size_t i = 0; i < table->column_count; i++) {
        widths[i] = column_width(table, i);
    }
    for (size_t begin = kept; begin < table->column_count || begin == kept;) {
        size_t end =
            table->column_count == kept ? kept : part_end(table, widths, begin, (size_t)style->width);
        print_part(&(struct part){.table = table, .widths = widths, .begin = begin, .end = end}, style->utf8,
                   out);
        begin = end > begin ? end : begin + 1;
        if (begin < table->column_count) {
            fputc('\n', out);
        }
    }
}

const char *grt_table_cut(struct grt_arena *arena, const char *text, size_t most_cells) {
    char *cut = NULL;
    size_t size = 0, cells = grt_text_cells(text);
    FILE *out = open_memstream(&cut, &size);
    grt_text_put(out, text, cells < most_cells ? cells : most_cells, GRT_TEXT_LEFT);
    fclose(out);
    text = grt_arena_text(arena, cut);
    free(cut);
    return text;
}
