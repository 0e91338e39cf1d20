/* From a JSON text to a tree of the JSON library, with every syntax error and repeated key reported by its place. */
#ifndef GRT_SCENARIOS_JSON_TREE_H
#define GRT_SCENARIOS_JSON_TREE_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "sim/error.h"

/* Parses a text (a byte-order mark at its start is skipped). Returns the tree, to be freed with cJSON_Delete, or NULL
 * after adding an error "line:column: sentence". Keys that are repeated in an object add an error each and leave the
 * tree complete. */
cJSON *grt_json_parse(const char *text, size_t size, struct grt_errors *errors);

/* The field of an object by its exact name, or NULL (also where `object` is none). */
const cJSON *grt_json_find(const cJSON *object, const char *name);

/* Writes a value as JSON, cut to about 40 bytes; returns `text`. */
#define GRT_JSON_SHOWN_SIZE 64
char *grt_json_show(const cJSON *value, char text[GRT_JSON_SHOWN_SIZE]);

/* The same for a text: with quotes as a value, without them as a key in a path. */
char *grt_text_show(const char *string, char text[GRT_JSON_SHOWN_SIZE]);
char *grt_key_show(const char *key, char text[GRT_JSON_SHOWN_SIZE]);

#endif
