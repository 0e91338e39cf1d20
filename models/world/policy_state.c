/* The state of a policy, and a fence behind it: a plug-in whose `state_size` is too small would write into what the world has there, and
 * what comes of that would be anybody's fault but its own. In `start` it finds there what it would never write; later zeroes, as in its
 * state: whoever reads behind it before he writes there goes on as if it were his, and is found when the run ends. */
#include <string.h>

#include "models/world/internal.h"
#include "sim/check.h"

enum { FENCE_BYTES = 4096, FENCE_BYTE = 0xa5 };

/* Who has none gets no memory: if it uses some all the same, that is a crash, which is reported by its name. */
void policy_state_create(struct grt_world *world) {
    size_t size = world->policy->state_size;
    if (size > 0) {
        unsigned char *state = grt_arena_array(&world->arena, 1, size + FENCE_BYTES);
        world->policy_state = state;
        memset(state + size, FENCE_BYTE, FENCE_BYTES);
    }
}

static void check(const struct grt_world *world, unsigned char byte) {
    const unsigned char *fence = (const unsigned char *)world->policy_state + world->policy->state_size;
    bool within_state_size = fence[0] == byte && memcmp(fence, fence + 1, FENCE_BYTES - 1) == 0;
    GRT_REQUIRE(within_state_size, "a policy writes to no more of its state than its `state_size` says");
}

void policy_state_started(struct grt_world *world) {
    size_t size = world->policy->state_size;
    if (size > 0) {
        check(world, FENCE_BYTE);
        memset((unsigned char *)world->policy_state + size, 0, FENCE_BYTES);
    }
}

void policy_state_ended(const struct grt_world *world) {
    if (world->policy->state_size > 0) {
        check(world, 0);
    }
}
