/* What a trace of result files names: which launches are one kernel, the cores, the SMs. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/examiner_internal.h"

enum { TEXT_SIZE = 1400 }; /* of two names of 512 bytes and a number */

/* ---- Kernels ---- */

/* A launch on its way to its number. */
struct place {
    const struct grt_examiner_kernel *kernel;
    size_t job, position;
    size_t rank;  /* among the launches of its iteration with that name and number of threads */
    size_t first; /* position of the first launch that is the same kernel */
};

static int compare_kernels(const struct place *a, const struct place *b) {
    int names = strcmp(a->kernel->name, b->kernel->name);
    return names != 0 ? names
                      : (a->kernel->threads > b->kernel->threads) - (a->kernel->threads < b->kernel->threads);
}

static int compare_numbers(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int compare_positions(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return compare_numbers(a->position, b->position);
}

static int compare_in_jobs(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    int order = compare_numbers(a->job, b->job);
    order = order != 0 ? order : compare_kernels(a, b);
    return order != 0 ? order : compare_numbers(a->position, b->position);
}

static int compare_ranked(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    int order = compare_kernels(a, b);
    order = order != 0 ? order : compare_numbers(a->rank, b->rank);
    return order != 0 ? order : compare_numbers(a->position, b->position);
}

static size_t launch_count(const struct grt_examiner_file *file) {
    size_t count = 0;
    for (size_t i = 0; i < file->job_count; i++) {
        count += file->jobs[i].kernel_count;
    }
    return count;
}

static void fill_places(const struct grt_examiner_file *file, struct place *places) {
    size_t position = 0;
    for (size_t i = 0; i < file->job_count; i++) {
        for (size_t k = 0; k < file->jobs[i].kernel_count; k++, position++) {
            places[position] =
                (struct place){.kernel = &file->jobs[i].kernels[k], .job = i, .position = position};
        }
    }
}

static void find_firsts(struct place *places, size_t count) {
    qsort(places, count, sizeof *places, compare_in_jobs);
    for (size_t i = 1; i < count; i++) {
        bool same = places[i].job == places[i - 1].job && compare_kernels(&places[i], &places[i - 1]) == 0;
        places[i].rank = same ? places[i - 1].rank + 1 : 0;
    }
    qsort(places, count, sizeof *places, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        bool same =
            i > 0 && places[i].rank == places[i - 1].rank && compare_kernels(&places[i], &places[i - 1]) == 0;
        places[i].first = same ? places[i - 1].first : places[i].position;
    }
    qsort(places, count, sizeof *places, compare_positions);
}

static uint32_t count_firsts(const struct place *places, size_t count) {
    uint32_t firsts = 0;
    for (size_t i = 0; i < count; i++) {
        firsts += places[i].first == i;
    }
    return firsts;
}

bool examiner_places_find(const struct grt_examiner_file *file, struct grt_arena *arena,
                          struct examiner_places *out) {
    size_t count = launch_count(file);
    struct place *places = grt_allocate(count * sizeof *places);
    fill_places(file, places);
    find_firsts(places, count);
    uint32_t commands = count_firsts(places, count);
    *out = (struct examiner_places){0};
    if (commands <= GRT_EXAMINER_PLACES) {
        out->commands = grt_arena_array(arena, count, sizeof *out->commands);
        out->firsts = grt_arena_array(arena, commands, sizeof *out->firsts);
        for (size_t i = 0; i < count; i++) {
            if (places[i].first == i) {
                out->firsts[out->command_count] = places[i].kernel;
                out->commands[i] = (uint16_t)out->command_count++;
            } else {
                out->commands[i] = out->commands[places[i].first];
            }
        }
    }
    free(places);
    return commands <= GRT_EXAMINER_PLACES;
}

/* ---- Cores ---- */

int32_t examiner_core_of(const struct grt_examiner_job *job) {
    for (size_t i = 0; i < job->kernel_count; i++) {
        if (job->kernels[i].core >= 0) {
            return job->kernels[i].core;
        }
    }
    return -1;
}

static int compare_cores(const void *left, const void *right) {
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

struct examiner_cores examiner_cores_find(const struct grt_examiner_file *files, size_t count,
                                          struct grt_arena *arena) {
    size_t jobs = 0;
    for (size_t i = 0; i < count; i++) {
        jobs += files[i].job_count;
    }
    int32_t *numbers = grt_arena_array(arena, jobs, sizeof *numbers);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < files[i].job_count; j++) {
            int32_t core = examiner_core_of(&files[i].jobs[j]);
            numbers[used] = core;
            used += core >= 0;
        }
    }
    qsort(numbers, used, sizeof *numbers, compare_cores);
    struct examiner_cores cores = {.numbers = numbers};
    for (size_t i = 0; i < used; i++) {
        if (cores.count == 0 || numbers[cores.count - 1] != numbers[i]) {
            numbers[cores.count++] = numbers[i];
        }
    }
    return cores;
}

uint32_t examiner_core_row(const struct examiner_cores *cores, int32_t core, size_t task) {
    const int32_t *found =
        core < 0 ? NULL : bsearch(&core, cores->numbers, cores->count, sizeof core, compare_cores);
    return found != NULL ? (uint32_t)(found - cores->numbers) : cores->count + (uint32_t)task;
}

/* ---- SMs ---- */

static bool holds_all(uint32_t count, uint32_t named) {
    return count >= named && count <= GRT_EXAMINER_SMS;
}

struct grt_examiner_sms grt_examiner_sms(const struct grt_examiner_file *files, size_t count,
                                         const struct grt_examiner_options *options) {
    static const uint32_t usual[] = {2048, 1536, 1024};
    uint32_t named = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < files[i].job_count; j++) {
            for (size_t k = 0; k < files[i].jobs[j].kernel_count; k++) {
                const struct grt_examiner_kernel *kernel = &files[i].jobs[j].kernels[k];
                for (size_t b = 0; b < kernel->block_count; b++) {
                    named = kernel->sms[b] + 1 > named ? kernel->sms[b] + 1 : named;
                }
            }
        }
    }
    uint32_t resident = count > 0 ? (uint32_t)files[0].resident_threads : 0;
    struct grt_examiner_sms sms = {.count = named, .threads = usual[0]};
    if (options->sm_threads > 0) {
        sms.threads = (uint32_t)options->sm_threads;
        sms.count = holds_all(resident / sms.threads, named) ? resident / sms.threads : named;
        return sms;
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (resident % usual[i] == 0 && holds_all(resident / usual[i], named)) {
            return (struct grt_examiner_sms){.count = resident / usual[i], .threads = usual[i]};
        }
    }
    return sms;
}

/* ---- Names ---- */

struct namer {
    struct grt_arena arena;
    struct grt_trace_name *items;
    uint32_t count, capacity;
};

static void add(struct namer *namer, struct grt_trace_name name) {
    if (namer->count == namer->capacity) {
        namer->items = grt_array_grow(namer->items, &namer->capacity, namer->count + 1, sizeof *namer->items);
    }
    namer->items[namer->count++] = name;
}

__attribute__((format(printf, 2, 3))) static const char *text_of(struct namer *namer, const char *format,
                                                                 ...) {
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return grt_arena_text(&namer->arena, text);
}

static const char *own_name(const struct grt_examiner_file *file) {
    return file->label != NULL && file->label[0] != '\0' ? file->label : file->benchmark;
}

/* The end of a path, as far as a name may have it. */
static const char *base_name(struct namer *namer, const char *path) {
    const char *slash = strrchr(path, '/');
    char *copy = grt_arena_text(&namer->arena, slash != NULL ? slash + 1 : path);
    for (char *at = copy; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x20 || *at == 0x7f ? '?' : *at;
    }
    return copy;
}

/* Where several files have one name, that of the file tells them apart. */
static const char *task_name(struct namer *namer, const struct grt_examiner_file *files, size_t count,
                             size_t index) {
    const char *own = own_name(&files[index]);
    for (size_t i = 0; i < count; i++) {
        if (i != index && strcmp(own_name(&files[i]), own) == 0) {
            return text_of(namer, "%s (%.512s)", own, base_name(namer, files[index].path));
        }
    }
    return own;
}

static void add_tasks(struct namer *namer, const struct grt_examiner_file *files, size_t count,
                      const struct examiner_places *places) {
    bool processes = false;
    for (size_t i = 0; i < count; i++) {
        processes = processes || files[i].process != files[0].process;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)i;
        const char *name = task_name(namer, files, count, i);
        add(namer, (struct grt_trace_name){GRT_NAME_TASK, index, 0, 0, 0, name});
        for (uint32_t k = 0; k < places[i].command_count; k++) {
            add(namer, (struct grt_trace_name){GRT_NAME_KERNEL, index, EXAMINER_EXECUTE, (uint16_t)k,
                                               places[i].firsts[k]->threads, places[i].firsts[k]->name});
        }
        name = processes ? text_of(namer, "%s, process %lld", name, (long long)files[i].process) : name;
        add(namer, (struct grt_trace_name){GRT_NAME_STREAM, index, 0, 0, 0, name});
    }
}

void examiner_write_names(const struct grt_examiner_file *files, size_t count,
                          const struct examiner_places *places, const struct examiner_cores *cores,
                          const struct grt_examiner_sms *sms, struct grt_trace *trace) {
    struct namer namer = {0};
    const char *scenario = files[0].scenario;
    const char *run = text_of(&namer, "%s%smeasured", scenario, scenario[0] != '\0' ? ", " : "");
    add(&namer, (struct grt_trace_name){.kind = GRT_NAME_RUN, .text = run});
    add_tasks(&namer, files, count, places);
    for (uint32_t i = 0; i < cores->count; i++) {
        const char *name = text_of(&namer, "cpu %d", (int)cores->numbers[i]);
        add(&namer, (struct grt_trace_name){GRT_NAME_CORE, i, 0, 0, 0, name});
    }
    for (uint32_t i = 0; i < sms->count; i++) {
        const char *name = text_of(&namer, "SM %u", (unsigned)i);
        add(&namer, (struct grt_trace_name){GRT_NAME_SM, i, 0, 0, sms->threads, name});
    }
    grt_trace_names(trace, namer.items, namer.count);
    free(namer.items);
    grt_arena_clear(&namer.arena);
}
