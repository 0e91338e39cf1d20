/* How the parameters of `gpu-server` are described; apart from server.h, which analyses include. */
#ifndef GRT_POLICIES_SERVER_RECORD_H
#define GRT_POLICIES_SERVER_RECORD_H

#include "policies/server/server.h"
#include "sim/field.h"

extern const struct grt_record server_parameters_record;

#endif
