#include "calib/program/files/device_base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/device_write.h"
#include "scenarios/embedded.h"
#include "scenarios/json_tree.h"

enum { PLAIN_SIZE = 200 };

/* Letters and digits, in lower case. */
static void make_plain(const char *name, char plain[PLAIN_SIZE]) {
    size_t used = 0;
    for (; *name != '\0' && used + 1 < PLAIN_SIZE; name++) {
        if (isalnum((unsigned char)*name)) {
            plain[used++] = (char)tolower((unsigned char)*name);
        }
    }
    plain[used] = '\0';
}

static int capability_of(const cJSON *tree) {
    const cJSON *text = grt_json_find(tree, "compute_capability");
    const char *point = cJSON_IsString(text) ? strchr(text->valuestring, '.') : NULL;
    return point != NULL ? (int)strtol(text->valuestring, NULL, 10) * 10 + (point[1] - '0') : 0;
}

/* Characters of the longest of the preset's names that the device's has in it; 0: none. */
static size_t match_of(const cJSON *tree, const char *plain) {
    char own[PLAIN_SIZE];
    const cJSON *name = grt_json_find(tree, "name"), *alias;
    make_plain(cJSON_IsString(name) ? name->valuestring : "", own);
    size_t best = own[0] != '\0' && strstr(plain, own) != NULL ? strlen(own) : 0;
    cJSON_ArrayForEach(alias, grt_json_find(tree, "aliases")) {
        make_plain(alias->valuestring, own);
        bool found = own[0] != '\0' && strstr(plain, own) != NULL;
        best = found && strlen(own) > best ? strlen(own) : best;
    }
    return best;
}

/* How good a preset is: by its name first, then by how near its compute capability is, older ones before newer ones. 0: not at all. */
static int merit_of(const cJSON *tree, const char *plain, int capability, bool *is_same) {
    int own = capability_of(tree), apart = abs(own - capability);
    size_t match = match_of(tree, plain);
    *is_same = match > 0 && (capability == 0 || own == capability);
    if (*is_same) {
        return 10000 + (int)match;
    }
    return own > 0 && capability > 0 ? 5000 - 2 * apart - (own > capability) : 0;
}

static const struct grt_embedded_file *find_base(const struct grt_bench_device *device, bool *is_same) {
    char plain[PLAIN_SIZE];
    make_plain(device->name, plain);
    const struct grt_embedded_file *best = NULL;
    int most = 0;
    *is_same = false;
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        const struct grt_embedded_file *file = &grt_embedded_devices[i];
        cJSON *tree = cJSON_ParseWithLength(file->text, file->size_bytes);
        bool same;
        int merit = merit_of(tree, plain, device->compute_capability, &same);
        if (merit > most) {
            most = merit;
            best = file;
            *is_same = same;
        }
        cJSON_Delete(tree);
    }
    return best;
}

const char *grt_device_base(const struct grt_bench_device *device, bool *is_same) {
    const struct grt_embedded_file *file = find_base(device, is_same);
    return file != NULL ? file->name : NULL;
}

static cJSON *empty_tree(void) {
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "gpurt_device", 1);
    cJSON_AddObjectToObject(tree, "sources");
    return tree;
}

/* Sources of another device. */
static void mark_assumed(cJSON *sources, const char *name) {
    for (cJSON *source = sources->child; source != NULL; source = source->next) {
        char text[4000];
        snprintf(text, sizeof text, "assumed as on %s: %s", name, source->valuestring);
        cJSON_SetValuestring(source, text);
    }
}

cJSON *grt_device_base_tree(const struct grt_bench_device *device) {
    bool same;
    const struct grt_embedded_file *file = find_base(device, &same);
    if (file == NULL) {
        return empty_tree();
    }
    cJSON *tree = cJSON_ParseWithLength(file->text, file->size_bytes);
    cJSON *sources = cJSON_GetObjectItemCaseSensitive(tree, "sources");
    if (sources == NULL) {
        sources = cJSON_AddObjectToObject(tree, "sources");
    }
    if (!same) {
        mark_assumed(sources, file->name);
    }
    return tree;
}
