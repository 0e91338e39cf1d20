/* Files of networks: what is written is what is read; everything else is refused, by its place. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/networks.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { RULES = 3 };

/* A network of numbers that need all their digits. */
static struct grt_network make_network(const char *kernel, int64_t order, struct grt_arena *arena) {
    struct grt_random random = grt_random_of_key(7);
    size_t terms = grt_network_terms(order), part = RULES * GRT_NETWORK_INPUTS;
    double *numbers = grt_arena_array(arena, 2 * part + RULES * terms, sizeof *numbers);
    for (size_t i = 0; i < 2 * part + RULES * terms; i++) {
        numbers[i] = grt_random_uniform(&random) + (i < 2 * part ? .01 : -.5);
    }
    struct grt_network network = {.kernel = kernel,
                                  .rules = RULES,
                                  .order = order,
                                  .mean = 17 + grt_random_uniform(&random),
                                  .deviation = 1. / 3,
                                  .threshold = .05,
                                  .centres = numbers,
                                  .widths = numbers + part,
                                  .consequents = numbers + 2 * part};
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network.low[i] = i == 4 ? 0 : grt_random_uniform(&random);
        network.high[i] = i == 4 ? 0 : 1e9 * (1 + grt_random_uniform(&random));
    }
    grt_network_finish(&network, arena);
    return network;
}

static char *write_text(const struct grt_networks *networks, const struct grt_network_history *histories,
                        struct grt_arena *arena, size_t *size) {
    char *written = NULL;
    FILE *out = open_memstream(&written, size);
    grt_networks_write(out, networks, histories);
    fclose(out);
    char *text = grt_arena_text(arena, written);
    free(written);
    return text;
}

static bool same(const double *a, const double *b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

static void reads_what_it_writes(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_network items[] = {make_network("with \"quotes\" and \\", 1, &arena),
                                        make_network("hotspot", 0, &arena)};
    const struct grt_networks networks = {items, 2};
    struct grt_networks read = {NULL, 0};
    struct grt_network_history histories[2] = {{.report.test.error = .5}, {.options.seed = 3}};
    size_t size, again_size;
    char *text = write_text(&networks, histories, &arena, &size);
    CU_ASSERT_FATAL(grt_networks_parse(text, size, &arena, &read, &errors));
    char *again = write_text(&read, histories, &arena, &again_size);
    CU_ASSERT(size == again_size && memcmp(text, again, size) == 0);
    CU_ASSERT(read.count == 2 && strcmp(read.items[0].kernel, items[0].kernel) == 0);
    for (size_t i = 0; i < 2; i++) {
        size_t numbers = RULES * GRT_NETWORK_INPUTS, terms = RULES * grt_network_terms(items[i].order);
        CU_ASSERT(same(read.items[i].centres, items[i].centres, numbers));
        CU_ASSERT(same(read.items[i].widths, items[i].widths, numbers));
        CU_ASSERT(same(read.items[i].inverse_widths, items[i].inverse_widths, numbers));
        CU_ASSERT(same(read.items[i].consequents, items[i].consequents, terms));
        CU_ASSERT(same(read.items[i].low, items[i].low, GRT_NETWORK_INPUTS));
        CU_ASSERT(same(read.items[i].high, items[i].high, GRT_NETWORK_INPUTS));
        CU_ASSERT(read.items[i].mean == items[i].mean && read.items[i].deviation == items[i].deviation);
    }
    grt_arena_clear(&arena);
}

/* The good file with one text put in place of another; the first error's message, or "" where it is read. */
static void change(const char *from, const char *to, const char *message) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_network items[] = {make_network("a", 0, &arena), make_network("b", 1, &arena)};
    struct grt_network_history histories[2] = {{.options.seed = 1}, {.options.seed = 1}};
    struct grt_networks read;
    size_t size;
    char *text = write_text(&(struct grt_networks){items, 2}, histories, &arena, &size),
         *at = strstr(text, from);
    CU_ASSERT_FATAL(at != NULL);
    char *changed = grt_arena_array(&arena, size + strlen(to) + 1, 1);
    memcpy(changed, text, (size_t)(at - text));
    strcat(changed, to);
    strcat(changed, at + strlen(from));
    bool good = grt_networks_parse(changed, strlen(changed), &arena, &read, &errors);
    CU_ASSERT(good == (message[0] == '\0'));
    CU_ASSERT(errors.count == (good ? 0 : 1));
    if (errors.count > 0 && strcmp(errors.messages[0], message) != 0) {
        CU_FAIL("another message");
        printf("expected %s\ngot      %s\n", message, errors.messages[0]);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void refuses_what_is_wrong(void) {
    change("\"a\"", "\"c\"", "");
    change("\"gpurt\": 1", "\"gpurt\": 2", "gpurt: must be 1 (got 2)");
    change("\"gpurt\": 1,", "", "gpurt: required");
    change("\"kernel\": \"b\"", "\"kernel\": \"a\"",
           "networks[1].kernel: is the same as networks[0].kernel (got \"a\")");
    change("\"kernel\": \"a\",", "", "networks[0].kernel: required");
    change("\"order\": 0", "\"order\": 2", "networks[0].order: must be between 0 and 1 (got 2)");
    change("\"threshold\"", "\"treshold\": 1, \"threshold\"",
           "networks[0].treshold: unknown field (did you mean \"threshold\"?)");
    change("\"mean\": 17", "\"mean\": 1e9, \"old\": 17", "networks[0].old: unknown field");
    change("\"mean\": 17", "\"mean\": 117", "networks[0].mean: must be between 0 and 42 (got 117.189)");
    change("\"deviation\": 0.3", "\"deviation\": -0.3",
           "networks[0].deviation: must be between 1e-12 and 42 (got -0.333333)");
    change("\"deviation\": 0.3", "\"deviation\": 1e999, \"x\": 0.3", "6:95: this number is too large");
    change("\"deviation\": 0.3", "\"deviation\": null, \"deviation\": 0.3",
           "networks[0].deviation: given twice");
    change("\"name\": \"warps\"", "\"name\": \"l2_read\"",
           "networks[0].inputs[1].name: must be \"warps\": inputs have an order");
    change("\"name\": \"share\"", "\"name\": \"shares\"",
           "networks[0].inputs[11].name: must be \"instructions\", \"warps\", \"l2_read\", \"l2_write\", "
           "\"global_load\", \"global_store\", \"shared_load\", \"shared_store\", \"shared_load_conflicts\", "
           "\"shared_store_conflicts\", \"texture_load\" or \"share\" (got \"shares\")");
    change("\"centre\": [", "\"centre\": [0, ",
           "networks[0].rules[0].centre: must have between 12 and 12 elements (got 13)");
    change("\"consequent\": [", "\"consequent\": [1, ",
           "networks[0].rules[0].consequent: must have 1 element for order 0 (got 2)");
    change("\"centre\": [0", "\"centre\": [\"0\", 0",
           "networks[0].rules[0].centre: must have between 12 and 12 elements (got 13)");
    change("\"width\": [0", "\"width\": [-0",
           "networks[0].rules[0].width[0]: must be between 1e-06 and 1e+06 (got -0.739747)");
    change("\"seed\": 1", "\"seed\": 1.5", "networks[0].training.seed: must be a whole number (got 1.5)");
}

static void refuses_cut_files(void) {
    struct grt_arena arena = {0};
    const struct grt_network items[] = {make_network("a", 1, &arena)};
    size_t size;
    char *text = write_text(&(struct grt_networks){items, 1}, NULL, &arena, &size);
    for (size_t cut = 0; cut + 2 < size; cut += 1 + cut % 17) { /* the last two are "}\n" */
        struct grt_errors errors = {0};
        struct grt_networks read;
        CU_ASSERT(!grt_networks_parse(text, cut, &arena, &read, &errors));
        CU_ASSERT(errors.count >= 1);
        grt_errors_clear(&errors);
    }
    grt_arena_clear(&arena);
}

static void names_the_file(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_networks read;
    struct grt_path root = {0}, path = {.parent = &root, .key = "networks"};
    CU_ASSERT(!grt_networks_read("none.json", GRT_SCRATCH_DIR, &arena, &read, &errors, &path));
    CU_ASSERT_STRING_EQUAL(
        errors.messages[0],
        "networks: the networks file none.json cannot be opened: No such file or directory");
    grt_errors_clear(&errors);
    FILE *out = fopen(GRT_SCRATCH_DIR "/bad.json", "w");
    fputs("{\"gpurt\": 1, \"networks\": []}", out);
    fclose(out);
    CU_ASSERT(!grt_networks_read("bad.json", GRT_SCRATCH_DIR, &arena, &read, &errors, &path));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "networks: in bad.json: networks: must have between 1 and 4096 elements (got 0)");
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"reads what it writes", reads_what_it_writes},
        {"refuses what is wrong", refuses_what_is_wrong},
        {"refuses cut files", refuses_cut_files},
        {"names the file", names_the_file},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("files of networks", tests);
}
