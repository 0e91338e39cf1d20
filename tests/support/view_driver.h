/* The viewer without a window, driven by scripts as gpurt-view --script takes them, for tests: what is pressed, what the frame
 * shows, what is said. Frames are painted as the window does it, after each input that changes something; each is checked:
 * every pixel of it is painted, and none around it. */
#ifndef GRT_TESTS_SUPPORT_VIEW_DRIVER_H
#define GRT_TESTS_SUPPORT_VIEW_DRIVER_H

#include "viz/view/internal.h"

/* On a GPU that takes one segment at a time, in order of arrival: small's jobs 0, 4, 8, 12, 16 miss their deadlines, at 5, 25, 45,
 * 65 and 85 ms, behind big and, the first and the fourth, third too: 3.5, 2, 2, 3.5 and 2 ms late (and some ns, for the CPU). */
#define VIEW_SCENARIO                                                                                        \
    "{\"gpurt\":1,\"name\":\"late\",\"horizon\":\"100ms\",\"platform\":{\"gpus\":[{\"device\":"              \
    "\"exclusive\"}]},"                                                                                      \
    "\"policy\":{\"name\":\"fifo\"},\"tasks\":["                                                             \
    "{\"name\":\"big\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"map\",\"time\":\"6ms\"}]}]" \
    "},"                                                                                                     \
    "{\"name\":\"third\",\"period\":\"30ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"flow\",\"time\":"         \
    "\"1500us\"}]}]},"                                                                                       \
    "{\"name\":\"small\",\"period\":\"5ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"mpc\",\"time\":\"1ms\"}]}" \
    "]}]}"

struct view_driver {
    struct viewer *viewer;
    struct grt_frame frame;
    uint32_t *memory; /* of the frame and what is around it */
    bool paints;      /* after each input, as the window does; else only when told to */
    uint64_t frames;  /* that were painted */
    char error[1024]; /* of the last script that failed */
    char line[1024];  /* of view_line_behind */
};

/* Opens files, which must be good. `options` may be NULL: 1000 x 600 pixels, text of 13. */
void view_driver_open(struct view_driver *driver, const char *const *paths, size_t count,
                      const struct viewer_options *options);

/* Writes a text into the file and opens it. */
void view_driver_open_text(struct view_driver *driver, const char *path, const char *text);

void view_driver_close(struct view_driver *driver);

/* Does one thing. */
void view_driver_send(struct view_driver *driver, const struct view_input *input);

/* Plays the lines of a script; false with driver->error where one fails. */
bool view_driver_play(struct view_driver *driver, const char *script);

/* The same where it must not fail, and where it must, and say a text with `part` in it. */
void view_do(struct view_driver *driver, const char *script);
void view_refuses(struct view_driver *driver, const char *script, const char *part);

/* Expects the message below to have a text in it. */
void view_says(struct view_driver *driver, const char *part);

/* Paints and returns a hash of all pixels; expects every pixel painted and nothing outside of the frame. */
uint64_t view_paint(struct view_driver *driver);

/* Whether a text that is drawn, in the rows or on top of them, has `part` in it. */
bool view_shows(struct view_driver *driver, const char *part);

/* The texts on top of the rows that stand on one line with the first one of that text, behind it, with a | before each: "|20|31 ms". */
const char *view_line_behind(struct view_driver *driver, const char *first);

/* The number of shapes of a colour in the rows. */
uint32_t view_shapes(struct view_driver *driver, enum grt_role role);

/* The row that is shown at that place, by its name, as "big"; "" behind the last. */
const char *view_row_name(const struct view_driver *driver, uint32_t shown);

/* The row of that name; GRT_NO_SHOWN_ROW if it is not shown. Of two runs, `run` says whose. */
uint32_t view_row_called(const struct view_driver *driver, uint32_t run, const char *name);

/* The pixel of an instant, and the middle of a row, in the window. */
double view_x(const struct view_driver *driver, grt_time instant);
double view_y(const struct view_driver *driver, uint32_t shown);

/* Whether what must hold at any time does; prints what does not. */
bool view_is_sane(const struct view_driver *driver);

#endif
