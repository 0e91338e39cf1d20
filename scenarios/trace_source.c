#include "scenarios/trace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/simulation.h"
#include "scenarios/text_file.h"
#include "sim/memory.h"

enum { FIRST_CAPACITY = 64 * 1024 };

/* ---- Opening ---- */

static struct grt_file_stamp stamp_of(const struct stat *status) {
    return (struct grt_file_stamp){.known = S_ISREG(status->st_mode),
                                   .device = (uint64_t)status->st_dev,
                                   .inode = (uint64_t)status->st_ino,
                                   .size = (uint64_t)status->st_size,
                                   .modified_s = status->st_mtim.tv_sec,
                                   .modified_ns = status->st_mtim.tv_nsec};
}

/* Reads up to `size` bytes, fewer only at the end of the file; -1 after adding an error. */
static ssize_t read_fully(int fd, char *bytes, size_t size, struct grt_errors *errors) {
    size_t got = 0;
    while (got < size) {
        ssize_t count = read(fd, bytes + got, size - got);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            grt_error_add(errors, NULL, "cannot be read: %s", strerror(errno));
            return -1;
        }
        got += count > 0 ? (size_t)count : 0;
    }
    return (ssize_t)got;
}

/* A part of the magic at the end of the file: a trace that was cut very short. */
static bool begins_as_trace(const struct grt_trace_source *source) {
    return source->first_size > 0 && memcmp(source->first, GRT_TRACE_FILE_MAGIC, source->first_size) == 0;
}

/* Reads the rest of a scenario's text, behind what was read to see that it is one. */
static bool read_text(struct grt_trace_source *source, struct grt_errors *errors) {
    uint32_t capacity = 0;
    size_t used = source->first_size;
    for (size_t got = 1; got > 0 && used <= GRT_TEXT_FILE_LIMIT; used += got) {
        uint32_t first = GRT_FIRST_CAPACITY(FIRST_CAPACITY) + (uint32_t)sizeof source->first;
        uint32_t needed = (uint32_t)used + 2;
        source->text = grt_array_grow(source->text, &capacity, needed > first ? needed : first, 1);
        ssize_t count = read_fully(source->fd, source->text + used, capacity - used - 1, errors);
        if (count < 0) {
            return false;
        }
        got = (size_t)count;
    }
    if (used > GRT_TEXT_FILE_LIMIT) {
        grt_error_add(errors, NULL, "is larger than 64 MiB");
        return false;
    }
    memcpy(source->text, source->first, source->first_size);
    source->text[used] = '\0';
    source->text_size = used;
    return true;
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(grt_allocate(size), text, size);
}

static bool open_scenario(struct grt_trace_source *source, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    source->folder = copy_text(grt_folder_of(&arena, source->path));
    grt_arena_clear(&arena);
    return read_text(source, errors);
}

static void close_file(struct grt_trace_source *source) {
    if (source->fd > STDIN_FILENO) {
        close(source->fd);
    }
    source->fd = -1;
}

/* The file is open: what it is, and what it says. */
static bool look_into(struct grt_trace_source *source, struct grt_errors *errors) {
    struct stat status;
    if (fstat(source->fd, &status) == 0) {
        source->stamp = stamp_of(&status);
        source->stamp.known = source->stamp.known && source->fd != STDIN_FILENO;
    }
    ssize_t first = read_fully(source->fd, source->first, sizeof source->first, errors);
    if (first < 0) {
        return false;
    }
    source->first_size = (size_t)first;
    source->is_scenario = !begins_as_trace(source);
    bool good = !source->is_scenario || open_scenario(source, errors);
    if (source->is_scenario) {
        close_file(source);
    }
    return good;
}

bool grt_trace_source_open(struct grt_trace_source *source, const char *path, struct grt_errors *errors) {
    bool standard = strcmp(path, "-") == 0;
    *source = (struct grt_trace_source){.fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                                        .path = copy_text(path)};
    if (source->fd < 0) {
        grt_error_add(errors, NULL, "cannot be opened: %s", strerror(errno));
    }
    bool good = source->fd >= 0 && look_into(source, errors);
    if (!good) {
        struct stat status;
        bool there = stat(path, &status) == 0;
        grt_trace_source_close(source);
        source->stamp = there ? stamp_of(&status) : (struct grt_file_stamp){.known = false};
    }
    return good;
}

void grt_trace_source_close(struct grt_trace_source *source) {
    if (source->path != NULL) {
        close_file(source);
    }
    free(source->path);
    free(source->text);
    free(source->folder);
    *source = (struct grt_trace_source){0};
}

bool grt_trace_source_has_changed(const struct grt_trace_source *source) {
    struct stat status;
    if (!source->stamp.known || stat(source->path, &status) != 0) {
        return false;
    }
    struct grt_file_stamp now = stamp_of(&status), then = source->stamp;
    return now.known && (now.device != then.device || now.inode != then.inode || now.size != then.size ||
                         now.modified_s != then.modified_s || now.modified_ns != then.modified_ns);
}

/* ---- Watching a play ---- */

/* A sink in front of the caller's, which counts and asks. */
struct player {
    const struct grt_trace_sink *sink;
    void *state;
    const struct grt_play_watch *watch;
    struct grt_errors *errors;
    bool simulates;
    grt_time horizon;      /* 0: the end is not known */
    uint64_t file_records; /* that the file had when it was opened; 0: not known */
    struct grt_play_progress progress;
    enum grt_play_end end;
};

/* Notes why the play ends; returns false, so that it does. */
static bool end_play(struct player *player, enum grt_play_end end) {
    player->end = end;
    return false;
}

static bool play_names(void *state, const struct grt_trace_name *names, size_t count) {
    struct player *player = state;
    return player->sink->names(player->state, names, count) || end_play(player, GRT_PLAY_FAILED);
}

static bool refuse_length(struct player *player) {
    uint64_t most = player->watch->most_records;
    char text[GRT_TIME_TEXT_SIZE];
    if (player->simulates) {
        grt_error_add(player->errors, NULL,
                      "horizon: is too long: its first %s alone make more than %" PRIu64 " records",
                      grt_time_text(player->progress.time, text), most);
    } else {
        grt_error_add(player->errors, NULL, "has more than %" PRIu64 " records", most);
    }
    return end_play(player, GRT_PLAY_REFUSED);
}

static double ratio_done(const struct player *player) {
    double ratio = -1;
    if (player->horizon > 0) {
        ratio = (double)player->progress.time / (double)player->horizon;
    } else if (player->file_records > 0) {
        ratio = (double)player->progress.record_count / (double)player->file_records;
    }
    return ratio > 1 ? 1 : ratio;
}

static bool play_records(void *state, const struct grt_trace_record *records, size_t count) {
    struct player *player = state;
    const struct grt_play_watch *watch = player->watch;
    player->progress.record_count += count;
    player->progress.time = records[count - 1].time;
    if (watch->most_records > 0 && player->progress.record_count > watch->most_records) {
        return refuse_length(player);
    }
    if (!player->sink->write(player->state, records, count)) {
        return end_play(player, GRT_PLAY_FAILED);
    }
    player->progress.done_ratio = ratio_done(player);
    return watch->keep_on == NULL || watch->keep_on(watch->asker, &player->progress) ||
           end_play(player, GRT_PLAY_STOPPED);
}

static bool play_end(void *state) {
    struct player *player = state;
    return player->sink->end(player->state) || end_play(player, GRT_PLAY_FAILED);
}

static const struct grt_trace_sink player_sink = {play_names, play_records, play_end};

/* ---- Playing ---- */

static bool rewind_file(struct grt_trace_source *source, struct grt_errors *errors) {
    if (source->played && lseek(source->fd, (off_t)source->first_size, SEEK_SET) < 0) {
        grt_error_add(errors, NULL, "cannot be read twice: %s", strerror(errno));
        return false;
    }
    source->played = true;
    return true;
}

static enum grt_play_end play_file(struct grt_trace_source *source, struct player *player) {
    struct grt_trace_file file = {.fd = source->fd, .first = source->first, .first_size = source->first_size};
    if (!rewind_file(source, player->errors)) {
        return GRT_PLAY_REFUSED;
    }
    player->file_records = source->stamp.size / sizeof(struct grt_trace_record);
    enum grt_trace_reading outcome = grt_trace_file_stream(&file, &player_sink, player, player->errors);
    source->cut = file.cut;
    return outcome == GRT_READING_REFUSED ? GRT_PLAY_REFUSED : player->end;
}

static enum grt_play_end play_scenario(struct grt_trace_source *source,
                                       const struct grt_scenario_changes *changes, struct player *player) {
    struct grt_simulation simulation = {.ends_unheard = true};
    struct grt_scenario_text text = {source->text, source->text_size, source->folder};
    bool good = grt_simulation_parse(&simulation, &text, changes, player->errors);
    if (good) {
        const struct grt_scenario *scenario = &simulation.file.scenario;
        player->simulates = true;
        player->horizon = scenario->horizon_kind == GRT_HORIZON_AUTO ? 0 : scenario->horizon;
        grt_simulation_add_sink(&simulation, &player_sink, player);
        good = grt_simulation_run(&simulation, false, player->errors);
    }
    if (good && player->end == GRT_PLAY_DONE) {
        good = grt_simulation_is_whole(&simulation, player->errors);
        source->policy = simulation.file.policy->name;
    }
    grt_simulation_free(&simulation);
    return good ? player->end : GRT_PLAY_REFUSED;
}

enum grt_play_end grt_trace_source_play(struct grt_trace_source *source,
                                        const struct grt_scenario_changes *changes,
                                        const struct grt_trace_sink *sink, void *state,
                                        const struct grt_play_watch *watch, struct grt_errors *errors) {
    static const struct grt_play_watch nobody = {0};
    struct player player = {.sink = sink,
                            .state = state,
                            .watch = watch != NULL ? watch : &nobody,
                            .errors = errors,
                            .end = GRT_PLAY_DONE};
    return source->is_scenario ? play_scenario(source, changes, &player) : play_file(source, &player);
}
