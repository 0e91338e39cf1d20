#include "scenarios/file_kind.h"

enum grt_file_kind grt_file_kind_of(const cJSON *tree) {
    bool tasks = grt_json_find(tree, "tasks") != NULL, gpurt = grt_json_find(tree, "gpurt") != NULL;
    if (grt_json_find(tree, "gpurt_experiment") != NULL) {
        return GRT_FILE_EXPERIMENT;
    }
    if (grt_json_find(tree, "gpurt_usage") != NULL) {
        return GRT_FILE_USAGE;
    }
    if (grt_json_find(tree, "gpurt_kernels") != NULL) {
        return GRT_FILE_KERNELS;
    }
    if (grt_json_find(tree, "sm_count") != NULL && !tasks && !gpurt) {
        return GRT_FILE_DEVICE;
    }
    if (cJSON_IsArray(grt_json_find(tree, "networks")) && !tasks) {
        return GRT_FILE_NETWORKS;
    }
    return tasks ? GRT_FILE_SCENARIO : GRT_FILE_UNKNOWN;
}

enum grt_file_kind grt_file_kind_of_text(const char *text, size_t size) {
    struct grt_errors errors = {0};
    cJSON *tree = grt_json_parse(text, size, &errors);
    enum grt_file_kind kind = tree != NULL ? grt_file_kind_of(tree) : GRT_FILE_UNKNOWN;
    cJSON_Delete(tree);
    grt_errors_clear(&errors);
    return kind;
}

const char *grt_file_kind_sentence(enum grt_file_kind kind) {
    static const char *const sentences[] = {
        [GRT_FILE_SCENARIO] = "this is a scenario; `gpurt run` simulates it",
        [GRT_FILE_DEVICE] = "this is a device file; name it as the \"device\" of a scenario",
        [GRT_FILE_USAGE] = "this is a usage file; name it as the \"usage\" of a scenario's kernel",
        [GRT_FILE_KERNELS] = "this is a kernel file; name it as the \"kernels\" of a scenario",
        [GRT_FILE_NETWORKS] = "this is a file of networks; name it as the \"networks\" of a scenario",
        [GRT_FILE_EXPERIMENT] = "this is an experiment; `gpurt sweep` runs it",
    };
    return sentences[kind];
}

bool grt_file_kind_check(const cJSON *tree, enum grt_file_kind wanted, struct grt_errors *errors) {
    enum grt_file_kind kind = grt_file_kind_of(tree);
    if (kind != wanted && kind != GRT_FILE_UNKNOWN) {
        grt_error_add(errors, NULL, "%s", grt_file_kind_sentence(kind));
        return false;
    }
    return true;
}
