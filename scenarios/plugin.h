/* Policies outside the tree: loads plug-ins (models/plugin.h), and says why one is refused. To load a plug-in is to run its code. */
#ifndef GRT_SCENARIOS_PLUGIN_H
#define GRT_SCENARIOS_PLUGIN_H

#include <stdbool.h>

#include "models/plugin.h"
#include "sim/error.h"
#include "sim/memory.h"

/* Where this environment variable has a value but "", no plug-in is loaded, and no file of one opened: files of strangers are only read then. */
#define GRT_NO_PLUGINS "GPURT_NO_PLUGINS"

/* Whether a policy is named by the file of its plug-in: the name has a slash, or ends in ".so". */
bool grt_plugin_is_file(const char *name);

/* The policy of the plug-in `file`, as seen from the working directory: a copy of its table in the arena, in which `plugin` is that path;
 * what the table points to stays until the program ends. NULL after adding an error at `path`, which names the file as `shown`: there is
 * no such file, it is no plug-in, was made for another interface, or its tables break a rule; or plug-ins are switched off. A file that is loaded already is not
 * read again, though it may have changed. */
const struct grt_policy_ops *grt_plugin_load(const char *file, const char *shown, struct grt_arena *arena,
                                             struct grt_errors *errors, const struct grt_path *path);

/* The policy by the name that a person gave it: one of gpurt's, or the file of a plug-in. NULL after adding an error at `path`. */
const struct grt_policy_ops *grt_policy_choose(const char *name, struct grt_arena *arena,
                                               struct grt_errors *errors, const struct grt_path *path);

/* Whether a plug-in's policy keeps the rules of its tables; else false, after adding an error at `path` for each that it breaks, which
 * begins with `shown`. (plugin_check.c) */
bool grt_plugin_check(const struct grt_policy_ops *policy, const char *shown, struct grt_errors *errors,
                      const struct grt_path *path);

#endif
