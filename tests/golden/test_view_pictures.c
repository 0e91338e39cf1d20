/* labels: golden view window cairo */
/* The scripts of tests/view: the program gpurt-view plays them in a window without a screen, the library without a window, and
 * the pictures that both write are equal, byte for byte. What is drawn, as a list of shapes, has the hash that
 * tests/golden/view_pictures.txt names; pixels of texts depend on the fonts that are installed. GRT_UPDATE_GOLDEN=1 writes that file
 * anew. */
#include <cairo.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "viz/view/script.h"

#define KNOWN "tests/golden/view_pictures.txt"

enum { MOST_SCRIPTS = 50, MOST_PICTURES = 500, NAME = 100, SCRIPT = 20000 };

static char scripts[MOST_SCRIPTS][NAME];
static size_t script_count;

/* A picture by its script and name, as "rows/small.png". */
static struct picture {
    char name[2 * NAME];
    uint64_t rows, top; /* hashes of what is drawn; top: 0 where it says that other fonts stand in */
} pictures[MOST_PICTURES];
static size_t picture_count;

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

static void find_scripts(void) {
    DIR *folder = opendir("tests/view");
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && length < NAME && strcmp(entry->d_name + length - 4, ".txt") == 0 &&
            script_count < MOST_SCRIPTS) {
            memcpy(scripts[script_count], entry->d_name, length - 4);
            scripts[script_count++][length - 4] = '\0';
        }
    }
    closedir(folder);
    qsort(scripts, script_count, sizeof scripts[0], by_name);
    CU_ASSERT(script_count >= 3);
}

/* ---- a script ---- */

/* The files that its first line names; cuts `line`. */
static size_t read_head(char *line, const char *paths[2]) {
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(strncmp(line, "# show ", 7), 0);
    line[strcspn(line, "\n")] = '\0';
    for (char *place, *word = strtok_r(line + 7, " ", &place); word != NULL && count < 2;
         word = strtok_r(NULL, " ", &place)) {
        paths[count++] = word;
    }
    CU_ASSERT_FATAL(count > 0);
    return count;
}

/* The script with the folder before the names of its pictures. */
static void put_folder(const char *text, const char *folder, char out[SCRIPT]) {
    static const char word[] = "\nscreenshot ";
    size_t used = 0;
    while (*text != '\0') {
        const char *next = strstr(text, word);
        size_t length = next != NULL ? (size_t)(next - text) + sizeof word - 1 : strlen(text);
        int written =
            snprintf(out + used, SCRIPT - used, "%.*s%s", (int)length, text, next != NULL ? folder : "");
        used += (size_t)written;
        CU_ASSERT_FATAL(used < SCRIPT);
        text += length;
    }
}

static void play_in_program(const char *script, const char *const *paths, size_t count) {
    char command[2000];
    FILE *file = fopen(GRT_SCRATCH_DIR "/script", "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(script, file);
    fclose(file);
    snprintf(command, sizeof command,
             "SDL_VIDEODRIVER=dummy ASAN_OPTIONS=detect_leaks=0:handle_sigill=1 '" GRT_VIEW_PROGRAM
             "' %s %s --size 1000x600 --text-size 13 --script '" GRT_SCRATCH_DIR "/script'",
             paths[0], count > 1 ? paths[1] : "");
    CU_ASSERT_EQUAL(system(command), 0);
}

/* ---- in the library ---- */

struct player {
    struct view_driver *driver;
    const char *script; /* its name */
};

static void take_input(void *state, const struct view_input *input) {
    struct player *player = state;
    view_driver_send(player->driver, input);
}

static bool take_command(void *state, const char *text, struct grt_errors *errors) {
    struct player *player = state;
    bool done = viewer_command(player->driver->viewer, text, errors);
    view_paint(player->driver);
    return done;
}

/* Writes the picture and notes what is on it. */
static bool take_picture(void *state, const char *path, struct grt_errors *errors) {
    struct player *player = state;
    const struct viewer *viewer = player->driver->viewer;
    const char *name = strrchr(path, '/') + 1;
    CU_ASSERT_FATAL(picture_count < MOST_PICTURES);
    struct picture *picture = &pictures[picture_count++];
    view_paint(player->driver);
    snprintf(picture->name, sizeof picture->name, "%s/%s", player->script, name);
    picture->rows = grt_picture_hash(&viewer->scene);
    picture->top = grt_painter_notice(viewer->painter) == NULL ? grt_picture_hash(&viewer->top) : 0;
    return grt_paint_frame_png(&player->driver->frame, path, errors);
}

static void take_time(void *state, int ms) {
    (void)state;
    (void)ms;
}

static const char *what_is_said(void *state) {
    struct player *player = state;
    return viewer_message(player->driver->viewer);
}

static void play_in_library(const char *name, const char *script, const char *const *paths, size_t count) {
    struct view_driver driver;
    struct player player = {&driver, name};
    struct view_script_player calls = {&player,      take_input, take_command,
                                       take_picture, take_time,  what_is_said};
    struct grt_errors errors = {0};
    view_driver_open(&driver, paths, count, NULL);
    CU_ASSERT(view_script_play(script, &calls, &errors));
    grt_errors_print(&errors, stdout, "\n    ");
    grt_errors_clear(&errors);
    view_driver_close(&driver);
    /* Glyphs depend, in a shade of a pixel, on the sizes that FreeType was asked for before: the next script begins as a
     * new process does. */
    cairo_debug_reset_static_data();
}

/* ---- both ---- */

static void compare(size_t first) {
    for (size_t i = first; i < picture_count; i++) {
        char path[500];
        size_t size_a = 0, size_b = 1;
        const char *name = strrchr(pictures[i].name, '/') + 1;
        snprintf(path, sizeof path, GRT_SCRATCH_DIR "/program/%.99s", name);
        char *a = grt_file_text(path, &size_a);
        snprintf(path, sizeof path, GRT_SCRATCH_DIR "/library/%.99s", name);
        char *b = grt_file_text(path, &size_b);
        bool same = a != NULL && b != NULL && size_a == size_b && memcmp(a, b, size_a) == 0;
        CU_ASSERT(same ||
                  !printf("\n    the program and the library paint %s differently\n", pictures[i].name));
        free(a);
        free(b);
    }
}

static void both_paint_the_same(void) {
    mkdir(GRT_SCRATCH_DIR "/program", 0777);
    mkdir(GRT_SCRATCH_DIR "/library", 0777);
    find_scripts();
    for (size_t i = 0; i < script_count; i++) {
        char path[2 * NAME], script[SCRIPT];
        const char *paths[2];
        size_t size, first = picture_count;
        snprintf(path, sizeof path, "tests/view/%.99s.txt", scripts[i]);
        char *text = grt_file_text(path, &size), *head = grt_file_text(path, &size);
        CU_ASSERT_FATAL(text != NULL && head != NULL);
        size_t count = read_head(head, paths);
        put_folder(text, GRT_SCRATCH_DIR "/program/", script);
        play_in_program(script, paths, count);
        put_folder(text, GRT_SCRATCH_DIR "/library/", script);
        play_in_library(scripts[i], script, paths, count);
        CU_ASSERT(picture_count > first);
        compare(first);
        free(text);
        free(head);
    }
}

static void write_known(void) {
    FILE *file = fopen(KNOWN, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < picture_count; i++) {
        fprintf(file, "%s %016" PRIx64 " %016" PRIx64 "\n", pictures[i].name, pictures[i].rows,
                pictures[i].top);
    }
    fclose(file);
}

static void pictures_are_known(void) {
    if (getenv("GRT_UPDATE_GOLDEN") != NULL) {
        write_known();
    }
    FILE *file = fopen(KNOWN, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < picture_count; i++) {
        struct picture known = {.rows = 0};
        CU_ASSERT_EQUAL(fscanf(file, "%199s %" SCNx64 " %" SCNx64, known.name, &known.rows, &known.top), 3);
        bool same = strcmp(known.name, pictures[i].name) == 0 && known.rows == pictures[i].rows &&
                    (pictures[i].top == 0 || known.top == pictures[i].top);
        CU_ASSERT(same || !printf("\n    %s is drawn in another way\n", pictures[i].name));
    }
    char more[10];
    CU_ASSERT_EQUAL(fscanf(file, "%9s", more), EOF);
    fclose(file);
}

static CU_TestInfo tests[] = {
    {"the program paints what the library paints", both_paint_the_same},
    {"pictures are those that are known", pictures_are_known},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_pictures", tests);
}
