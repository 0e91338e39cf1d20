/* The table of the parameters of `tdm` for whoever reads them from a file. Whose parameters are described by this table has a
 * struct tdm_parameters. */
#ifndef GRT_POLICIES_TDM_RECORD_H
#define GRT_POLICIES_TDM_RECORD_H

#include "policies/tdm/tdm.h"
#include "sim/field.h"

extern const struct grt_record tdm_parameters_record;

/* With these every task set is run, and nothing is guaranteed. */
extern const struct tdm_parameters tdm_permissive;

#endif
