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
 * docs/writing-a-policy.md walks through it.
 *
 * What it may use of gpurt is in this header and those that it includes: adapt.h, analysis.h, device.h, occupancy.h, policy.h, promise.h,
 * span.h, step.h, task.h and usage.h of models/; distribution.h, error.h, field.h, memory.h, random.h, ready_queue.h, time.h and wide.h
 * of sim/.
 *
 * A plug-in is refused unless it was compiled with the interface that the program has: the same GRT_PLUGIN_ABI, the same places and sizes of
 * all members of all structs in these headers, the same constants, and the same fingerprint of all else that they have compiled into
 * plug-ins. Within an interface number, headers may get functions more, and nothing else.
 *
 * A plug-in stays loaded until the program ends. Its tables are only read, by several threads at once where a sweep has them: it keeps
 * what changes in its `state`, and no variables that change. */
#ifndef GRT_MODELS_PLUGIN_H
#define GRT_MODELS_PLUGIN_H

/* Before the block for C++. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "models/analysis.h"
#include "models/plugin_layout.h"
#include "models/policy.h"

/* The number of the interface: one more whenever a struct, a function or a rule of the headers changes such that plug-ins have to be
 * compiled again, or written differently. Tests notice all of that but what functions of the program do (tests/golden/test_plugin_interface.c,
 * tests/structure/plugin_symbols.py). */
#define GRT_PLUGIN_ABI 2

/* What a plug-in says of itself, under the name `grt_plugin`. The first two members are the same in every interface. */
struct grt_plugin {
    uint32_t abi;          /* GRT_PLUGIN_ABI of the headers that it was compiled with */
    uint32_t layout_count; /* of `layout` */
    const int64_t *layout; /* GRT_PLUGIN_NUMBERS, as they were compiled */
    const struct grt_policy_ops *policy;
};

/* The numbers that are compared: of each struct its size, of each member where it is and its size, the constants, and the fingerprint. */
#define GRT_PLUGIN_STRUCT(type) (int64_t)sizeof(struct type),
#define GRT_PLUGIN_MEMBER(type, member)                                                                      \
    (int64_t) offsetof(struct type, member), (int64_t)sizeof(((struct type *)0)->member),
#define GRT_PLUGIN_NUMBER(constant) (int64_t)(constant),
#define GRT_PLUGIN_NUMBERS                                                                                   \
    GRT_PLUGIN_LAYOUT(GRT_PLUGIN_STRUCT, GRT_PLUGIN_MEMBER, GRT_PLUGIN_NUMBER) GRT_PLUGIN_FINGERPRINT

#ifdef __cplusplus
#define GRT_PLUGIN_LINKAGE extern "C"
#else
#define GRT_PLUGIN_LINKAGE extern
#endif

/* Makes a file a plug-in with the policy `table`, a const struct grt_policy_ops. */
#define GRT_PLUGIN(table)                                                                                    \
    static const int64_t grt_plugin_layout[] = {GRT_PLUGIN_NUMBERS};                                         \
    GRT_PLUGIN_LINKAGE __attribute__((visibility("default"))) const struct grt_plugin grt_plugin;            \
    const struct grt_plugin grt_plugin = {                                                                   \
        GRT_PLUGIN_ABI, sizeof grt_plugin_layout / sizeof grt_plugin_layout[0], grt_plugin_layout, &(table)}

#ifdef __cplusplus
}
#endif

#endif
