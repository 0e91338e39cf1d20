/* Standard error for what others write of arguments: as a terminal can show it. */
#ifndef GRT_CLI_TERMINAL_SHOWN_STREAM_H
#define GRT_CLI_TERMINAL_SHOWN_STREAM_H

#include <stdio.h>

/* A stream whose lines go to standard error as grt_utf8_shown (sim/utf8.h) makes them; the caller closes it, or exit does. */
FILE *grt_shown_stream(void);

#endif
