#include "cli/terminal/date.h"

#include <time.h>

const char *grt_date_text(char text[GRT_DATE_SIZE]) {
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, GRT_DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}
