/* The name under which messages of what ends a program are written: a failed check (sim/check.h), no memory left (sim/memory.h), a crash
 * (sim/crash.h). */
#ifndef GRT_SIM_PROGRAM_NAME_H
#define GRT_SIM_PROGRAM_NAME_H

/* Once per program, before anything else; `name` stays until the process ends. A program that embeds gpurt needs not: what is wrong is
 * gpurt's, and then said under that name. */
void grt_program_set_name(const char *name);

/* "gpurt-view"; "gpurt" as long as nobody has said another one. */
const char *grt_program_name(void);

#endif
