/* labels: soak */
/* Random kernels, once defined in a file and in the scenario and taken by name and by like, once written out: the scenarios are the
 * same, field by field, and so are their traces. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/scenario_write.h"
#include "scenarios/simulation.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { DEFINITIONS = 6, TASKS = 3, COMMANDS = 4 };

/* Fields of kernels. One by `time` has the last two of them. */
enum key { BLOCKS, THREADS, REGS, SMEM, BLOCK_TIME, DRAW, LAUNCHES, TIME, CLASS, KEYS };
static const char *const key_names[KEYS] = {"blocks", "threads",  "regs", "smem", "block_time",
                                            "draw",   "launches", "time", "class"};

/* As a definition or a command says it, and as it comes out. */
enum way { NAMED, WRITTEN, WAYS };

struct kernel {
    const char *values[WAYS][KEYS]; /* as JSON; NULL: nothing is said */
    int overhead_us;                /* of a definition; 0: none */
};

struct made {
    struct grt_arena arena;
    struct grt_random random;
    struct kernel definitions[DEFINITIONS];
};

static const char *text_of(struct made *made, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *text_of(struct made *made, const char *format, ...) {
    va_list arguments;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    const char *kept = grt_arena_text(&made->arena, text);
    free(text);
    return kept;
}

static long long pick(struct made *made, int64_t from, int64_t to) {
    return (long long)grt_pick(&made->random, from, to);
}

static void say(struct kernel *kernel, enum key key, const char *text) {
    kernel->values[NAMED][key] = kernel->values[WRITTEN][key] = text;
}

/* ---- random fields ---- */

static const char *random_time(struct made *made) {
    long long a = pick(made, 1, 50), b = a + pick(made, 0, 20), c = b + pick(made, 1, 30);
    const char *law = pick(made, 0, 1) == 0 ? "gev" : "gpd";
    switch (pick(made, 0, 4)) {
    case 0:
        return text_of(made, "\"%lldus\"", a);
    case 1:
        return text_of(made, "{\"min\": \"%lldus\", \"max\": \"%lldus\"}", a, c);
    case 2:
        return text_of(made,
                       "{\"distribution\": \"empirical\", \"values\": [\"%lldus\", \"%lldus\", \"%lldus\"], "
                       "\"max\": \"%lldus\"}",
                       a, b, c, c + 1);
    case 3:
        return text_of(
            made,
            "{\"distribution\": \"empirical\", \"values\": [\"%lldus\", \"%lldus\", \"%lldus\"], "
            "\"tail\": {\"threshold\": \"%lldus\", \"scale\": \"%lldus\", \"shape\": %g, \"ratio\": "
            "0.3}, \"max\": \"300us\", \"declared\": \"%lldus\"}",
            a, b, c, b, a, (double)pick(made, -5, 5) / 8, c);
    default:
        return text_of(
            made,
            "{\"distribution\": \"%s\", \"location\": \"%lldus\", \"scale\": \"%lldus\", \"shape\": "
            "%g, \"max\": \"200us\"}",
            law, b, a, (double)pick(made, -3, 3) / 4);
    }
}

static const char *random_value(struct made *made, enum key key) {
    switch (key) {
    case BLOCKS:
        return text_of(made, "%lld", pick(made, 1, 40));
    case THREADS:
        return text_of(made, "%lld", pick(made, 1, 8) * 32);
    case REGS:
        return text_of(made, "%lld", pick(made, 1, 40));
    case SMEM:
        return text_of(made, "\"%lldKiB\"", pick(made, 1, 8));
    case DRAW:
        return pick(made, 0, 1) == 0 ? "\"kernel\"" : "\"block\"";
    case CLASS:
        return text_of(made, "\"class%lld\"", pick(made, 0, 3));
    default:
        return random_time(made);
    }
}

/* Fields that the other one says, or that it may say. */
static void say_some(struct made *made, struct kernel *kernel, int64_t out_of) {
    static const enum key keys[] = {BLOCKS, THREADS, REGS, SMEM, BLOCK_TIME, DRAW, CLASS};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (pick(made, 0, out_of) == 0) {
            say(kernel, keys[i], random_value(made, keys[i]));
        }
    }
}

static void print_fields(FILE *out, const struct kernel *kernel, enum way way) {
    for (size_t key = 0; key < KEYS; key++) {
        if (kernel->values[way][key] != NULL) {
            fprintf(out, ", \"%s\": %s", key_names[key], kernel->values[way][key]);
        }
    }
}

/* ---- kernels that take a definition ---- */

/* Prints {"kernel": ..., ...} for one that takes definition `number`, in both ways. */
static void use(struct made *made, size_t number, const char *more, FILE *outs[WAYS]) {
    const struct kernel *definition = &made->definitions[number];
    struct kernel kernel = {0};
    bool by_time = definition->values[NAMED][TIME] != NULL, like = pick(made, 0, 1) == 0;
    if (by_time) {
        kernel.values[NAMED][TIME] = like && pick(made, 0, 1) == 0 ? random_time(made) : NULL;
    } else {
        say_some(made, &kernel, 4);
        kernel.values[NAMED][BLOCKS] = like ? kernel.values[NAMED][BLOCKS] : NULL;
    }
    for (size_t key = 0; key < KEYS; key++) {
        const char *own = kernel.values[NAMED][key];
        kernel.values[WRITTEN][key] = own != NULL ? own : definition->values[WRITTEN][key];
    }
    if (kernel.values[WRITTEN][CLASS] == NULL) {
        kernel.values[WRITTEN][CLASS] = text_of(made, "\"k%zu\"", number);
    }
    const char *name = like ? text_of(made, "u%lld", pick(made, 0, 99)) : text_of(made, "k%zu", number);
    for (size_t way = 0; way < WAYS; way++) {
        fprintf(outs[way], "{\"kernel\": \"%s\"%s", name, more);
        if (like && way == NAMED) {
            fprintf(outs[way], ", \"like\": \"k%zu\"", number);
        }
        print_fields(outs[way], &kernel, (enum way)way);
        fputs("}", outs[way]);
    }
}

/* Launches of one or two kernels that were defined before; some from definitions by time would be refused. */
static void say_launches(struct made *made, size_t number) {
    char *texts[WAYS];
    size_t sizes[WAYS];
    FILE *outs[WAYS] = {open_memstream(&texts[0], &sizes[0]), open_memstream(&texts[1], &sizes[1])};
    long long count = pick(made, 1, 2), printed = 0;
    for (size_t i = 0; i < number && printed < count; i++) {
        if (made->definitions[i].values[NAMED][TIME] == NULL) {
            for (size_t way = 0; way < WAYS; way++) {
                fputs(printed > 0 ? ", " : "[", outs[way]);
            }
            use(made, i, ", \"from\": \"first_block\"", outs);
            printed++;
        }
    }
    for (size_t way = 0; way < WAYS; way++) {
        fputs("]", outs[way]);
        fclose(outs[way]);
        if (printed > 0) {
            made->definitions[number].values[way][LAUNCHES] = grt_arena_text(&made->arena, texts[way]);
        }
        free(texts[way]);
    }
}

static void define(struct made *made, size_t number) {
    struct kernel *kernel = &made->definitions[number];
    *kernel = (struct kernel){.overhead_us = (int)pick(made, 0, 9)};
    if (pick(made, 0, 3) == 0) {
        say(kernel, TIME, random_time(made));
        return;
    }
    say(kernel, BLOCKS, random_value(made, BLOCKS));
    say(kernel, THREADS, random_value(made, THREADS));
    say(kernel, BLOCK_TIME, random_time(made));
    say_some(made, kernel, 2);
    if (pick(made, 0, 1) == 0) {
        say_launches(made, number);
    }
}

/* ---- scenarios ---- */

static void print_definition(FILE *out, const struct made *made, size_t number) {
    fprintf(out, "{\"name\": \"k%zu\", \"description\": \"made up\"", number);
    print_fields(out, &made->definitions[number], NAMED);
    if (made->definitions[number].overhead_us > 0) {
        fprintf(out, ", \"split_overhead\": \"%dus\"", made->definitions[number].overhead_us);
    }
    fputs("}", out);
}

/* The first `in_file` definitions are in a file. Each launches only those before it. */
static void print_definitions(const struct made *made, size_t in_file, FILE *out) {
    FILE *file = fopen(GRT_SCRATCH_DIR "/kernels.json", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("{\"gpurt_kernels\": 1, \"kernels\": [", file);
    fputs("\"kernels\": [\"kernels.json\"", out);
    for (size_t i = 0; i < DEFINITIONS; i++) {
        fputs(i >= in_file ? ", " : i > 0 ? ", " : "", i < in_file ? file : out);
        print_definition(i < in_file ? file : out, made, i);
    }
    fputs("]}", file);
    fputs("], ", out);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static void print_task(struct made *made, size_t number, FILE *outs[WAYS]) {
    bool own = pick(made, 0, 2) == 0;
    int overhead_us = 0;
    fprintf(outs[NAMED], "%s{\"name\": \"t%zu\", \"period\": \"2ms\", \"segments\": [{\"gpu\": [",
            number > 0 ? ", " : "", number);
    fprintf(outs[WRITTEN], "%s{\"name\": \"t%zu\", \"period\": \"2ms\", \"segments\": [{\"gpu\": [",
            number > 0 ? ", " : "", number);
    for (long long i = pick(made, 1, COMMANDS); i > 0; i--) {
        size_t taken = (size_t)pick(made, 0, DEFINITIONS - 1);
        int more = made->definitions[taken].overhead_us;
        use(made, taken, "", outs);
        overhead_us = more > overhead_us ? more : overhead_us;
        for (size_t way = 0; way < WAYS; way++) {
            fputs(i > 1 ? ", " : "]}]", outs[way]);
        }
    }
    for (size_t way = 0; way < WAYS; way++) {
        if (own) {
            fputs(", \"split_overhead\": \"4us\"", outs[way]);
        } else if (way == WRITTEN) {
            fprintf(outs[way], ", \"split_overhead\": \"%dus\"", overhead_us);
        }
        fputs("}", outs[way]);
    }
}

static void print_scenarios(struct made *made, FILE *outs[WAYS]) {
    unsigned long long seed = (unsigned long long)pick(made, 1, 1000);
    for (size_t way = 0; way < WAYS; way++) {
        fprintf(outs[way],
                "{\"gpurt\": 1, \"horizon\": \"6ms\", \"seed\": %llu, \"platform\": {\"gpus\": [{\"device\": "
                "\"tx2\"}]}, ",
                seed);
    }
    print_definitions(made, (size_t)pick(made, 1, DEFINITIONS), outs[NAMED]);
    for (size_t way = 0; way < WAYS; way++) {
        fputs("\"tasks\": [", outs[way]);
    }
    for (size_t i = 0; i < TASKS; i++) {
        print_task(made, i, outs);
    }
    for (size_t way = 0; way < WAYS; way++) {
        fputs("]}", outs[way]);
        fclose(outs[way]);
    }
}

/* ---- what they come to ---- */

struct seen {
    char *written; /* the scenario in memory, as a text */
    uint64_t digest;
};

static struct seen see(const char *text) {
    struct grt_errors errors = {0};
    struct grt_simulation simulation = {0};
    struct seen seen = {0};
    size_t size;
    const struct grt_scenario_text source = {text, strlen(text), GRT_SCRATCH_DIR};
    bool good = grt_simulation_parse(&simulation, &source, NULL, &errors);
    if (good) {
        FILE *out = open_memstream(&seen.written, &size);
        const struct grt_scenario_content content = {.scenario = &simulation.file.written,
                                                     .policy = simulation.file.policy};
        good = grt_scenario_write(out, &content, &errors);
        fclose(out);
        grt_simulation_add_sink(&simulation, &grt_trace_memory_sink, &simulation.kept);
        good = good && grt_simulation_run(&simulation, false, &errors);
        seen.digest = simulation.trace != NULL ? simulation.trace->digest : 0;
    }
    CU_ASSERT(good);
    if (!good) {
        grt_errors_print(&errors, stdout, "    ");
        printf("%s\n", text);
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
    return seen;
}

static void names_and_fields_are_the_same(void) {
    for (int i = 0; i < grt_suite_cases(60, 5000); i++) {
        struct made made = {.random = grt_random_stream(1, "kernel definitions", (uint64_t)i, 0)};
        char *texts[WAYS];
        size_t sizes[WAYS];
        FILE *outs[WAYS] = {open_memstream(&texts[0], &sizes[0]), open_memstream(&texts[1], &sizes[1])};
        for (size_t j = 0; j < DEFINITIONS; j++) {
            define(&made, j);
        }
        print_scenarios(&made, outs);
        struct seen named = see(texts[NAMED]), written = see(texts[WRITTEN]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(named.written);
        CU_ASSERT_PTR_NOT_NULL_FATAL(written.written);
        CU_ASSERT_STRING_EQUAL(named.written, written.written);
        CU_ASSERT(named.digest == written.digest && named.digest != 0);
        struct seen again = see(named.written); /* and what was written is read as the same */
        CU_ASSERT_PTR_NOT_NULL_FATAL(again.written);
        CU_ASSERT_STRING_EQUAL(again.written, named.written);
        CU_ASSERT_EQUAL(again.digest, named.digest);
        if (strcmp(named.written, written.written) != 0) {
            printf("    case %d:\n%s\n%s\n", i, texts[NAMED], texts[WRITTEN]);
        }
        free(named.written);
        free(written.written);
        free(again.written);
        free(texts[NAMED]);
        free(texts[WRITTEN]);
        grt_arena_clear(&made.arena);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"names and fields are the same", names_and_fields_are_the_same},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernel definitions", tests);
}
