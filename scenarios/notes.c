#include "scenarios/notes.h"

#include <stdio.h>
#include <string.h>

#include "models/task/evidence.h"

#define FOUND "`gpurt verify` found, under the file's own policy: %.*s"

enum { MOST_NAMES = 64 }; /* of worst cases without a model: of more it is enough to know these */

struct notes {
    const char **texts;
    size_t count;
    struct grt_arena *arena;
};

static bool is_said(const struct notes *notes, const char *text) {
    for (size_t i = 0; i < notes->count; i++) {
        if (strcmp(notes->texts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static void note_unfounded(struct notes *notes, const struct grt_task *task,
                           const struct grt_unfounded *unfounded) {
    enum { TEXT_SIZE = 600 };
    char text[TEXT_SIZE];
    const char *whose = unfounded->name != NULL ? unfounded->name : task->name;
    snprintf(text, sizeof text, "the worst case that %s %s declares %s",
             unfounded->name != NULL ? "kernel" : "task", whose, grt_unfounded_reason(unfounded->evidence));
    if (!is_said(notes, text)) {
        notes->texts[notes->count++] = grt_arena_text(notes->arena, text);
    }
}

/* What gpurt verify writes of a violation shows it in a plain run, but does not say it. */
static void note_violation(struct notes *notes, const char *description) {
    const char *end = description != NULL ? strstr(description, ". Found with ") : NULL;
    size_t begin = sizeof GRT_VIOLATION_WRITTEN - 1;
    if (end == NULL || strncmp(description, GRT_VIOLATION_WRITTEN, begin) != 0 ||
        end == description + begin) {
        return;
    }
    size_t length = (size_t)(end - description) - begin, size = length + sizeof FOUND;
    char *text = grt_arena_array(notes->arena, size, 1);
    snprintf(text, size, FOUND, (int)length, description + begin);
    notes->texts[notes->count++] = text;
}

void grt_scenario_note(struct grt_scenario_file *out, const struct grt_kernels *kernels) {
    const struct grt_scenario *scenario = &out->scenario;
    const char *const *devices = NULL;
    size_t device_count =
        grt_kernels_notes(kernels, scenario->gpus, scenario->gpu_count, &out->arena, &devices);
    struct notes notes = {.arena = &out->arena};
    notes.texts = grt_arena_array(&out->arena, device_count + MOST_NAMES + 1, sizeof *notes.texts);
    note_violation(&notes, out->description);
    for (size_t i = 0; i < device_count; i++) {
        notes.texts[notes.count++] = devices[i];
    }
    for (size_t i = 0; i < scenario->task_count; i++) {
        struct grt_unfounded unfounded[MOST_NAMES];
        size_t count = grt_task_unfounded(&scenario->tasks[i], unfounded, MOST_NAMES);
        for (size_t j = 0; j < count && notes.count < device_count + MOST_NAMES + 1; j++) {
            note_unfounded(&notes, &scenario->tasks[i], &unfounded[j]);
        }
    }
    out->notes = notes.texts;
    out->note_count = notes.count;
}
