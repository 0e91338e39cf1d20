/* Manual pages. What they say of a command comes from its tables; what it reads and writes beside is known by its options. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/terminal/manual/help_text.h"
#include "cli/terminal/manual/option_list.h"
#include "cli/terminal/manual/page_lists.h"
#include "cli/terminal/manual/roff.h"
#include "cli/terminal/manual/subject.h"

struct page {
    FILE *out;
    const struct grt_manual_subject *subject;
    const struct grt_program_command *command; /* NULL: the program's own */
    const struct argp *argp;
    struct grt_option_list options;
    char *behind; /* the help text behind the options */
};

/* ---- Title ---- */

/* The date that builds which can be repeated are told (reproducible-builds.org, SOURCE_DATE_EPOCH). */
static void write_date(FILE *out) {
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL, date[32] = "";
    errno = 0;
    long long seconds = text != NULL ? strtoll(text, &end, 10) : -1;
    time_t time = (time_t)seconds;
    struct tm parts;
    if (seconds >= 0 && end != text && *end == '\0' && errno == 0 && gmtime_r(&time, &parts) != NULL) {
        strftime(date, sizeof date, "%Y-%m-%d", &parts);
    }
    fprintf(out, "\"%s\"", date);
}

/* "gpurt-run". */
static void write_name(const struct page *page, bool capitals) {
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", page->subject->name, page->command != NULL ? "-" : "",
             page->command != NULL ? page->command->name : "");
    for (char *at = name; capitals && *at != '\0'; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    grt_roff_put_plain(page->out, name, strlen(name));
}

static void write_title(const struct page *page) {
    fputs(".TH ", page->out);
    write_name(page, true);
    fputs(" 1 ", page->out);
    write_date(page->out);
    fprintf(page->out, " \"gpurt %s\" \"GPU real\\-time scheduling\"\n.SH NAME\n", GRT_VERSION);
    write_name(page, false);
    fputs(" \\- ", page->out);
    const char *summary = page->command != NULL ? page->command->summary : page->subject->summary;
    fputc(tolower((unsigned char)summary[0]), page->out);
    grt_roff_put(page->out, summary + 1, strlen(summary) - 1);
    fputc('\n', page->out);
}

/* ---- Synopsis, description ---- */

static void write_synopsis(const struct page *page) {
    const char *line = page->argp->args_doc != NULL ? page->argp->args_doc : "";
    fputs(".SH SYNOPSIS\n", page->out);
    do {
        size_t length = strcspn(line, "\n");
        fputs("\\fB", page->out);
        grt_roff_put_plain(page->out, page->subject->name, strlen(page->subject->name));
        if (page->command != NULL) {
            fputc(' ', page->out);
            grt_roff_put_plain(page->out, page->command->name, strlen(page->command->name));
        }
        fputs("\\fR [\\fIOPTION\\fR...] ", page->out);
        grt_roff_put_synopsis(page->out, line, length);
        line += length + (line[length] == '\n');
        fputs(*line != '\0' ? "\n.br\n" : "\n", page->out);
    } while (*line != '\0');
}

static void write_table(const struct page *page, struct grt_help_part *part) {
    struct grt_help_item item;
    fputs(".PP\n", page->out);
    grt_roff_put(page->out, part->title, part->title_length);
    fputs(":\n", page->out);
    while (grt_help_next_item(part, &item)) {
        fputs(".TP\n\\fB", page->out);
        grt_roff_put_plain(page->out, item.head, item.head_length);
        fputs("\\fR\n", page->out);
        grt_roff_put_sentence(page->out, item.text, item.text_length);
    }
}

static void write_description(const struct page *page) {
    size_t length;
    const char *front = grt_help_front(page->argp, &length), *rest = page->behind;
    struct grt_help_part part;
    fputs(".SH DESCRIPTION\n", page->out);
    grt_roff_put_sentence(page->out, front, length);
    while (grt_help_next_part(&rest, &part)) {
        bool is_commands = page->command == NULL && page->subject->command_count > 0;
        if (part.kind == GRT_HELP_TABLE && !is_commands) { /* commands have a section */
            write_table(page, &part);
        } else if (part.kind == GRT_HELP_TEXT) {
            fputs(".PP\n", page->out);
            grt_roff_put_sentence(page->out, part.text, part.length);
        }
    }
}

static void write_commands(const struct page *page) {
    if (page->command != NULL || page->subject->command_count == 0) {
        return;
    }
    fputs(".SH COMMANDS\nEach has a page of its own.\n", page->out);
    for (size_t i = 0; i < page->subject->command_count; i++) {
        const struct grt_program_command *command = &page->subject->commands[i];
        fputs(".TP\n\\fB", page->out);
        grt_roff_put_plain(page->out, page->subject->name, strlen(page->subject->name));
        fprintf(page->out, "\\-%s\\fR(1)\n", command->name);
        grt_roff_put_sentence(page->out, command->summary, strlen(command->summary));
    }
    fputs(".TP\n\\fBhelp\\fR [\\fICOMMAND\\fR]\nThe help of a command, as \\fICOMMAND\\fR "
          "\\fB\\-\\-help\\fR.\n",
          page->out);
}

/* ---- Options ---- */

static void write_value(FILE *out, const struct grt_listed_option *option, const char *between) {
    if (option->value != NULL) {
        fprintf(out, "%s%s\\fI", option->value_is_optional ? "[" : "", between);
        grt_roff_put_plain(out, option->value, strlen(option->value));
        fprintf(out, "\\fR%s", option->value_is_optional ? "]" : "");
    }
}

static void write_option(FILE *out, const struct grt_listed_option *option) {
    fputs(".TP\n", out);
    if (option->letter != '\0') {
        fprintf(out, "\\fB\\-%c\\fR", option->letter);
        write_value(out, option, option->value_is_optional ? "" : " ");
    }
    for (size_t i = 0; i < sizeof option->names / sizeof option->names[0] && option->names[i] != NULL; i++) {
        fprintf(out, "%s\\fB\\-\\-", i > 0 || option->letter != '\0' ? ", " : "");
        grt_roff_put_plain(out, option->names[i], strlen(option->names[i]));
        fputs("\\fR", out);
        write_value(out, option, "=");
    }
    fputc('\n', out);
    grt_roff_put_text(out, option->text, strlen(option->text));
}

static void write_options(const struct page *page) {
    fputs(".SH OPTIONS\n", page->out);
    const struct grt_listed_option *last = NULL;
    for (uint32_t i = 0; i < page->options.count; i++) {
        const struct grt_listed_option *option = &page->options.items[i];
        const char *heading = option->heading != NULL ? option->heading : last != NULL ? "Others" : NULL;
        if (heading != NULL && (last == NULL || last->group != option->group)) {
            size_t length = strlen(heading);
            fputs(".SS ", page->out);
            grt_roff_put(page->out, heading, length - (heading[length - 1] == ':'));
            fputc('\n', page->out);
        }
        write_option(page->out, option);
        last = option;
    }
}

/* ---- What stands behind the options ---- */

static void write_codes(const struct page *page) {
    const char *rest = page->behind;
    struct grt_help_part part;
    struct grt_help_item item;
    while (grt_help_next_part(&rest, &part)) {
        if (part.kind != GRT_HELP_CODES) {
            continue;
        }
        fputs(".SH EXIT STATUS\n", page->out);
        for (bool coded = false; grt_help_next_item(&part, &item); coded = item.head_length > 0) {
            if (item.head_length > 0) {
                fprintf(page->out, ".TP\n\\fB%.*s\\fR\n", (int)item.head_length, item.head);
            } else {
                fputs(coded ? ".PP\n" : "", page->out);
            }
            grt_roff_put_sentence(page->out, item.text, item.text_length);
        }
    }
}

/* The lines of a command as they are to be typed. */
static void write_example(FILE *out, const char *text, size_t length) {
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t line = end != NULL ? (size_t)(end - text) : length;
        fputs("\\fB", out);
        grt_roff_put_plain(out, text, line);
        fputs("\\fR\n", out);
        text += line + (end != NULL);
        length -= line + (end != NULL);
        while (length > 4 && strncmp(text, "     ", 5) == 0) { /* four are left */
            text++;
            length--;
        }
    }
}

static void write_examples(const struct page *page) {
    const char *rest = page->behind;
    struct grt_help_part part;
    struct grt_help_item item;
    while (grt_help_next_part(&rest, &part)) {
        if (part.kind != GRT_HELP_EXAMPLES) {
            continue;
        }
        fputs(".SH EXAMPLES\n", page->out);
        while (grt_help_next_item(&part, &item)) {
            if (item.text_length > 0) {
                fputs(".PP\n", page->out);
                grt_roff_put_sentence(page->out, item.text, item.text_length);
            }
            fputs(".PP\n.nf\n.RS 4\n", page->out);
            write_example(page->out, item.head, item.head_length);
            fputs(".RE\n.fi\n", page->out);
        }
    }
}

void grt_manual_page_write(FILE *out, const struct grt_manual_subject *subject,
                           const struct grt_program_command *command) {
    struct page page = {.out = out,
                        .subject = subject,
                        .command = command,
                        .argp = command != NULL ? command->argp : subject->argp};
    grt_option_list_read(&page.options, page.argp);
    page.behind = grt_help_behind(page.argp);
    write_title(&page);
    write_synopsis(&page);
    write_description(&page);
    write_commands(&page);
    write_options(&page);
    if (command == NULL && subject->sections != NULL) {
        subject->sections(out);
    }
    write_codes(&page);
    grt_page_lists_write(out, subject, command);
    write_examples(&page);
    grt_page_see_also_write(out, subject, command);
    free(page.behind);
    grt_option_list_free(&page.options);
}
