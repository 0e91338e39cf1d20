#include "cli/named_list.h"

#include <stdio.h>
#include <unistd.h>

error_t grt_named_list_parse(int key, char *argument, struct argp_state *state) {
    struct grt_named_list *list = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &list->style;
        return 0;
    case 'j':
        list->json = true;
        return 0;
    case ARGP_KEY_ARG:
        grt_option_one(&list->name, list->what, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp_child grt_named_list_children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

struct grt_style grt_named_list_style(const struct grt_named_list *list) {
    enum { UNLIMITED = 10000 };
    struct grt_style style = list->style;
    if (isatty(STDOUT_FILENO) != 1 && !style.width_given) {
        style.width = UNLIMITED;
    }
    return style;
}

void grt_named_list_json(const struct grt_embedded_file *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[\n" : ",\n", stdout);
        fwrite(files[i].text, 1, files[i].size_bytes, stdout);
    }
    fputs("]\n", stdout);
}
