/* What writers of files share. */
#ifndef GRT_CALIB_PROGRAM_FILES_FILE_TEXT_H
#define GRT_CALIB_PROGRAM_FILES_FILE_TEXT_H

#include <cjson/cJSON.h>

#include "calib/fit/fit.h"

/* Adds a text or number to an object where there is one: texts that are not NULL or empty, numbers that are finite. */
void grt_put_text(cJSON *object, const char *key, const char *text);
void grt_put_number(cJSON *object, const char *key, double value);

/* The tree as a text with a line feed at its end, to be freed; the tree is freed. */
char *grt_tree_text(cJSON *tree);

/* A value as it is written: as few digits as still are within a twentieth of the interval's width; whole where `whole`. */
double grt_written_value(double value, double low, double high, bool whole);

/* Where a value comes from, for `sources`: "measured: ..., 300 samples, 95 % interval 4.9us to 5.1us". Belongs to the arena. */
const char *grt_source_text(const struct grt_finding *finding, struct grt_arena *arena);

/* What the device really was, where it was none: "gpurt's own model of a GPU, back end sim"; NULL: a device behind the CUDA driver. */
const char *grt_pretended_text(const struct grt_raw *raw);

/* Has all texts of `sources` that say "measured: " or "told by the driver" say that the device was pretended, where it was. */
void grt_sources_mark(cJSON *sources, const struct grt_raw *raw);

/* Where and how all of it was measured: an object of texts; of a pretended device with "pretended". */
cJSON *grt_provenance(const struct grt_raw *raw);

#endif
