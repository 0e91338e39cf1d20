/* Where the next block goes: the free room of every SM, and the choice among SMs by the device's placement rule (P1
 * to P7). SMs are numbered here by their place in the device's own order, so that "first" means "first in the order
 * of rule P4". */
#ifndef GRT_MODELS_DEVICE_PLACEMENT_H
#define GRT_MODELS_DEVICE_PLACEMENT_H

#include <stdint.h>

#include "models/device.h"
#include "models/gpu.h"
#include "sim/memory.h"
#include "sim/random.h"

struct grt_placement;

#define GRT_NO_PLACE UINT32_MAX

/* Makes the table of an empty device. `random` is for the rule of that name. */
struct grt_placement *grt_placement_create(const struct grt_device *device, struct grt_arena *arena,
                                           struct grt_random random);

/* Words of a set of places, a bit each. */
enum { GRT_PLACE_WORDS = GRT_DEVICE_MAX_SMS / 64 };

/* From here on only these places have room; NULL: all. The set is copied. */
void grt_placement_restrict(struct grt_placement *placement, const uint64_t *places);

/* Takes places out of those that it was kept to. */
void grt_placement_restrict_further(struct grt_placement *placement, const uint64_t *places);

/* Chooses the place for one block of a kernel and takes its room; GRT_NO_PLACE if no SM has room. */
uint32_t grt_placement_take(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                            grt_time now);

/* Places up to `count` equal blocks at once, exactly as `count` calls of grt_placement_take would, adding to
 * per_place[] the number of blocks on each place, and, if `places` is not NULL, writing the place of every block in
 * turn. Returns how many found room. */
uint32_t grt_placement_take_many(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                                 uint32_t count, uint8_t *per_place, uint16_t *places, grt_time now);

/* Gives back the room of `count` blocks of a kernel on one place. */
void grt_placement_release(struct grt_placement *placement, const struct grt_gpu_kernel *kernel,
                           uint32_t place, uint32_t count, grt_time now);

/* The id of the SM at a place, and the number of SMs. */
uint32_t grt_placement_sm(const struct grt_placement *placement, uint32_t place);
uint32_t grt_placement_count(const struct grt_placement *placement);

/* A hash of what the choice of places depends on beyond the resident blocks: the last place, the random state. */
uint64_t grt_placement_state(const struct grt_placement *placement);

/* Time during which an SM held at least one block, summed over SMs, up to `now`. */
double grt_placement_busy(const struct grt_placement *placement, grt_time now);

#endif
