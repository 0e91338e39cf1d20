#include "cli/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/simulation.h"
#include "scenarios/text_file.h"
#include "sim/memory.h"
#include "sim/trace_file.h"

enum { MAGIC_SIZE = sizeof GRT_TRACE_FILE_MAGIC - 1, FIRST_CAPACITY = 64 * 1024 };

/* A file of which the beginning has been read. */
struct input {
    const char *path;
    int fd;
    char first[MAGIC_SIZE];
    size_t taken;
    struct grt_errors errors;
};

/* Reads up to `size` bytes, fewer only at the end of the file; -1 after an error of the system. */
static ssize_t read_fully(int fd, char *bytes, size_t size) {
    size_t got = 0;
    while (got < size) {
        ssize_t count = read(fd, bytes + got, size - got);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        got += count > 0 ? (size_t)count : 0;
    }
    return (ssize_t)got;
}

static bool open_input(struct input *input) {
    bool standard = strcmp(input->path, "-") == 0;
    input->fd = standard ? STDIN_FILENO : open(input->path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0) {
        grt_error_add(&input->errors, NULL, "cannot be opened: %s", strerror(errno));
        return false;
    }
    ssize_t taken = read_fully(input->fd, input->first, sizeof input->first);
    if (taken < 0) {
        grt_error_add(&input->errors, NULL, "cannot be read: %s", strerror(errno));
        return false;
    }
    input->taken = (size_t)taken;
    return true;
}

static void close_input(const struct input *input) {
    if (input->fd > STDIN_FILENO) {
        close(input->fd);
    }
}

/* A part of the magic at the end of the file: a trace that was cut very short. */
static bool is_trace(const struct input *input) {
    return input->taken > 0 && memcmp(input->first, GRT_TRACE_FILE_MAGIC, input->taken) == 0;
}

static enum grt_exit read_trace(struct input *input, struct grt_trace_memory *out) {
    const char *name = strcmp(input->path, "-") == 0 ? "standard input" : input->path;
    if (!grt_trace_file_read_open(input->fd, name, input->first, input->taken, out, &input->errors)) {
        grt_print_errors(&input->errors, NULL);
        return GRT_EXIT_INPUT;
    }
    return GRT_EXIT_DONE;
}

/* The whole text, with what was read to see that it is one. */
static char *read_text(struct input *input, size_t *size) {
    uint32_t capacity = 0;
    char *text = NULL;
    size_t used = input->taken;
    for (size_t got = 1; got > 0 && used <= GRT_TEXT_FILE_LIMIT; used += got) {
        uint32_t first = GRT_FIRST_CAPACITY(FIRST_CAPACITY) + MAGIC_SIZE, needed = (uint32_t)used + 2;
        text = grt_array_grow(text, &capacity, needed > first ? needed : first, 1);
        memcpy(text, input->first, input->taken);
        ssize_t count = read_fully(input->fd, text + used, capacity - used - 1);
        if (count < 0) {
            grt_error_add(&input->errors, NULL, "cannot be read: %s", strerror(errno));
            free(text);
            return NULL;
        }
        got = (size_t)count;
    }
    if (used > GRT_TEXT_FILE_LIMIT) {
        grt_error_add(&input->errors, NULL, "is larger than 64 MiB");
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *size = used;
    return text;
}

static bool load(struct input *input, struct grt_simulation *simulation) {
    const struct grt_scenario_changes unchanged = {0};
    struct grt_arena arena = {0};
    size_t size = 0;
    char *text = read_text(input, &size);
    simulation->path = input->path;
    simulation->loaded = text != NULL && grt_scenario_parse(text, size, grt_folder_of(&arena, input->path),
                                                            &unchanged, &simulation->file, &input->errors);
    free(text);
    grt_arena_clear(&arena);
    return simulation->loaded;
}

static enum grt_exit simulate(struct input *input, struct grt_trace_memory *out) {
    struct grt_simulation simulation = {0};
    bool done = load(input, &simulation);
    if (done) {
        grt_simulation_add_sink(&simulation, &grt_trace_memory_sink, out);
        done = grt_simulation_run(&simulation, false, &input->errors);
    }
    grt_print_errors(&input->errors, input->path);
    grt_simulation_free(&simulation);
    return done ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}

enum grt_exit grt_trace_input_read(const char *path, struct grt_trace_memory *out) {
    struct input input = {.path = path, .fd = -1};
    if (!open_input(&input)) {
        grt_print_errors(&input.errors, path);
        close_input(&input);
        return GRT_EXIT_INPUT;
    }
    enum grt_exit code = is_trace(&input) ? read_trace(&input, out) : simulate(&input, out);
    close_input(&input);
    return code;
}
