/* A policy outside the tree: one C file that includes this header and nothing else of gpurt, compiled to a shared object, and named in a
 * scenario as "policy": {"plugin": "./mine.so"}, or by --policy ./mine.so.
 *
 *     cc -std=c17 -O2 -fPIC -shared $(pkg-config --cflags gpurt-plugin) -o mine.so mine.c
 *
 * It defines a policy (models/policy.h), if it likes with analyses of its own (models/analysis.h), and ends with
 *
 *     GRT_PLUGIN(my_policy);
 *
 * It links with nothing: the program that loads it has the functions of these headers. examples/llf/llf.c is a whole one, and
 * docs/writing-a-policy.md walks through it. lib/plugin_headers.txt lists the headers that this one stands for.
 *
 * A plug-in is refused unless it was compiled with the interface that the program has: the same GRT_PLUGIN_ABI, and the same
 * sizes of all structs that both look into. Within an interface number, headers may get functions more, and nothing else.
 *
 * A plug-in stays loaded until the program ends. Its tables are only read, by several threads at once where a sweep has them: it keeps
 * what changes in its `state`, and no variables that change. */
#ifndef GRT_MODELS_PLUGIN_H
#define GRT_MODELS_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include "models/analysis.h"
#include "models/policy.h"

/* The number of the interface: one more whenever a struct, a function or a rule of the headers changes such that plug-ins have to be
 * compiled again, or written differently. tests/golden/test_plugin_interface.c notices what of that can be noticed. */
#define GRT_PLUGIN_ABI 1

/* The structs that plug-ins and programs both look into, each with its last member. */
#define GRT_PLUGIN_STRUCTS(X)                                                                                \
    X(grt_policy_ops, plugin)                                                                                \
    X(grt_job_view, tie)                                                                                     \
    X(grt_promise, aborts_nothing)                                                                           \
    X(grt_piece, units)                                                                                      \
    X(grt_step, new_segment)                                                                                 \
    X(grt_step_cursor, unit)                                                                                 \
    X(grt_scenario, adapted_for)                                                                             \
    X(grt_process, spec)                                                                                     \
    X(grt_process_spec, active_thread_percentage)                                                            \
    X(grt_task, segment_count)                                                                               \
    X(grt_segment, host_mode)                                                                                \
    X(grt_command_spec, callback_time)                                                                       \
    X(grt_kernel, usage)                                                                                     \
    X(grt_block_needs, shared_memory_opt_in)                                                                 \
    X(grt_launch_spec, wait)                                                                                 \
    X(grt_number_list, count)                                                                                \
    X(grt_usage, share_factors)                                                                              \
    X(grt_device, share_launch)                                                                              \
    X(grt_distribution, evidence)                                                                            \
    X(grt_measured, count)                                                                                   \
    X(grt_tail, ratio)                                                                                       \
    X(grt_field, custom)                                                                                     \
    X(grt_field_list, count)                                                                                 \
    X(grt_record, help)                                                                                      \
    X(grt_path, index)                                                                                       \
    X(grt_errors, count)                                                                                     \
    X(grt_arena, store)                                                                                      \
    X(grt_ready_entry, item)                                                                                 \
    X(grt_ready_queue, capacity)                                                                             \
    X(grt_analysis_ops, run)                                                                                 \
    X(grt_analysis_set, longest_is_bound)                                                                    \
    X(grt_analysis_platform, wake_up)                                                                        \
    X(grt_analysis_task, segment_count)                                                                      \
    X(grt_analysis_segment, step_count)                                                                      \
    X(grt_analysis_value, number)                                                                            \
    X(grt_analysis_result, value_capacity)

/* What a plug-in says of itself, under the name `grt_plugin`. The first two members are the same in every interface. */
struct grt_plugin {
    uint32_t abi;           /* GRT_PLUGIN_ABI of the headers that it was compiled with */
    uint32_t layout_count;  /* of `layout` */
    const uint32_t *layout; /* of each of GRT_PLUGIN_STRUCTS: its size, and where its last member is */
    const struct grt_policy_ops *policy;
};

#define GRT_PLUGIN_PLACE(type, member) (uint32_t)sizeof(struct type), (uint32_t)offsetof(struct type, member),

#ifdef __cplusplus
#define GRT_PLUGIN_LINKAGE extern "C"
#else
#define GRT_PLUGIN_LINKAGE extern
#endif

/* Makes a file a plug-in with the policy `table`, a const struct grt_policy_ops. */
#define GRT_PLUGIN(table)                                                                                    \
    static const uint32_t grt_plugin_layout[] = {GRT_PLUGIN_STRUCTS(GRT_PLUGIN_PLACE)};                      \
    GRT_PLUGIN_LINKAGE __attribute__((visibility("default"))) const struct grt_plugin grt_plugin;            \
    const struct grt_plugin grt_plugin = {                                                                   \
        GRT_PLUGIN_ABI, sizeof grt_plugin_layout / sizeof grt_plugin_layout[0], grt_plugin_layout, &(table)}

#endif
