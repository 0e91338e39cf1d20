/* How signals end what takes long: the first one asks it to end cleanly, another one ends the program. */
#ifndef GRT_CLI_TERMINAL_INTERRUPTION_H
#define GRT_CLI_TERMINAL_INTERRUPTION_H

#include <signal.h>
#include <stdbool.h>

enum { GRT_INTERRUPTION_SIGNALS = 3 };

struct grt_interruption {
    struct sigaction before[GRT_INTERRUPTION_SIGNALS]; /* what signals did before */
};

/* Has SIGINT, SIGTERM and SIGHUP ask for an end. Once the user was told, and half a second later, another one ends the program. */
void grt_interruption_start(struct grt_interruption *interruption);

/* Whether one has come. */
bool grt_interruption_came(void);

/* Says that the user is told of it now; true the first time. */
bool grt_interruption_tell(void);

/* Has signals do what they did before, if none came. */
void grt_interruption_end(const struct grt_interruption *interruption);

#endif
