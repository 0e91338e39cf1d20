/* How the parameters of `gpu-server` are described; apart from parameters.h, which analyses include. */
#ifndef GRT_POLICIES_LOCKS_SERVER_H
#define GRT_POLICIES_LOCKS_SERVER_H

#include "policies/locks/parameters.h"
#include "sim/field.h"
#include "sim/time.h"

extern const struct grt_record server_parameters_record;

/* A server that costs nothing. */
extern const struct grt_server_parameters server_permissive;

#endif
