/* How the parameters of PRUDA's policies are described; apart from parameters.h, which analyses include. */
#ifndef GRT_POLICIES_PRUDA_RECORDS_H
#define GRT_POLICIES_PRUDA_RECORDS_H

#include "policies/pruda/parameters.h"

extern const struct grt_record pruda_single_record, pruda_multi_record, pruda_sm_record;

/* Takes GPUs with one level of priority, too. */
extern const struct pruda_parameters pruda_multi_permissive;

#endif
