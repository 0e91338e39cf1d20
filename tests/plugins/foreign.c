/* Shared objects that gpurt refuses before it looks at their policy: FOREIGN says what is wrong. */
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

#if FOREIGN == NO_SYMBOL
extern const int nothing_of_gpurt;
const int nothing_of_gpurt = 1;
#else
static const uint32_t layout[] = {GRT_PLUGIN_STRUCTS(GRT_PLUGIN_PLACE)};
static uint32_t wrong_layout[] = {GRT_PLUGIN_STRUCTS(GRT_PLUGIN_PLACE)};

#if FOREIGN == UNKNOWN_FUNCTION
bool grt_policy_of_the_future(void *state, struct grt_world *world, struct grt_errors *errors);
static const struct grt_policy_ops future = {.start = grt_policy_of_the_future};
#define POLICY &future
#else
#define POLICY NULL
#endif

extern struct grt_plugin grt_plugin;
struct grt_plugin grt_plugin = {
    .abi = GRT_PLUGIN_ABI + (FOREIGN == OTHER_INTERFACE),
    .layout_count = sizeof layout / sizeof layout[0] - 2 * (FOREIGN == FEWER_STRUCTS),
    .layout = FOREIGN == NO_LAYOUT      ? NULL
              : FOREIGN == OTHER_LAYOUT ? wrong_layout
                                        : layout,
    .policy = POLICY,
};

/* The first struct has 8 bytes more; or the program never gets so far. */
__attribute__((constructor)) static void begin(void) {
    volatile uint32_t *nowhere = NULL;
    wrong_layout[0] += 8;
    if (FOREIGN == LEAVES) {
        exit(0);
    } else if (FOREIGN == CRASHES) {
        *nowhere = 1;
    }
}
#endif
