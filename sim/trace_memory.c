/* The trace sink that keeps everything in memory. */
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/trace.h"

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(grt_allocate(size), text, size);
}

static bool keep_names(void *sink, const struct grt_trace_name *names, size_t count) {
    struct grt_trace_memory *memory = sink;
    memory->names = grt_allocate(count * sizeof *memory->names);
    memory->name_count = count;
    for (size_t i = 0; i < count; i++) {
        memory->names[i] = names[i];
        memory->names[i].text = copy_text(names[i].text);
    }
    return true;
}

static void make_room(struct grt_trace_memory *memory, size_t count) {
    size_t capacity = memory->record_capacity > 0 ? memory->record_capacity : GRT_FIRST_CAPACITY(1024);
    while (capacity < memory->record_count + count) {
        capacity *= 2;
    }
    if (capacity != memory->record_capacity) {
        memory->records = grt_reallocate(memory->records, capacity * sizeof *memory->records);
        memory->record_capacity = capacity;
    }
}

static bool keep_records(void *sink, const struct grt_trace_record *records, size_t count) {
    struct grt_trace_memory *memory = sink;
    if (memory->record_limit > 0 && memory->record_count + count > memory->record_limit) {
        count = memory->record_limit - memory->record_count;
        memory->cut = true;
    }
    if (count > 0) {
        make_room(memory, count);
        memcpy(memory->records + memory->record_count, records, count * sizeof *records);
        memory->record_count += count;
    }
    return true;
}

static bool nothing_to_end(void *sink) {
    (void)sink;
    return true;
}

const struct grt_trace_sink grt_trace_memory_sink = {keep_names, keep_records, nothing_to_end};

void grt_trace_memory_free(struct grt_trace_memory *memory) {
    for (size_t i = 0; i < memory->name_count; i++) {
        free((char *)(uintptr_t)memory->names[i].text);
    }
    free(memory->names);
    free(memory->records);
    *memory = (struct grt_trace_memory){0};
}

const char *grt_trace_memory_name(const struct grt_trace_memory *memory, enum grt_trace_name_kind kind,
                                  uint32_t index, uint16_t segment, uint16_t command) {
    for (size_t i = 0; i < memory->name_count; i++) {
        const struct grt_trace_name *name = &memory->names[i];
        if (name->kind == kind && name->index == index && name->segment == segment &&
            name->command == command) {
            return name->text;
        }
    }
    return NULL;
}
