#include "sim/program_name.h"

/* A failed check and a handler of signals have nothing else to know it by. */
static const char *program_name = "gpurt";

void grt_program_set_name(const char *name) {
    program_name = name;
}

const char *grt_program_name(void) {
    return program_name;
}
