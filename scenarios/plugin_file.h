/* What can be said of a plug-in's file before the system's loader has it, which has worse words for it, or crashes. */
#ifndef GRT_SCENARIOS_PLUGIN_FILE_H
#define GRT_SCENARIOS_PLUGIN_FILE_H

/* Why a file cannot be a shared object of this machine: "is a folder"; NULL: it may be one. */
const char *grt_plugin_file_objection(const char *file);

#endif
