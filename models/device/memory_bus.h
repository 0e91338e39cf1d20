/* A memory whose bandwidth several requesters share: running blocks, copies, and on an integrated GPU the CPU's threads too
 * (rules B1 and B2). Requesters are told which fraction of their demand they get, and go on at that speed. Whenever the
 * set of requesters has changed, one of its users settles the bus: all of them say what they ask for, and hear what
 * they get. Sums of demands are exact, so the order of the requesters does not matter. */
#ifndef GRT_MODELS_DEVICE_MEMORY_BUS_H
#define GRT_MODELS_DEVICE_MEMORY_BUS_H

#include <stdint.h>

#include "models/device.h"

struct grt_memory_bus;

/* Somebody with requesters. */
struct grt_bus_user {
    void *owner;
    /* Says what the requesters ask for: calls grt_bus_request for each group of them. */
    void (*ask)(void *owner, struct grt_memory_bus *bus);
    /* What each group gets, in the same order, as a fraction in units of 2^-32. */
    void (*granted)(void *owner, const uint64_t *shares);
};

enum { GRT_BUS_MOST_USERS = 2 };

struct grt_bus_group {
    uint64_t demand;     /* bytes per second of each requester */
    uint32_t requesters; /* equal ones */
};

struct grt_memory_bus {
    int64_t bytes_per_second;
    int64_t sharing; /* enum grt_bandwidth_sharing */
    struct grt_bus_user users[GRT_BUS_MOST_USERS];
    uint32_t user_count;
    struct grt_bus_group *groups;
    uint64_t *shares;
    uint32_t *by_demand; /* for max-min: groups, the smallest demand first */
    uint32_t group_count, group_capacity, share_capacity, order_capacity;
};

/* A bus that nobody uses yet. */
void grt_bus_create(struct grt_memory_bus *bus, const struct grt_device *device);

/* Adds a user, before the run begins; at most GRT_BUS_MOST_USERS. */
void grt_bus_add_user(struct grt_memory_bus *bus, const struct grt_bus_user *user);

/* For `ask`: a group of requesters that each draw `demand` bytes per second at full speed. */
void grt_bus_request(struct grt_memory_bus *bus, uint64_t demand, uint32_t requesters);

/* Shares the bandwidth anew. */
void grt_bus_settle(struct grt_memory_bus *bus);

/* Frees what the bus has allocated. */
void grt_bus_free(struct grt_memory_bus *bus);

#endif
