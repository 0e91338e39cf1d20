/* What the commands do. `step` is 1 or -1: on or back, in or out, larger or smaller. */
#ifndef GRT_VIZ_VIEW_ACTIONS_H
#define GRT_VIZ_VIEW_ACTIONS_H

#include <stdint.h>

struct viewer;

/* action_span.c: the span of time in view. */
void view_fit(struct viewer *viewer, int64_t unused);
void view_fit_chosen(struct viewer *viewer, int64_t unused);
void view_zoom(struct viewer *viewer, int64_t step);
void view_pan(struct viewer *viewer, int64_t step);
void view_page(struct viewer *viewer, int64_t step);
void view_go_back(struct viewer *viewer, int64_t step);
void view_mark(struct viewer *viewer, int64_t unused);
void view_mark_span(struct viewer *viewer, int64_t unused);
void view_clear_marks(struct viewer *viewer, int64_t unused);
void view_select(struct viewer *viewer, int64_t unused);
void view_select_marks(struct viewer *viewer, int64_t unused);
void view_set_origin(struct viewer *viewer, int64_t unused);

/* choose.c: what is chosen. */
void view_step_slice(struct viewer *viewer, int64_t step);
void view_step_along_job(struct viewer *viewer, int64_t step);
void view_step_job(struct viewer *viewer, int64_t step);
void view_step_miss(struct viewer *viewer, int64_t step);
void view_step_row(struct viewer *viewer, int64_t step);
void view_follow(struct viewer *viewer, int64_t unused);
void view_clear(struct viewer *viewer, int64_t unused);

/* action_find.c: to a place by a text. */
void view_take_search(struct viewer *viewer, const char *text);
void view_search_again(struct viewer *viewer, int64_t step);
void view_step_difference(struct viewer *viewer, int64_t step);
void view_take_jump(struct viewer *viewer, const char *text);

/* action_rows.c: which rows are shown, and how. */
void view_pin(struct viewer *viewer, int64_t unused);
void view_hide(struct viewer *viewer, int64_t unused);
void view_fold(struct viewer *viewer, int64_t unused);
void view_fold_kind(struct viewer *viewer, int64_t unused);
void view_show_all(struct viewer *viewer, int64_t unused);
void view_take_filter(struct viewer *viewer, const char *text);
void view_row_height(struct viewer *viewer, int64_t step);

/* action_display.c: how it looks. */
int64_t view_cycle(int64_t value, int64_t step, int64_t count); /* on or back among `count` */
void view_next_theme(struct viewer *viewer, int64_t step);
void view_next_colour_key(struct viewer *viewer, int64_t step);
void view_text_size(struct viewer *viewer, int64_t step);
void view_toggle_legend(struct viewer *viewer, int64_t unused);
void view_toggle_grid(struct viewer *viewer, int64_t unused);
void view_toggle_panel(struct viewer *viewer, int64_t panel);
void view_next_measure(struct viewer *viewer, int64_t step);
void view_toggle_help(struct viewer *viewer, int64_t unused);
void view_toggle_full_screen(struct viewer *viewer, int64_t unused);
void view_quit(struct viewer *viewer, int64_t unused);
void view_panel_keys(struct viewer *viewer, int64_t unused);
void view_panel_activate(struct viewer *viewer, int64_t line);

/* action_files.c: what is shown. */
void view_reload(struct viewer *viewer, int64_t unused);
void view_take_policy(struct viewer *viewer, const char *text);
void view_take_set(struct viewer *viewer, const char *text);
void view_unset(struct viewer *viewer, int64_t unused);
void view_take_against(struct viewer *viewer, const char *text);
void view_alone(struct viewer *viewer, int64_t unused);
void view_take_tolerance(struct viewer *viewer, const char *text);
void view_take_export(struct viewer *viewer, const char *text);
void view_take_command(struct viewer *viewer, const char *text);

#endif
