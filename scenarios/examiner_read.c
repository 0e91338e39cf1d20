/* From the JSON of a result file to plain structs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/examiner.h"
#include "scenarios/read_fields.h"
#include "scenarios/text_file.h"

enum { MOST_THREADS = 1024, MOST_CORES = 65535, NAME_LENGTH = 512 };

static const struct grt_path whole_file;

/* ---- Values ---- */

/* The field of that name, or NULL after adding "required". */
static const cJSON *required(struct grt_reader *reader, const cJSON *object, const char *name,
                             const struct grt_path *path) {
    const cJSON *value = grt_json_find(object, name);
    if (value == NULL) {
        grt_error_add(reader->errors, &(struct grt_path){path, name, 0}, "required");
    }
    return value;
}

/* The examiner writes nine decimals of seconds. Both roundings of the double together are less than a quarter of a
 * nanosecond off up to the limit, so that the nearest whole one is what was written; further decimals are rounded. */
static grt_time read_time(struct grt_reader *reader, const cJSON *value, const struct grt_path *path) {
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble <= GRT_EXAMINER_SECONDS)) {
        grt_read_error(reader, path, value, "must be a time of 0 to %d seconds", GRT_EXAMINER_SECONDS);
        return 0;
    }
    return llround(value->valuedouble * (double)GRT_SECOND);
}

static int64_t read_whole(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                          int64_t min, int64_t max) {
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= (double)min && value->valuedouble <= (double)max) ||
        trunc(value->valuedouble) != value->valuedouble) {
        grt_read_error(reader, path, value, "must be a whole number of %lld to %lld", (long long)min,
                       (long long)max);
        return min;
    }
    return (int64_t)value->valuedouble;
}

static int64_t read_count(struct grt_reader *reader, const cJSON *object, const char *name,
                          const struct grt_path *path, int64_t min, int64_t max) {
    const cJSON *value = required(reader, object, name, path);
    return value == NULL ? min : read_whole(reader, value, &(struct grt_path){path, name, 0}, min, max);
}

/* A copy without control characters, of which the trace may have none: each becomes a question mark. */
static const char *printable(struct grt_reader *reader, const char *text) {
    char *copy = grt_arena_text(reader->arena, text);
    for (char *at = copy; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x20 || *at == 0x7f ? '?' : *at;
    }
    return copy;
}

/* NULL where it is absent. */
static const char *read_text(struct grt_reader *reader, const cJSON *object, const char *name,
                             const struct grt_path *path) {
    const cJSON *value = grt_json_find(object, name);
    if (value == NULL) {
        return NULL;
    }
    if (!cJSON_IsString(value) || strlen(value->valuestring) > NAME_LENGTH) {
        grt_read_error(reader, &(struct grt_path){path, name, 0}, value, "must be a text of at most %d bytes",
                       NAME_LENGTH);
        return NULL;
    }
    return printable(reader, value->valuestring);
}

/* True if the value is a list of exactly `count` elements. */
static bool is_list(struct grt_reader *reader, const cJSON *value, const struct grt_path *path, int64_t count,
                    const char *what) {
    int64_t size = 0;
    for (const cJSON *child = cJSON_IsArray(value) ? value->child : NULL; child != NULL;
         child = child->next) {
        size++;
    }
    if (!cJSON_IsArray(value)) {
        grt_read_error(reader, path, value, "must be a list of %s", what);
    } else if (size != count) {
        grt_error_add(reader->errors, path, "must be a list of %s: %lld, not %lld", what, (long long)count,
                      (long long)size);
    }
    return cJSON_IsArray(value) && size == count;
}

/* Two neighbours in a list of times, the second at `index` + 1. */
static struct grt_examiner_span read_span(struct grt_reader *reader, const cJSON *start,
                                          const struct grt_path *path, size_t index) {
    struct grt_path first = {path, NULL, index}, second = {path, NULL, index + 1};
    size_t errors = reader->errors->count;
    struct grt_examiner_span span = {.start = read_time(reader, start, &first),
                                     .end = read_time(reader, start->next, &second)};
    if (span.end < span.start && reader->errors->count == errors) {
        grt_read_error(reader, &second, start->next, "is before the start");
    }
    return span;
}

static struct grt_examiner_span read_pair(struct grt_reader *reader, const cJSON *object, const char *name,
                                          const struct grt_path *path) {
    const cJSON *value = grt_json_find(object, name);
    struct grt_path place = {path, name, 0};
    if (value == NULL || !is_list(reader, value, &place, 2, "two times, start and end")) {
        return (struct grt_examiner_span){GRT_TIME_NEVER, GRT_TIME_NEVER};
    }
    return read_span(reader, value->child, &place, 0);
}

/* ---- Kernels ---- */

static void read_blocks(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                        struct grt_examiner_kernel *kernel) {
    const cJSON *times = required(reader, object, "block_times", path);
    struct grt_path place = {path, "block_times", 0};
    if (times == NULL || !is_list(reader, times, &place, 2 * (int64_t)kernel->block_count,
                                  "times, the start and end of each of block_count blocks")) {
        return;
    }
    kernel->blocks = grt_arena_array(reader->arena, kernel->block_count, sizeof *kernel->blocks);
    const cJSON *start = times->child;
    for (size_t i = 0; i < kernel->block_count; i++, start = start->next->next) {
        kernel->blocks[i] = read_span(reader, start, &place, 2 * i);
    }
}

static void read_sms(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                     struct grt_examiner_kernel *kernel) {
    const cJSON *sms = required(reader, object, "block_smids", path);
    struct grt_path place = {path, "block_smids", 0};
    if (sms == NULL ||
        !is_list(reader, sms, &place, kernel->block_count, "SMs, one for each of block_count blocks")) {
        return;
    }
    kernel->sms = grt_arena_array(reader->arena, kernel->block_count, sizeof *kernel->sms);
    const cJSON *sm = sms->child;
    for (size_t i = 0; i < kernel->block_count; i++, sm = sm->next) {
        struct grt_path element = {&place, NULL, i};
        kernel->sms[i] = (uint32_t)read_whole(reader, sm, &element, 0, GRT_EXAMINER_SMS - 1);
    }
}

static void read_launch(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                        struct grt_examiner_kernel *kernel) {
    const cJSON *times = required(reader, object, "cuda_launch_times", path);
    struct grt_path place = {path, "cuda_launch_times", 0};
    kernel->synchronized = GRT_TIME_NEVER;
    if (times == NULL || !is_list(reader, times, &place, 3,
                                  "times, before and after the launch and after the synchronisation")) {
        return;
    }
    kernel->launch = read_span(reader, times->child, &place, 0);
    const cJSON *last = times->child->next->next;
    grt_time synchronized = read_time(reader, last, &(struct grt_path){&place, NULL, 2});
    if (synchronized != 0) { /* 0: not measured */
        kernel->synchronized = synchronized;
    }
}

static void read_kernel(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                        struct grt_examiner_kernel *kernel) {
    const char *name = read_text(reader, object, "kernel_name", path);
    const cJSON *core = grt_json_find(object, "cpu_core");
    kernel->name = name != NULL && name[0] != '\0' ? name : "kernel";
    kernel->core = -1;
    if (core != NULL) {
        kernel->core =
            (int32_t)read_whole(reader, core, &(struct grt_path){path, "cpu_core", 0}, -1, MOST_CORES);
    }
    kernel->threads = (uint32_t)read_count(reader, object, "thread_count", path, 1, MOST_THREADS);
    size_t errors = reader->errors->count;
    kernel->block_count = (uint32_t)read_count(reader, object, "block_count", path, 1, GRT_EXAMINER_BLOCKS);
    if (reader->errors->count == errors) {
        read_blocks(reader, object, path, kernel);
        read_sms(reader, object, path, kernel);
    }
    read_launch(reader, object, path, kernel);
}

/* ---- Iterations ---- */

enum entry { ENTRY_HOST, ENTRY_KERNEL, ENTRY_BAD };

static enum entry entry_of(struct grt_reader *reader, const cJSON *value, const struct grt_path *path) {
    bool host = grt_json_find(value, "cpu_times") != NULL,
         kernel = grt_json_find(value, "block_times") != NULL;
    if (grt_json_find(value, "kernel_times") != NULL) {
        grt_error_add(reader->errors, path,
                      "is of an early version of the examiner, which did not write on which SM a block ran");
        return ENTRY_BAD;
    }
    if (host == kernel) {
        grt_error_add(reader->errors, path, "must be an object with %s\"cpu_times\" or \"block_times\"%s",
                      host ? "either " : "", host ? ", not both" : "");
        return ENTRY_BAD;
    }
    return host ? ENTRY_HOST : ENTRY_KERNEL;
}

/* Makes the jobs with room for their kernels. Kernels in front of the first CPU times are an iteration of their own. */
static void make_jobs(struct grt_reader *reader, const cJSON *first, struct grt_examiner_file *file) {
    size_t count = first != NULL && grt_json_find(first, "cpu_times") == NULL;
    for (const cJSON *entry = first; entry != NULL; entry = entry->next) {
        count += grt_json_find(entry, "cpu_times") != NULL;
    }
    file->jobs = grt_arena_array(reader->arena, count, sizeof *file->jobs);
    const cJSON *entry = first;
    for (size_t i = 0; i < count; i++) {
        const struct grt_examiner_span unknown = {GRT_TIME_NEVER, GRT_TIME_NEVER};
        struct grt_examiner_job *job = &file->jobs[i];
        *job = (struct grt_examiner_job){unknown, unknown, unknown, unknown, NULL, 0};
        size_t kernels = 0;
        for (; entry != NULL && (kernels == 0 || grt_json_find(entry, "cpu_times") == NULL);
             entry = entry->next) {
            kernels++; /* one too many where the job has CPU times, which begin it */
        }
        job->kernels = grt_arena_array(reader->arena, kernels, sizeof *job->kernels);
    }
}

static void read_host(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                      struct grt_examiner_job *job) {
    job->cpu = read_pair(reader, object, "cpu_times", path);
    job->copy_in = read_pair(reader, object, "copy_in_times", path);
    job->execute = read_pair(reader, object, "execute_times", path);
    job->copy_out = read_pair(reader, object, "copy_out_times", path);
}

static void read_entries(struct grt_reader *reader, const cJSON *first, const struct grt_path *path,
                         struct grt_examiner_file *file) {
    make_jobs(reader, first, file);
    size_t index = 1;
    for (const cJSON *value = first; value != NULL; value = value->next, index++) {
        struct grt_path place = {path, NULL, index};
        enum entry entry = entry_of(reader, value, &place);
        if (index == 1 || grt_json_find(value, "cpu_times") != NULL) { /* as jobs were counted */
            file->job_count++;
        }
        struct grt_examiner_job *job = &file->jobs[file->job_count - 1];
        if (entry == ENTRY_HOST) {
            read_host(reader, value, &place, job);
        } else if (entry == ENTRY_KERNEL) {
            read_kernel(reader, value, &place, &job->kernels[job->kernel_count++]);
        }
    }
}

static void read_times(struct grt_reader *reader, const cJSON *root, struct grt_examiner_file *file) {
    struct grt_path path = {&whole_file, "times", 0}, element = {&path, NULL, 0};
    const cJSON *times = grt_json_find(root, "times");
    if (!cJSON_IsArray(times)) {
        grt_read_error(reader, &path, times, "must be a list");
    } else if (!cJSON_IsObject(times->child) || times->child->child != NULL) {
        grt_error_add(reader->errors, &element, "must be {}: all results of the examiner begin so");
    } else if (times->child->next == NULL) {
        grt_error_add(reader->errors, &path, "holds no iteration: the benchmark did not complete any");
    } else {
        read_entries(reader, times->child->next, &path, file);
    }
}

/* ---- The whole ---- */

/* Something else altogether gets one error. */
static bool is_result(const cJSON *root, struct grt_errors *errors) {
    if (grt_json_find(root, "times") != NULL && grt_json_find(root, "benchmark_name") != NULL) {
        return true;
    }
    grt_error_add(
        errors, NULL, "%s",
        grt_json_find(root, "benchmarks") != NULL
            ? "is a configuration of cuda_scheduling_examiner, not one of its results"
            : "is no result of cuda_scheduling_examiner: it has no \"benchmark_name\" and \"times\"");
    return false;
}

static void read_root(struct grt_reader *reader, const cJSON *root, struct grt_examiner_file *file) {
    const cJSON *release = grt_json_find(root, "release_time"), *process = grt_json_find(root, "PID");
    const char *scenario = read_text(reader, root, "scenario_name", &whole_file);
    const char *benchmark = read_text(reader, root, "benchmark_name", &whole_file);
    file->scenario = scenario != NULL ? scenario : "";
    file->benchmark = benchmark != NULL && benchmark[0] != '\0' ? benchmark : "benchmark";
    file->label = read_text(reader, root, "label", &whole_file);
    file->resident_threads =
        read_count(reader, root, "max_resident_threads", &whole_file, 1, (int64_t)GRT_EXAMINER_SMS * 2048);
    if (release != NULL && !(cJSON_IsNumber(release) && release->valuedouble < 0)) { /* below 0: none */
        file->release_time = read_time(reader, release, &(struct grt_path){&whole_file, "release_time", 0});
    }
    if (process != NULL) {
        file->process =
            read_whole(reader, process, &(struct grt_path){&whole_file, "PID", 0}, 0, GRT_INTEGER_LIMIT);
    }
    read_times(reader, root, file);
}

bool grt_examiner_parse(const char *path, const char *text, size_t size, struct grt_arena *arena,
                        struct grt_examiner_file *out, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_reader reader = {.arena = arena, .errors = errors};
    *out = (struct grt_examiner_file){.path = path};
    cJSON *root = grt_json_parse(text, size, errors);
    if (root != NULL && is_result(root, errors)) {
        read_root(&reader, root, out);
    }
    cJSON_Delete(root);
    return errors->count == before;
}

bool grt_examiner_read(const char *path, struct grt_arena *arena, struct grt_examiner_file *out,
                       struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(path, &size, errors);
    bool done = text != NULL && grt_examiner_parse(path, text, size, arena, out, errors);
    free(text);
    return done;
}
