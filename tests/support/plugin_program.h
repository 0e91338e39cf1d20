/* Plug-ins beside a program as its users call it: llf.so, which keeps all rules, unruly.so, which breaks the one that it is told to, and a scenario. */
#ifndef GRT_TESTS_SUPPORT_PLUGIN_PROGRAM_H
#define GRT_TESTS_SUPPORT_PLUGIN_PROGRAM_H

#include <signal.h>

#include "tests/support/program.h"

#ifdef GRT_PLUGINS

/* Where sanitizers are built in, crashes are not theirs here; nor does anybody want files of them. */
#define ALONE                                                                                                \
    "ulimit -c 0; export ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:"         \
    "handle_sigill=0:use_sigaltstack=0:detect_leaks=0; "

/* Two points with an evaluation or several: "{...}, {...}". */
#define PLUGIN_EXPERIMENT(name, evaluations)                                                                 \
    "{\"gpurt_experiment\": 1, \"name\": \"" name "\", \"samples\": 40, \"seed\": 1,\n"                      \
    " \"axes\": [{\"name\": \"utilisation\", \"path\": \"generator.utilisation\", \"values\": [0.3, "        \
    "0.6]}],\n"                                                                                              \
    " \"generator\": {\"name\": \"independent\", \"tasks\": 3, \"utilisation\": 0.5},\n"                     \
    " \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},\n"                                            \
    " \"evaluations\": [" evaluations "]}\n"

/* An evaluation by simulation. */
#define PLUGIN_SIMULATED(policy)                                                                             \
    "{\"name\": \"simulated\", \"kind\": \"simulation\", \"policy\": {" policy "}}"

/* Both plug-ins and the scenario llf.json, which names ./llf.so, into the scratch folder; and into its folder "inner" the scenario alone, with the
 * plug-in beside it as own.so. Returns whether that failed. */
static inline int put_plugins(void) {
    return call(
        "cp '" GRT_PLUGINS "/llf.so' '" GRT_PLUGINS "/unruly.so' '" GRT_SOURCE_DIR
        "/examples/llf/llf.json' .; mkdir -p inner; cp llf.json inner/llf.json; cp llf.so inner/own.so");
}

#endif

#endif
