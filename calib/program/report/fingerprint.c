#include "calib/program/report/fingerprint.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/device_write.h"
#include "calib/program/files/fit_write.h"
#include "calib/program/files/kernels_write.h"

char *grt_file_bytes(const char *path, size_t *size, struct grt_arena *arena, struct grt_errors *errors) {
    enum { PART = 1 << 16 };
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    uint32_t used = 0, capacity = 0;
    bool good = file != NULL;
    for (size_t got = 1; good && got > 0; used += (uint32_t)got) {
        bytes = grt_array_grow(bytes, &capacity, used + PART, 1);
        got = fread(bytes + used, 1, PART, file);
        good = ferror(file) == 0;
    }
    if (!good) {
        grt_error_add(errors, NULL, "%s: cannot be read: %s", path, strerror(errno));
    }
    char *copy = good ? grt_arena_array(arena, used + 1, 1) : NULL;
    if (good) {
        memcpy(copy, bytes, used);
        copy[used] = '\0';
        *size = used;
    }
    if (file != NULL) {
        fclose(file);
    }
    free(bytes);
    return copy;
}

/* Where the raw file was when it was read is no difference. */
static void forget_place(cJSON *tree) {
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "measured"), "raw_file");
}

static char *written_again(const struct grt_fit *fit, const cJSON *tree) {
    struct grt_errors errors = {0};
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(tree, "name"),
                *device = cJSON_GetObjectItemCaseSensitive(tree, "device");
    char *text = NULL;
    if (cJSON_HasObjectItem(tree, "gpurt_device")) {
        text = grt_device_file_text(fit, cJSON_GetStringValue(name), &errors);
    } else if (cJSON_HasObjectItem(tree, "gpurt_kernels")) {
        text = grt_kernel_file_text(fit, cJSON_GetStringValue(device), &errors);
    } else if (cJSON_HasObjectItem(tree, "gpurt_fit")) {
        text = grt_fit_text_of(fit);
    }
    grt_errors_clear(&errors);
    return text;
}

const char *grt_file_verdict(const struct grt_fit *fit, const char *text) {
    cJSON *tree = cJSON_Parse(text);
    char *again = tree != NULL ? written_again(fit, tree) : NULL;
    cJSON *wanted = again != NULL ? cJSON_Parse(again) : NULL;
    const char *verdict = "";
    if (wanted != NULL) {
        forget_place(tree);
        forget_place(wanted);
        verdict = cJSON_Compare(tree, wanted, true)
                      ? "what `fit` writes of this raw file"
                      : "**not** what `fit` writes of this raw file: it was changed, or made with other "
                        "options, of another file or by another version";
    }
    cJSON_Delete(tree);
    cJSON_Delete(wanted);
    free(again);
    return verdict;
}
