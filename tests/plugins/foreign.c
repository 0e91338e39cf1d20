/* Shared objects that gpurt refuses as it loads them: FOREIGN says what is wrong. */
#include <stdlib.h>

#include "models/plugin.h"

#define OTHER_INTERFACE 1
#define OTHER_LAYOUT 2
#define FEWER_STRUCTS 3
#define NO_SYMBOL 4
#define NO_POLICY 5
#define UNKNOWN_FUNCTION 6
#define NO_LAYOUT 7
#define LEAVES 8
#define CRASHES 9
#define OTHER_PLACE 10
#define OTHER_CONSTANT 11
#define OTHER_TYPES 12
#define ENDLESS_CHOICES 13
#define TOO_MANY_FIELDS 14

#if FOREIGN == NO_SYMBOL
extern const int nothing_of_gpurt;
const int nothing_of_gpurt = 1;
#else
static int64_t layout[] = {GRT_PLUGIN_NUMBERS};

enum { NUMBERS = sizeof layout / sizeof layout[0] };

#if FOREIGN == UNKNOWN_FUNCTION
bool grt_policy_of_the_future(void *state, struct grt_world *world, struct grt_errors *errors);
static const struct grt_policy_ops future = {.start = grt_policy_of_the_future};
#define POLICY &future
#elif FOREIGN == ENDLESS_CHOICES || FOREIGN == TOO_MANY_FIELDS
static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    return state == NULL || world == NULL || errors == NULL;
}

static void decide(void *state, struct grt_world *world) {
    (void)state;
    (void)world;
}

/* What may lie behind a list, no NULL, and behind a table: no text. */
static const char *const words[] = {"a", "b", (const char *)8, NULL};
static const struct grt_field fields[] = {
    {.name = "word", .type = GRT_FIELD_CHOICE, .fallback = "\"a\"", .choices = words, .help = "A word."},
    {.name = (const char *)8},
};
static const struct grt_record record = {
    .name = "lost", .size = 8, .fields = fields + (FOREIGN == TOO_MANY_FIELDS), .field_count = 1};
static const struct grt_policy_ops lost = {.name = "lost",
                                           .summary = "tables that lead nowhere",
                                           .start = start,
                                           .decide = decide,
                                           .parameters = &record,
                                           .parameters_size = 8};
#define POLICY &lost
#else
#define POLICY NULL
#endif

extern struct grt_plugin grt_plugin;
struct grt_plugin grt_plugin = {
    .abi = GRT_PLUGIN_ABI + (FOREIGN == OTHER_INTERFACE),
    .layout_count = NUMBERS - 2 * (FOREIGN == FEWER_STRUCTS),
    .layout = FOREIGN == NO_LAYOUT ? NULL : layout,
    .policy = POLICY,
};

/* The first struct has 8 bytes more; its second member is 8 bytes further; the last constant is one more; a type is another one. Or the program
 * never gets so far. */
__attribute__((constructor)) static void begin(void) {
    volatile uint32_t *volatile nowhere = NULL;
    layout[0] += 8 * (FOREIGN == OTHER_LAYOUT);
    layout[3] += 8 * (FOREIGN == OTHER_PLACE);
    layout[NUMBERS - 2] += FOREIGN == OTHER_CONSTANT;
    layout[NUMBERS - 1] ^= FOREIGN == OTHER_TYPES;
    if (FOREIGN == LEAVES) {
        exit(0);
    } else if (FOREIGN == CRASHES) {
        *nowhere = 1; /* NOLINT(clang-analyzer-core.NullDereference): as it is to */
    }
}
#endif
