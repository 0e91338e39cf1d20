#include "viz/gantt/text_cells.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
    uint32_t first, last;
};

/* Excerpts of Unicode's tables: general category Mn and Cf, and East_Asian_Width W and F. Enough for names. */
static const struct range zero_width[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},
    {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
static const struct range double_width[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_in(const struct range *ranges, size_t count, uint32_t point) {
    for (size_t i = 0; i < count; i++) {
        if (point >= ranges[i].first && point <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* One character: its bytes and cells. `shown` is NULL where it cannot be printed as it is. */
struct character {
    size_t bytes, cells;
    const char *shown;
};

static size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    return lead >= 0xc2 && lead < 0xe0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/* Decodes the character at `text`; false if its bytes are no UTF-8. */
static bool decode(const char *text, size_t length, uint32_t *point) {
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *point = (unsigned char)text[0] & lead_bits[length];
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            return false;
        }
        *point = *point << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return length > 0 && *point >= least[length] && (*point < 0xd800 || *point > 0xdfff) &&
           *point <= 0x10ffff;
}

static struct character next_character(const char *text) {
    size_t length = sequence_length((unsigned char)text[0]);
    uint32_t point = 0;
    if (length == 0 || !decode(text, length, &point) || point < 0x20 || (point >= 0x7f && point < 0xa0)) {
        return (struct character){length > 0 && point >= 0x80 && point < 0xa0 ? length : 1, 1, NULL};
    }
    size_t cells = is_in(zero_width, COUNT(zero_width), point)       ? 0
                   : is_in(double_width, COUNT(double_width), point) ? 2
                                                                     : 1;
    return (struct character){length, cells, text};
}

size_t grt_text_cells(const char *text) {
    size_t cells = 0;
    while (*text != '\0') {
        struct character character = next_character(text);
        cells += character.cells;
        text += character.bytes;
    }
    return cells;
}

static void put_blanks(FILE *out, size_t count) {
    fprintf(out, "%*s", (int)count, "");
}

/* Writes what fits into `cells` cells and returns how many it took. */
static size_t put_fitting(FILE *out, const char *text, size_t cells) {
    size_t used = 0;
    while (*text != '\0') {
        struct character character = next_character(text);
        if (used + character.cells > cells) {
            break;
        }
        fwrite(character.shown != NULL ? character.shown : "?", 1,
               character.shown != NULL ? character.bytes : 1, out);
        used += character.cells;
        text += character.bytes;
    }
    return used;
}

void grt_text_put(FILE *out, const char *text, size_t cells, enum grt_text_side side) {
    size_t needed = grt_text_cells(text);
    if (needed > cells && cells > 0) {
        size_t used = put_fitting(out, text, cells - 1);
        put_blanks(out, cells - 1 - used);
        fputc('~', out);
        return;
    }
    size_t blanks = needed < cells ? cells - needed : 0;
    put_blanks(out, side == GRT_TEXT_RIGHT ? blanks : 0);
    put_fitting(out, text, cells);
    put_blanks(out, side == GRT_TEXT_LEFT ? blanks : 0);
}
