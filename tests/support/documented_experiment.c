#include "tests/support/documented_experiment.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/cunit.h"
#include "tests/support/file_text.h"

char *grt_documented_experiment(void) {
    static const char fence[] = "```json\n";
    size_t size;
    char *page = grt_file_text("docs/sweeps.md", &size); /* tests run in the root of the sources */
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    char *begin = strstr(page, fence);
    CU_ASSERT_PTR_NOT_NULL_FATAL(begin);
    begin += strlen(fence);
    char *end = strstr(begin, "```");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    size_t length = (size_t)(end - begin);
    memmove(page, begin, length);
    page[length] = '\0';
    return page;
}
