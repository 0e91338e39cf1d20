/* How bandwidth is shared (B1): a fluid model. If all requesters together ask for more than there is, they get either the
 * same fraction of their demands (proportional), or the same amount, but nobody more than he asks for (max-min: progressive
 * filling, D. Bertsekas and R. Gallager, "Data Networks", 2nd edition, 1992, section 6.5.2). */
#include "models/device/memory_bus.h"

#include <stdlib.h>

#include "models/device/progress.h"
#include "sim/check.h"
#include "sim/memory.h"

void grt_bus_create(struct grt_memory_bus *bus, const struct grt_device *device) {
    *bus = (struct grt_memory_bus){.bytes_per_second = device->memory_bytes_per_second,
                                   .sharing = device->bandwidth_sharing};
}

void grt_bus_add_user(struct grt_memory_bus *bus, const struct grt_bus_user *user) {
    GRT_REQUIRE(bus->user_count < GRT_BUS_MOST_USERS, "a bus serves one GPU and one CPU");
    bus->users[bus->user_count++] = *user;
}

void grt_bus_request(struct grt_memory_bus *bus, uint64_t demand, uint32_t requesters) {
    uint32_t number = bus->group_count++;
    bus->groups = grt_array_grow(bus->groups, &bus->group_capacity, bus->group_count, sizeof *bus->groups);
    bus->groups[number] = (struct grt_bus_group){demand, requesters};
}

/* `part` of `whole` as a speed, rounded up; part <= whole. */
static uint64_t fraction_of(uint64_t part, grt_wide whole) {
    GRT_ASSERT(whole > 0, "share only what is asked for");
    return (uint64_t)((((grt_wide)part << 32) + whole - 1) / whole);
}

static void share_proportionally(struct grt_memory_bus *bus, grt_wide total) {
    uint64_t share = fraction_of((uint64_t)bus->bytes_per_second, total);
    for (uint32_t i = 0; i < bus->group_count; i++) {
        bus->shares[i] = bus->groups[i].demand > 0 ? share : GRT_FULL_SPEED;
    }
}

static void sort_by_demand(struct grt_memory_bus *bus) {
    bus->by_demand =
        grt_array_grow(bus->by_demand, &bus->order_capacity, bus->group_count, sizeof *bus->by_demand);
    for (uint32_t i = 0; i < bus->group_count; i++) {
        uint32_t place = i;
        for (; place > 0 && bus->groups[bus->by_demand[place - 1]].demand > bus->groups[i].demand; place--) {
            bus->by_demand[place] = bus->by_demand[place - 1];
        }
        bus->by_demand[place] = i;
    }
}

static void share_max_min(struct grt_memory_bus *bus) {
    uint64_t left = (uint64_t)bus->bytes_per_second, requesters = 0;
    for (uint32_t i = 0; i < bus->group_count; i++) {
        requesters += bus->groups[i].requesters;
    }
    sort_by_demand(bus);
    for (uint32_t i = 0; i < bus->group_count; i++) {
        const struct grt_bus_group *group = &bus->groups[bus->by_demand[i]];
        GRT_ASSERT(requesters > 0, "let every group have a requester");
        if (group->demand <= left / requesters) {
            bus->shares[bus->by_demand[i]] = GRT_FULL_SPEED;
            left -= group->demand * group->requesters;
            requesters -= group->requesters;
        } else { /* from here on all get the same amount, left / requesters */
            bus->shares[bus->by_demand[i]] = fraction_of(left, (grt_wide)group->demand * requesters);
        }
    }
}

static void share(struct grt_memory_bus *bus) {
    grt_wide total = 0;
    for (uint32_t i = 0; i < bus->group_count; i++) {
        total += (grt_wide)bus->groups[i].demand * bus->groups[i].requesters;
    }
    if (bus->sharing == GRT_BANDWIDTH_SHARING_NONE || total <= (grt_wide)(uint64_t)bus->bytes_per_second) {
        for (uint32_t i = 0; i < bus->group_count; i++) {
            bus->shares[i] = GRT_FULL_SPEED;
        }
    } else if (bus->sharing == GRT_BANDWIDTH_SHARING_PROPORTIONAL) {
        share_proportionally(bus, total);
    } else {
        share_max_min(bus);
    }
}

void grt_bus_settle(struct grt_memory_bus *bus) {
    uint32_t ends[GRT_BUS_MOST_USERS], users = bus->user_count;
    bus->group_count = 0;
    for (uint32_t i = 0; i < users; i++) {
        bus->users[i].ask(bus->users[i].owner, bus);
        ends[i] = bus->group_count;
    }
    bus->shares = grt_array_grow(bus->shares, &bus->share_capacity, bus->group_count, sizeof *bus->shares);
    share(bus);
    for (uint32_t i = 0, first = 0; i < users; first = ends[i++]) {
        bus->users[i].granted(bus->users[i].owner, &bus->shares[first]);
    }
}

void grt_bus_free(struct grt_memory_bus *bus) {
    free(bus->groups);
    free(bus->shares);
    free(bus->by_demand);
}
