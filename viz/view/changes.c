#include "viz/view/changes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

static const char policy[] = "policy=";

void view_changes_free(struct view_changes *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        free(changes->texts[i]);
    }
    free(changes->texts);
    *changes = (struct view_changes){0};
}

void view_changes_add_policy(struct view_changes *changes, const char *name) {
    size_t size = sizeof policy + strlen(name);
    char *text = grt_allocate(size);
    snprintf(text, size, "%s%s", policy, name);
    view_changes_add(changes, text);
    free(text);
}

void view_changes_add(struct view_changes *changes, const char *text) {
    size_t size = strlen(text) + 1;
    changes->texts = grt_reallocate(changes->texts, (changes->count + 1) * sizeof *changes->texts);
    changes->texts[changes->count++] = memcpy(grt_allocate(size), text, size);
}

void view_changes_add_all(struct view_changes *changes, const struct view_changes *from) {
    for (size_t i = 0; i < from->count; i++) {
        view_changes_add(changes, from->texts[i]);
    }
}

void view_changes_drop(struct view_changes *changes) {
    free(changes->texts[--changes->count]);
}

static bool is_policy(const char *text) {
    return strncmp(text, policy, sizeof policy - 1) == 0;
}

/* "policy.slots=3": of a policy that another one has replaced. */
static bool is_parameter(const char *text) {
    return strncmp(text, "policy.", 7) == 0;
}

static bool is_same_path(const char *a, const char *b) {
    size_t length = strcspn(a, "=");
    return strcspn(b, "=") == length && strncmp(a, b, length) == 0;
}

/* Whether a later change makes one void. */
static bool is_replaced(const struct view_changes *changes, size_t number) {
    const char *text = changes->texts[number];
    for (size_t i = number + 1; i < changes->count; i++) {
        if (is_same_path(text, changes->texts[i]) || (is_policy(changes->texts[i]) && is_parameter(text))) {
            return true;
        }
    }
    return false;
}

struct view_changes_sum view_changes_sum(const struct view_changes *changes) {
    struct view_changes_sum sum = {.sets = grt_allocate((changes->count + 1) * sizeof *sum.sets)};
    for (size_t i = 0; i < changes->count; i++) {
        if (is_replaced(changes, i)) {
            continue;
        }
        if (is_policy(changes->texts[i])) {
            sum.policy = changes->texts[i] + sizeof policy - 1;
        } else {
            sum.sets[sum.set_count++] = changes->texts[i];
        }
    }
    return sum;
}
