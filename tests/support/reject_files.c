#include "tests/support/reject_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cunit.h"
#include "tests/support/file_text.h"

char *grt_reject_messages(const struct grt_errors *errors) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    grt_errors_print(errors, out, "");
    fclose(out);
    return text;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs(text, file) >= 0);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* `name` without its ending ".json". */
static void check_file(const char *folder, const char *name, int length, grt_reject_reader read) {
    char json[512], expected_path[512];
    snprintf(json, sizeof json, "%s/%.*s.json", folder, length, name);
    snprintf(expected_path, sizeof expected_path, "%s/%.*s.txt", folder, length, name);
    struct grt_errors errors = {0};
    bool accepted = read(json, &errors);
    char *messages = grt_reject_messages(&errors);
    if (getenv("GRT_UPDATE") != NULL) {
        write_text(expected_path, messages);
    }
    size_t size;
    char *expected = grt_file_text(expected_path, &size);
    bool same = expected != NULL && strcmp(expected, messages) == 0;
    if (accepted || !same) {
        printf("\n    %s: %s\n%s    instead of\n%s", json, accepted ? "accepted" : "refused with", messages,
               expected != NULL ? expected : "(no .txt)");
    }
    CU_ASSERT_FALSE(accepted);
    CU_ASSERT_TRUE(same);
    free(messages);
    free(expected);
    grt_errors_clear(&errors);
}

int grt_reject_files(const char *folder, grt_reject_reader read) {
    DIR *entries = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entries);
    int count = 0;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0) {
            check_file(folder, entry->d_name, (int)length - 5, read);
            count++;
        }
    }
    closedir(entries);
    return count;
}
