/* What `gpurt verify` found, as tables for people and as JSON for programs (docs/verify.md has its keys). */
#ifndef GRT_CLI_VERIFY_REPORT_H
#define GRT_CLI_VERIFY_REPORT_H

#include <stdio.h>

#include "cli/terminal/options.h"
#include "verify/campaign.h"

/* A campaign and what became of its first violation. */
struct grt_verify_report {
    const struct grt_campaign *campaign;
    const char *stop;                  /* "patterns", "time" or "interrupt" */
    const char *reproduction;          /* the file that shows the first violation; NULL: none was written */
    const struct grt_pattern *shrunk;  /* what is in it */
    const struct grt_violation *shown; /* and what that shows */
    uint64_t plays;                    /* simulations for it */
    bool keeps_claim;                  /* see verify/shrink.h */
};

void grt_verify_report_tables(const struct grt_verify_report *report, const struct grt_style *style,
                              FILE *out);

/* The violations alone. */
void grt_verify_report_violations(const struct grt_verify_report *report, const struct grt_style *style,
                                  FILE *out);

/* A JSON object, to be freed with free. */
char *grt_verify_report_json(const struct grt_verify_report *report);

/* The verdict in a word: "schedulable", "unschedulable", "unknown", "inapplicable". */
const char *grt_verify_verdict(enum grt_verdict verdict);

/* Why a claim could not be held against the simulations, as a clause; NULL where it was. `witness`: what became of its witness. */
const char *grt_verify_unchecked(const struct grt_claim *claim, const struct grt_campaign_witness *witness);

#endif
