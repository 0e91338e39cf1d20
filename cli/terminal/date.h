/* The present date, for what programs write of themselves. */
#ifndef GRT_CLI_TERMINAL_DATE_H
#define GRT_CLI_TERMINAL_DATE_H

enum { GRT_DATE_SIZE = 32 };

/* Now, in UTC, as in ISO 8601: "2026-11-23T02:31:00Z". Returns `text`. */
const char *grt_date_text(char text[GRT_DATE_SIZE]);

#endif
