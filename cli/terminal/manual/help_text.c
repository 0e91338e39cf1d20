#include "cli/terminal/manual/help_text.h"

#include <ctype.h>
#include <string.h>

#include "sim/memory.h"

const char *grt_help_front(const struct argp *argp, size_t *length) {
    const char *text = argp->doc != NULL ? argp->doc : "";
    *length = strcspn(text, "\v");
    return text;
}

char *grt_help_behind(const struct argp *argp) {
    const char *found = argp->doc != NULL ? strchr(argp->doc, '\v') : NULL;
    const char *text = found != NULL ? found + 1 : "";
    char *filtered = NULL;
    if (argp->help_filter != NULL) {
        filtered = argp->help_filter(ARGP_KEY_HELP_POST_DOC, text, NULL);
    }
    if (filtered != NULL && filtered != text) {
        return filtered;
    }
    char *copy = grt_allocate(strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* Whether a part begins with a title; if so, the part goes on behind it. */
static bool take_title(struct grt_help_part *part, const char *title) {
    size_t length = strlen(title);
    if (part->length < length || strncmp(part->text, title, length) != 0) {
        return false;
    }
    part->text += length;
    part->length -= length;
    return true;
}

static bool has_entries(const struct grt_help_part *part) {
    const char *line = memchr(part->text, '\n', part->length);
    return line != NULL && line > part->text && line[-1] == ':' && strncmp(line + 1, "  ", 2) == 0;
}

/* Takes a line off; its length without the line break. */
static size_t take_line(struct grt_help_part *part) {
    const char *end = memchr(part->text, '\n', part->length);
    size_t length = end != NULL ? (size_t)(end - part->text) : part->length;
    part->text += length + (end != NULL);
    part->length -= length + (end != NULL);
    return length;
}

static size_t blanks(const struct grt_help_part *part) {
    size_t count = 0;
    while (count < part->length && part->text[count] == ' ') {
        count++;
    }
    return count;
}

bool grt_help_next_part(const char **text, struct grt_help_part *part) {
    *text += strspn(*text, "\n");
    if (**text == '\0') {
        return false;
    }
    const char *end = strstr(*text, "\n\n");
    *part =
        (struct grt_help_part){.text = *text, .length = end != NULL ? (size_t)(end - *text) : strlen(*text)};
    while (part->length > 0 && part->text[part->length - 1] == '\n') {
        part->length--;
    }
    *text += part->length;
    if (take_title(part, "Examples:\n") || take_title(part, "Example:\n")) {
        part->kind = GRT_HELP_EXAMPLES;
    } else if (take_title(part, "Exit codes: ")) {
        part->kind = GRT_HELP_CODES;
    } else if (has_entries(part)) {
        part->kind = GRT_HELP_TABLE;
        part->title = part->text;
        part->title_length = take_line(part) - 1;
    }
    return true;
}

/* "0 done; 1 failed while running; ... usage. A sentence." */
static bool next_code(struct grt_help_part *part, struct grt_help_item *item) {
    while (part->length > 0 && strchr(" \n;.", part->text[0]) != NULL) {
        part->text++;
        part->length--;
    }
    *item = (struct grt_help_item){.text = part->text};
    if (part->length == 0) {
        return false;
    }
    const char *at = part->text, *end = part->text + part->length;
    if (isdigit((unsigned char)*at) != 0) {
        item->head = at;
        while (at < end && isdigit((unsigned char)*at) != 0) {
            at++;
        }
        item->head_length = (size_t)(at - item->head);
        item->text = at + (at < end);
    }
    const char *stop = item->text;
    while (stop < end && !(*stop == ';' && item->head_length > 0) &&
           !(*stop == '.' && (stop + 1 == end || stop[1] == ' ' || stop[1] == '\n'))) {
        stop++;
    }
    item->text_length = (size_t)(stop - item->text);
    part->length -= (size_t)(stop - part->text);
    part->text = stop;
    return true;
}

/* The end of what stands in front of two blanks. */
static const char *end_of_head(const char *at, const char *end) {
    while (at < end && !(at[0] == ' ' && (at + 1 == end || at[1] == ' '))) {
        at++;
    }
    return at;
}

/* "  name    text", where the text may go on in the following lines, far to the right, and so may a name that ends in \ or |. */
static bool next_entry(struct grt_help_part *part, struct grt_help_item *item) {
    enum { FAR = 8 };
    *item = (struct grt_help_item){.head = part->text + blanks(part)};
    const char *head_end, *end;
    do {
        const char *line = part->text + blanks(part);
        size_t indent = blanks(part);
        end = line + take_line(part) - indent;
        head_end = end_of_head(line, end);
    } while (part->length > 0 && head_end > item->head && strchr("\\|", head_end[-1]) != NULL);
    item->head_length = (size_t)(head_end - item->head);
    item->text = head_end;
    while (item->text < end && *item->text == ' ') {
        item->text++;
    }
    while (part->length > 0 && blanks(part) >= FAR) {
        item->text = item->text == end ? part->text + blanks(part) : item->text;
        size_t indent = blanks(part);
        const char *line = part->text + indent;
        end = line + take_line(part) - indent;
    }
    item->text_length = (size_t)(end - item->text);
    return item->head_length > 0;
}

bool grt_help_next_item(struct grt_help_part *part, struct grt_help_item *item) {
    return part->kind == GRT_HELP_CODES ? next_code(part, item) : next_entry(part, item);
}
