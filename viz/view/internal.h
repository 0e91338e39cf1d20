/* The viewer between the files of viz/view/. */
#ifndef GRT_VIZ_VIEW_INTERNAL_H
#define GRT_VIZ_VIEW_INTERNAL_H

#include "viz/answers/chain.h"
#include "viz/answers/difference.h"
#include "viz/answers/search.h"
#include "viz/answers/span_statistics.h"
#include "viz/answers/time_text.h"
#include "viz/scene/scene.h"
#include "viz/timeline/row_pattern.h"
#include "viz/view/command.h"
#include "viz/view/document.h"
#include "viz/view/viewer.h"

enum { VIEW_RUNS = 2, VIEW_MARKS = 32, VIEW_HISTORY = 64, VIEW_TEXT = 512, VIEW_HOT = 1024 };

/* A slice of one of the runs; place.row is GRT_NOWHERE where there is none. */
struct view_chosen {
    uint32_t run;
    struct grt_place place;
};

struct view_span {
    grt_time from, to;
};

/* What the user has made of a row. */
struct view_row_state {
    bool hidden, folded, pinned;
};

/* The job that is chosen, by what it is called, so that it is found again in another run of the same tasks. */
struct view_memory {
    bool is_some;
    uint32_t run, job;
    char task[128];
};

enum view_panel {
    VIEW_PANEL_NONE,
    VIEW_PANEL_MISSES,
    VIEW_PANEL_STATISTICS,
    VIEW_PANEL_JOB,
    VIEW_PANEL_DIFFERENCES,
    VIEW_PANEL_SETTINGS,
    VIEW_PANELS,
};

/* What a press in the window does. */
struct view_hot {
    struct grt_box box;
    const struct view_command *command;
    int64_t argument;
};

/* What moves with the pointer while a button is down. */
enum view_drag {
    VIEW_DRAG_NONE,
    VIEW_DRAG_PAN,
    VIEW_DRAG_SELECT,
    VIEW_DRAG_ZOOM,
    VIEW_DRAG_OVERVIEW,
};

struct view_areas {
    struct grt_box toolbar, overview, scene, panel, status;
};

struct viewer {
    struct view_document documents[VIEW_RUNS];
    uint32_t document_count;
    struct grt_play_watch watch;
    char *second_path; /* of a document that was opened later */

    /* what is shown */
    struct grt_view view;
    struct grt_layout layout;
    struct view_row_state *states[VIEW_RUNS];          /* by row of the timeline */
    uint32_t known_rows[VIEW_RUNS][GRT_ROW_KINDS + 1]; /* the rows of each kind that `states` speaks of */
    struct grt_view_row *rows;
    double row_scale;              /* as the user said; 0: such that rows fill the window */
    uint32_t row_capacity, cursor; /* cursor: a row that is shown, or GRT_NO_SHOWN_ROW */
    struct grt_row_patterns filter;
    uint32_t *places[VIEW_RUNS]; /* where the rows of each timeline are shown; GRT_NO_SHOWN_ROW: not */
    uint32_t place_count[VIEW_RUNS], place_capacity[VIEW_RUNS];
    uint32_t shown_rows[VIEW_RUNS][GRT_ROW_KINDS + 1]; /* first_rows of the timelines that `rows` speaks of */
    struct view_span past[VIEW_HISTORY];
    uint32_t past_count, past_at; /* past_at: the one that is shown */

    /* what is looked at */
    struct view_chosen chosen, hover;
    struct grt_hit hit;
    bool following;
    struct view_memory memory;
    struct view_span selection; /* from == to: none */
    struct view_span band;      /* of a drag that zooms; from == to: none */
    grt_time marks[VIEW_MARKS];
    uint32_t mark_count;
    char search[VIEW_TEXT];
    struct view_chosen last_hit;
    enum grt_measure measure;
    grt_time difference_at; /* where the last step to a difference led */
    grt_time tolerance;     /* within which two runs are equal */

    /* panels and prompts */
    enum view_panel panel;
    double panel_scroll, panel_content;
    double panel_head;   /* where its list begins below the title, px */
    uint32_t panel_line; /* that the keyboard is at */
    bool panel_has_keys;
    bool help;
    double help_scroll;
    const struct view_command *prompt; /* whose text is being typed; NULL: none */
    char prompt_text[VIEW_TEXT];
    int swallowed; /* the character of the key that opened the prompt, which is not meant for it */
    char message[VIEW_TEXT];
    bool message_is_error;
    struct grt_errors *errors; /* where a script wants errors; else NULL */

    /* the window */
    double width, height, usual_text_size;
    struct view_areas areas;
    double x, y; /* of the pointer; negative where it is not in the window */
    enum view_drag drag;
    double drag_x, drag_y;
    bool drag_far; /* it is no click any more */
    struct view_span drag_span;
    double drag_scroll;
    bool full_screen, closed, changed, scene_changed;
    char title[VIEW_TEXT];

    /* painting */
    double rests_until; /* s; no file is read before */
    struct grt_picture scene, top;
    struct grt_painter *painter;
    uint32_t *scene_pixels;
    size_t scene_pixel_count;
    struct view_hot hot[VIEW_HOT];
    uint32_t hot_count;
    struct view_overview *overview;
    struct view_answers *answers; /* what panels have found out, until something changes */
};

static inline double view_em(const struct viewer *viewer) {
    return viewer->view.text_size;
}

static inline const struct grt_theme *view_theme(const struct viewer *viewer) {
    return viewer->view.theme;
}

static inline grt_colour view_colour(const struct viewer *viewer, enum grt_role role) {
    return viewer->view.theme->roles[role];
}

static inline const struct grt_timeline *view_timeline(const struct viewer *viewer, uint32_t run) {
    return &viewer->documents[run].timeline;
}

/* viewer.c */
/* Says something in the status line; an error also to a script. */
void view_say(struct viewer *viewer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_fail(struct viewer *viewer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What is on top of the rows has changed, or the rows too. */
void view_touch(struct viewer *viewer);
void view_touch_scene(struct viewer *viewer);
/* Documents were read anew: everything that names places in them is forgotten. */
void view_take_documents(struct viewer *viewer);

/* navigate.c: the span of time and the rows that are in view. */
struct view_span view_run_span(const struct viewer *viewer); /* from the begin to the end of all runs */
struct view_span view_whole(const struct viewer *viewer);    /* the same with some room at both sides */
void view_show_span(struct viewer *viewer, grt_time from, grt_time to); /* can be undone */
void view_move_span(struct viewer *viewer, grt_time from, grt_time to); /* a step of a movement */
void view_zoom_at(struct viewer *viewer, grt_time anchor, double factor);
void view_reveal(struct viewer *viewer, grt_time from, grt_time to);
void view_scroll_to(struct viewer *viewer, double scroll);
void view_reveal_row(struct viewer *viewer, uint32_t shown);
grt_time view_anchor(const struct viewer *viewer);

/* rows.c: which rows are shown. */
void view_arrange_rows(struct viewer *viewer);
uint32_t view_hidden_rows(const struct viewer *viewer);
uint32_t view_current_run(const struct viewer *viewer); /* where the keyboard is */
uint32_t view_find_shown(const struct viewer *viewer, uint32_t run, uint32_t row);

/* choose.c */
struct view_chosen view_nothing(void);
void view_choose(struct viewer *viewer, struct view_chosen chosen, bool reveal);
void view_enlarge_chosen(struct viewer *viewer); /* zooms to it where it could hardly be seen */
void view_say_hidden(struct viewer *viewer);     /* where what is chosen cannot be seen */
void view_choose_again(struct viewer *viewer);   /* the same job, in documents that were read anew */
void view_choose_job(struct viewer *viewer, uint32_t run, uint32_t task, uint32_t job);

/* pointer.c */
void view_point(struct viewer *viewer, const struct view_input *input);
void view_look_under_pointer(struct viewer *viewer);

/* prompt.c */
void view_open_prompt(struct viewer *viewer, const struct view_command *command, const char *text);
void view_prompt_input(struct viewer *viewer, const struct view_input *input);

/* draw.c: texts, buttons, boxes. */
struct view_words {
    enum grt_role role;
    enum grt_font font;
    enum grt_anchor anchor;
    double size; /* in ems; 0: 1 */
};
double view_write(struct viewer *viewer, double x, double top, double bottom, double room,
                  const struct view_words *words, const char *text);
void view_fill(struct viewer *viewer, struct grt_box box, enum grt_role role);
void view_frame(struct viewer *viewer, struct grt_box box, enum grt_role role, double width);
void view_add_hot(struct viewer *viewer, struct grt_box box, const char *command, int64_t argument);

char *view_instant_words(const struct viewer *viewer, grt_time instant,
                         char text[GRT_TIME_WORDS]); /* as the axis counts */
double view_text_width(const struct viewer *viewer, const char *text);
bool view_is_in(const struct grt_box *box, double x, double y);
bool view_is_pointed_at(const struct viewer *viewer, struct grt_box box);

/* answers.c: what was found out, kept until the runs or the question change. */
const uint32_t *view_misses_of(struct viewer *viewer, uint32_t run); /* worst first */
const char *view_cause_of(struct viewer *viewer, uint32_t run, uint32_t miss);
const struct grt_span_statistics *view_statistics_of(struct viewer *viewer,
                                                     const struct grt_span_question **asked);
const struct grt_search *view_search_of(struct viewer *viewer, uint32_t run, const char *text);
const struct grt_difference *view_difference_of(struct viewer *viewer); /* NULL of one run */
const struct grt_chain *view_chain_of(struct viewer *viewer); /* of the chosen slice; NULL if none is */
void view_forget_answers(struct viewer *viewer);

/* action_find.c */
void view_search(struct viewer *viewer, const char *text, int64_t step);

/* frame.c, toolbar.c, overview.c, overlay.c, tooltip.c, help.c, panel.c: what is painted. */
void view_arrange_areas(struct viewer *viewer);
/* Finds the places of all rows; before anything is looked for in them after they have changed. */
void view_lay_out(struct viewer *viewer);
void view_draw_toolbar(struct viewer *viewer);
bool view_write_notice(const struct viewer *viewer, char *text, size_t size); /* false if there is none */
void view_draw_status(struct viewer *viewer);
void view_draw_overview(struct viewer *viewer);
void view_forget_overview(struct viewer *viewer);
void view_draw_overlay(struct viewer *viewer);
void view_draw_tooltip(struct viewer *viewer);
void view_draw_help(struct viewer *viewer);
void view_scroll_help(struct viewer *viewer, double lines);
bool view_help_key(struct viewer *viewer, int key); /* false if it is no key of the page */
void view_draw_panel(struct viewer *viewer);
bool view_panel_key(struct viewer *viewer, int key, unsigned modifiers);
double view_panel_width(const struct viewer *viewer); /* 0 if none is open */
struct grt_scale view_overview_scale(const struct viewer *viewer);

#endif
