/* The trace as the JSON of chrome://tracing, which Perfetto, Spall, speedscope and others read, too ("Trace Event
 * Format", Google, 2016): one object on each line, by time. */
#include "viz/export/plan.h"
#include "viz/export/text.h"

struct chrome {
    struct grt_export_plan plan;
    struct grt_export_text text;
    struct grt_arena arena;
    const char **names; /* of labels, with quotes */
};

/* Groups are processes, lanes are their threads; no number is 0. */
static uint32_t group_of(const struct chrome *self, uint32_t lane) {
    return (uint32_t)self->plan.rows.items[self->plan.lanes[lane].row].kind + 1;
}

/* The beginning of an event: its phase and where it is. */
static void start_event(struct chrome *self, const char *phase, uint32_t lane) {
    GRT_TEXT_LITERAL(&self->text, ",\n{\"ph\":\"");
    grt_export_text_put(&self->text, phase, 1);
    GRT_TEXT_LITERAL(&self->text, "\",\"pid\":");
    grt_export_text_unsigned(&self->text, group_of(self, lane));
    GRT_TEXT_LITERAL(&self->text, ",\"tid\":");
    grt_export_text_unsigned(&self->text, lane + 1);
}

static void put_time(struct chrome *self, grt_time time) {
    GRT_TEXT_LITERAL(&self->text, ",\"ts\":");
    grt_export_text_us(&self->text, time);
}

static void put_name(struct chrome *self, uint32_t label) {
    GRT_TEXT_LITERAL(&self->text, ",\"name\":");
    grt_export_text_string(&self->text, self->names[label]);
}

static void put_category(struct chrome *self, const char *category) {
    if (category != NULL) {
        GRT_TEXT_LITERAL(&self->text, ",\"cat\":\"");
        grt_export_text_string(&self->text, category);
        GRT_TEXT_LITERAL(&self->text, "\"");
    }
}

/* ---- Names of groups and lanes ---- */

static void name_track(struct chrome *self, const char *what, uint32_t lane, const char *name) {
    struct grt_arena arena = {0};
    start_event(self, "M", lane);
    GRT_TEXT_LITERAL(&self->text, ",\"name\":\"");
    grt_export_text_string(&self->text, what);
    GRT_TEXT_LITERAL(&self->text, "_name\",\"args\":{\"name\":");
    grt_export_text_string(&self->text, grt_export_json_string(&arena, name));
    GRT_TEXT_LITERAL(&self->text, "}}");
    grt_arena_clear(&arena);
}

static void order_track(struct chrome *self, const char *what, uint32_t lane, uint32_t place) {
    start_event(self, "M", lane);
    GRT_TEXT_LITERAL(&self->text, ",\"name\":\"");
    grt_export_text_string(&self->text, what);
    GRT_TEXT_LITERAL(&self->text, "_sort_index\",\"args\":{\"sort_index\":");
    grt_export_text_unsigned(&self->text, place);
    GRT_TEXT_LITERAL(&self->text, "}}");
}

static void name_lanes(struct chrome *self) {
    static const char *const groups[GRT_ROW_KINDS] = {"Tasks",        "Policy", "Cores",    "Streams",
                                                      "Copy engines", "SMs",    "Processes"};
    uint32_t latest = 0;
    for (uint32_t lane = 0; lane < self->plan.lane_count; lane++) {
        char name[GRT_LANE_NAME_SIZE];
        uint32_t group = group_of(self, lane);
        if (group != latest) {
            name_track(self, "process", lane, groups[group - 1]);
            order_track(self, "process", lane, group);
            latest = group;
        }
        name_track(self, "thread", lane, grt_export_lane_name(&self->plan, lane, name));
        order_track(self, "thread", lane, lane + 1);
    }
}

/* ---- Events ---- */

static void put_argument(struct chrome *self, bool *any, const char *name) {
    grt_export_text_string(&self->text, *any ? "," : ",\"args\":{");
    *any = true;
    grt_export_text_string(&self->text, name);
}

static void put_number(struct chrome *self, bool *any, const char *name, uint64_t value) {
    put_argument(self, any, name);
    grt_export_text_unsigned(&self->text, value);
}

static void finish_event(struct chrome *self, bool any) {
    grt_export_text_string(&self->text, any ? "}}" : "}");
}

/* Blocks are too many to say more of each than what every one needs. */
static void put_arguments(struct chrome *self, const struct grt_export_slice *slice) {
    const struct grt_trace_record *record = slice->record;
    const char *how = slice->open ? "open" : grt_export_how_ended(record);
    bool any = false;
    if (record->kind != GRT_TRACE_BLOCK && record->task != GRT_TRACE_NO_TASK) {
        put_number(self, &any, "\"job\":", record->job);
    }
    if (grt_export_lateness(slice) > 0) {
        put_number(self, &any, "\"late_ns\":", (uint64_t)grt_export_lateness(slice));
    }
    if (how != NULL) {
        put_argument(self, &any, "\"end\":\"");
        grt_export_text_string(&self->text, how);
        GRT_TEXT_LITERAL(&self->text, "\"");
    }
    finish_event(self, any);
}

/* A step of a flow binds to the slice that it lies in. */
static void write_flow(struct chrome *self, const struct grt_export_slice *slice) {
    static const char *const phases[] = {[GRT_FLOW_START] = "s", [GRT_FLOW_STEP] = "t", [GRT_FLOW_END] = "f"};
    start_event(self, phases[slice->flow], slice->lane);
    put_time(self, slice->record->other);
    GRT_TEXT_LITERAL(&self->text, ",\"id\":");
    grt_export_text_unsigned(&self->text, (uint64_t)slice->job_number + 1);
    GRT_TEXT_LITERAL(&self->text, ",\"cat\":\"job\",\"name\":\"job\"");
    grt_export_text_string(&self->text, slice->flow == GRT_FLOW_END ? ",\"bp\":\"e\"}" : "}");
}

static void write_slice(void *state, const struct grt_export_slice *slice) {
    struct chrome *self = state;
    start_event(self, "X", slice->lane);
    put_time(self, slice->record->other);
    GRT_TEXT_LITERAL(&self->text, ",\"dur\":");
    grt_export_text_us(&self->text, slice->record->time - slice->record->other);
    put_name(self, slice->label);
    put_category(self, grt_export_category(slice->record));
    put_arguments(self, slice);
    if (slice->flow != GRT_FLOW_NONE) {
        write_flow(self, slice);
    }
}

static void write_mark(void *state, const struct grt_export_mark *mark, uint32_t lane) {
    struct chrome *self = state;
    const struct grt_trace_record *record = &self->plan.trace->records[mark->record];
    bool any = false;
    start_event(self, "i", lane);
    put_time(self, mark->time);
    GRT_TEXT_LITERAL(&self->text, ",\"s\":\"t\"");
    put_name(self, mark->label);
    if (record->task != GRT_TRACE_NO_TASK) {
        put_number(self, &any, "\"job\":", record->job);
    }
    if (mark->kind == GRT_MARK_MISS && mark->late > 0) {
        put_number(self, &any, "\"late_ns\":", (uint64_t)mark->late);
    } else if (mark->kind == GRT_MARK_PRIORITY) {
        put_argument(self, &any, record->other < 0 ? "\"priority\":-" : "\"priority\":");
        uint64_t size = record->other < 0 ? -(uint64_t)record->other : (uint64_t)record->other;
        grt_export_text_unsigned(&self->text, size);
    }
    finish_event(self, any);
}

/* A counter of the stream's: it is told apart by its name. */
static void write_share(void *state, const struct grt_export_share *share, uint32_t lane) {
    struct chrome *self = state;
    bool any = false;
    char name[GRT_LANE_NAME_SIZE + 10];
    struct grt_arena arena = {0};
    snprintf(name, sizeof name, "%s: share", self->plan.rows.items[share->row].name);
    start_event(self, "C", lane);
    put_time(self, share->time);
    GRT_TEXT_LITERAL(&self->text, ",\"name\":");
    grt_export_text_string(&self->text, grt_export_json_string(&arena, name));
    put_number(self, &any, "\"vprocessors\":", share->value);
    finish_event(self, any);
    grt_arena_clear(&arena);
}

/* The first event comes without a comma: it says which run it is. */
static void write_head(struct chrome *self) {
    const char *run = grt_export_name(&self->plan.rows, GRT_NAME_RUN, 0, 0);
    GRT_TEXT_LITERAL(&self->text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    GRT_TEXT_LITERAL(&self->text,
                     "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\",\"args\":{\"labels\":");
    grt_export_text_string(&self->text, grt_export_json_string(&self->arena, run != NULL ? run : ""));
    GRT_TEXT_LITERAL(&self->text, "}}");
}

void grt_export_chrome(const struct grt_trace_memory *trace, const struct grt_export_options *options,
                       struct grt_output *output) {
    static const struct grt_export_player player = {write_slice, NULL, write_mark, write_share};
    struct chrome self = {.text.output = output};
    grt_export_plan_make(&self.plan, trace, options);
    self.names = grt_arena_array(&self.arena, self.plan.labels.count, sizeof *self.names);
    for (uint32_t i = 0; i < self.plan.labels.count; i++) {
        self.names[i] = grt_export_json_string(&self.arena, self.plan.labels.texts[i]);
    }
    write_head(&self);
    name_lanes(&self);
    grt_export_plan_play(&self.plan, &player, &self);
    GRT_TEXT_LITERAL(&self.text, "\n]}\n");
    grt_export_text_flush(&self.text);
    grt_export_plan_free(&self.plan);
    grt_arena_clear(&self.arena);
}
