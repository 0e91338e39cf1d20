#include "sim/running.h"

#include <stdint.h>
#include <string.h>

#include "sim/utf8.h"

/* A thread's own variable: checks and signal handlers have nothing else to know it by. */
static _Thread_local const struct grt_running *current;
static _Thread_local const struct grt_running_set *current_set;

const struct grt_running *grt_running_begin(const struct grt_running *running) {
    const struct grt_running *before = current;
    current = running;
    return before;
}

void grt_running_end(const struct grt_running *before) {
    current = before;
}

const struct grt_running *grt_running_now(void) {
    return current;
}

const struct grt_running_set *grt_running_set_begin(const struct grt_running_set *set) {
    const struct grt_running_set *before = current_set;
    current_set = set;
    return before;
}

void grt_running_set_end(const struct grt_running_set *before) {
    current_set = before;
}

/* ---- text, without anything that a signal handler may not call ---- */

struct text {
    char *bytes;
    size_t used, size;
};

static void put(struct text *text, const char *more) {
    for (; more != NULL && *more != '\0' && text->used + 1 < text->size; more++) {
        text->bytes[text->used++] = *more;
    }
    text->bytes[text->used] = '\0';
}

/* A path's last bytes, as a terminal can show them. (grt_utf8_shown calls nothing but strlen and memcpy, which handlers may.) */
static void put_path(struct text *text, const char *path) {
    enum { MOST = 120 };
    char shown[GRT_UTF8_SHOWN_SIZE(MOST)];
    size_t length = strlen(path);
    if (length > MOST) {
        path += length - MOST;
        while (((unsigned char)*path & 0xC0) == 0x80) {
            path++; /* not the rest of a character */
        }
        put(text, "...");
    }
    put(text, grt_utf8_shown(path, shown));
}

/* `digits` of them at least. */
static void put_number(struct text *text, uint64_t number, size_t digits) {
    enum { MOST_DIGITS = 20 };
    char reversed[MOST_DIGITS + 1] = "";
    size_t place = MOST_DIGITS;
    while (number > 0 || digits > 0) {
        reversed[--place] = (char)('0' + number % 10);
        number /= 10;
        digits -= digits > 0;
    }
    put(text, &reversed[place]);
}

/* As grt_time_text does. */
static void put_time(struct text *text, grt_time time) {
    static const struct {
        uint64_t size;
        size_t digits;
        const char *name;
    } units[] = {{1000000000, 9, "s"}, {1000000, 6, "ms"}, {1000, 3, "us"}, {1, 0, "ns"}};
    uint64_t span = time > 0 ? (uint64_t)time : 0;
    size_t unit = 0;
    while (span != 0 && span < units[unit].size) {
        unit++;
    }
    uint64_t fraction = span % units[unit].size;
    size_t digits = units[unit].digits;
    for (; digits > 0 && fraction % 10 == 0; digits--) {
        fraction /= 10;
    }
    put_number(text, span / units[unit].size, 1);
    put(text, digits > 0 ? "." : "");
    put_number(text, fraction, digits);
    put(text, units[unit].name);
}

char *grt_running_text(const struct grt_running *running, const char *between, char *bytes, size_t size) {
    struct text text = {bytes, 0, size};
    put(&text, running->what);
    put(&text, " ");
    put_path(&text, running->name); /* a plug-in that is loaded has no other */
    if (running->file != NULL) {
        put(&text, " (");
        put_path(&text, running->file);
        put(&text, ")");
    }
    put(&text, between);
    if (running->now != NULL) {
        put(&text, " at ");
        put_time(&text, *running->now);
    } else if (running->when != NULL) {
        put(&text, " ");
        put(&text, running->when);
    }
    return bytes;
}

char *grt_running_set_text(char bytes[GRT_RUNNING_SET_TEXT_SIZE]) {
    const struct grt_running_set *set = current_set;
    struct text text = {bytes, 0, GRT_RUNNING_SET_TEXT_SIZE};
    if (set == NULL) {
        return NULL;
    }
    put(&text, "in set ");
    put_number(&text, set->set, 1);
    put(&text, " of point ");
    put_number(&text, set->point, 1);
    put(&text, " of ");
    put_path(&text, set->experiment);
    put(&text, " under ");
    put_path(&text, set->under);
    put(&text, ": `gpurt sweep EXPERIMENT --show ");
    const uint64_t parts[] = {set->point, set->set, set->evaluation};
    for (size_t i = 0; i < 3; i++) {
        put(&text, i > 0 ? ":" : "");
        put_number(&text, parts[i], 1);
    }
    put(&text, "`, with the same --seed, --set and --samples, writes it as a scenario");
    return bytes;
}
