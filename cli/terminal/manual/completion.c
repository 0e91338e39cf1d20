#include "cli/terminal/manual/completion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

typedef void write_function(const struct grt_completion *completion);

/* In the order of grt_completion_shells. */
static write_function *const writers[] = {grt_completion_bash, grt_completion_zsh, grt_completion_fish};

const char *const grt_completion_shells[] = {"bash", "zsh", "fish", NULL};
static_assert(sizeof writers / sizeof writers[0] + 1 ==
                  sizeof grt_completion_shells / sizeof grt_completion_shells[0],
              "a writer for each shell");

void grt_completion_put(const struct grt_completion *completion, const char *text) {
    for (const char *mark; (mark = strstr(text, "${0}")) != NULL; text = mark + 4) {
        fprintf(completion->out, "%.*s%s", (int)(mark - text), text, completion->function);
    }
    fputs(text, completion->out);
}

void grt_completion_quote(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '\'' ? "'\\'" : "", out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* ---- Commands ---- */

static void read_arguments(struct grt_completion_command *command, const struct grt_manual_subject *subject,
                           const char *line, struct grt_arena *arena) {
    char value[64];
    size_t *count = &command->argument_count;
    command->repeats = line != NULL && strstr(line, "...") != NULL;
    while (*count < GRT_COMPLETION_ARGUMENTS && grt_value_of_argument(line, *count, value)) {
        command->labels[*count] = grt_arena_text(arena, value);
        command->arguments[*count] = grt_value_kind_of(subject, command->name, value);
        *count += 1;
    }
    bool same = *count > 1 && strcmp(command->labels[*count - 1], command->labels[*count - 2]) == 0;
    while (command->repeats && same && *count > 1 &&
           strcmp(command->labels[*count - 1], command->labels[*count - 2]) == 0) {
        *count -= 1;
        free(command->arguments[*count].words);
    }
}

static void read_command(struct grt_completion_command *command, const struct grt_manual_subject *subject,
                         const struct argp *argp, struct grt_arena *arena) {
    grt_option_list_read(&command->options, argp);
    command->values = grt_arena_array(arena, command->options.count, sizeof *command->values);
    for (uint32_t i = 0; i < command->options.count; i++) {
        const struct grt_listed_option *option = &command->options.items[i];
        command->values[i] = (struct grt_value_kind){0};
        if (option->value != NULL) {
            command->values[i] = grt_value_kind_of(subject, option->names[0], option->value);
        }
    }
    read_arguments(command, subject, argp->args_doc, arena);
}

static void clear_command(struct grt_completion_command *command) {
    for (uint32_t i = 0; i < command->options.count; i++) {
        free(command->values[i].words);
    }
    for (size_t i = 0; i < command->argument_count; i++) {
        free(command->arguments[i].words);
    }
    grt_option_list_free(&command->options);
}

/* ---- All ---- */

static const char *function_name(const char *program, struct grt_arena *arena) {
    size_t size = strlen(program) + 2;
    char *name = grt_arena_array(arena, size, 1);
    snprintf(name, size, "_%s", program);
    for (char *at = name; *at != '\0'; at++) {
        *at = *at == '-' ? '_' : *at;
    }
    return name;
}

static void write_for(write_function *write, FILE *out, const struct grt_manual_subject *subject) {
    struct grt_arena arena = {0};
    size_t count = subject->command_count > 0 ? subject->command_count : 1;
    struct grt_completion_command *commands = grt_arena_array(&arena, count, sizeof *commands);
    for (size_t i = 0; i < count; i++) {
        const struct grt_program_command *command = subject->command_count > 0 ? &subject->commands[i] : NULL;
        commands[i] =
            (struct grt_completion_command){.name = command != NULL ? command->name : NULL,
                                            .summary = command != NULL ? command->summary : subject->summary};
        read_command(&commands[i], subject, command != NULL ? command->argp : subject->argp, &arena);
    }
    struct grt_completion completion = {.out = out,
                                        .subject = subject,
                                        .function = function_name(subject->name, &arena),
                                        .commands = commands,
                                        .command_count = count};
    write(&completion);
    for (size_t i = 0; i < count; i++) {
        clear_command(&commands[i]);
    }
    grt_arena_clear(&arena);
}

bool grt_completion_write(FILE *out, const struct grt_manual_subject *subject, const char *shell) {
    for (size_t i = 0; grt_completion_shells[i] != NULL; i++) {
        if (strcmp(grt_completion_shells[i], shell) == 0) {
            write_for(writers[i], out, subject);
            return true;
        }
    }
    return false;
}
