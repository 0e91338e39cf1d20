/* The families of rules, and who of them hears what. */
#include "sim/check.h"
#include "verify/audit/internal.h"

extern const struct audit_family audit_at_once, audit_order, audit_slots, audit_lock, audit_server,
    audit_batch, audit_levels, audit_places, audit_shares, audit_shared;

static const struct audit_family *const families[] = {
    &audit_at_once, &audit_order,  &audit_slots,  &audit_lock,   &audit_server,
    &audit_batch,   &audit_levels, &audit_places, &audit_shares, &audit_shared,
};

void audit_families_create(struct grt_audit *audit) {
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (families[i]->applies(audit)) {
            GRT_REQUIRE(audit->active_count < AUDIT_MOST_FAMILIES,
                        "more families of rules apply than there is room for");
            struct audit_active *active = &audit->active[audit->active_count++];
            active->family = families[i];
            active->state = grt_arena_array(&audit->arena, 1, families[i]->state_size);
            active->family->create(audit, active->state);
            audit->settles |= active->family->settle != NULL;
            audit->hears_blocks |= active->family->block != NULL;
        }
    }
}

void audit_families_free(struct grt_audit *audit) {
    for (size_t i = 0; i < audit->active_count; i++) {
        if (audit->active[i].family->release != NULL) {
            audit->active[i].family->release(audit, audit->active[i].state);
        }
    }
}

/* One function for each hook that is called with a task. */
#define FOR_EACH(hook)                                                                                       \
    void audit_families_##hook(struct grt_audit *audit, struct audit_task *task,                             \
                               const struct grt_trace_record *record) {                                      \
        for (size_t i = 0; i < audit->active_count; i++) {                                                   \
            if (audit->active[i].family->hook != NULL) {                                                     \
                audit->active[i].family->hook(audit, audit->active[i].state, task, record);                  \
            }                                                                                                \
        }                                                                                                    \
    }

FOR_EACH(request)
FOR_EACH(command)
FOR_EACH(segment_end)
FOR_EACH(priority)
FOR_EACH(slice)
FOR_EACH(block)

void audit_families_thread(struct grt_audit *audit, const struct grt_trace_record *record) {
    for (size_t i = 0; i < audit->active_count; i++) {
        if (audit->active[i].family->thread != NULL) {
            audit->active[i].family->thread(audit, audit->active[i].state, record);
        }
    }
}

void audit_families_share(struct grt_audit *audit, const struct grt_trace_record *record) {
    for (size_t i = 0; i < audit->active_count; i++) {
        if (audit->active[i].family->share != NULL) {
            audit->active[i].family->share(audit, audit->active[i].state, record);
        }
    }
}

void audit_families_settle(struct grt_audit *audit, grt_time now) {
    for (size_t i = 0; i < audit->active_count; i++) {
        if (audit->active[i].family->settle != NULL) {
            audit->active[i].family->settle(audit, audit->active[i].state, now);
        }
    }
}

void audit_families_finish(struct grt_audit *audit) {
    for (size_t i = 0; i < audit->active_count; i++) {
        if (audit->active[i].family->finish != NULL) {
            audit->active[i].family->finish(audit, audit->active[i].state);
        }
    }
}
