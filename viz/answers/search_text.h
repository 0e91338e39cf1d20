/* Reading what a person types into the field of the search. */
#ifndef GRT_VIZ_ANSWERS_SEARCH_TEXT_H
#define GRT_VIZ_ANSWERS_SEARCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a name contains a part that is not empty; ASCII letters of either case are equal, other bytes only if they are. */
bool grt_search_contains(const char *name, const char *part);

/* A copy without the blanks at both ends, which the caller frees. */
char *grt_search_trimmed(const char *text, size_t length);

/* "NAME 12", "NAME#12", "#12": whether the text, without blanks around it, ends in a number that is marked as a job's; how long
 * NAME is, and the number, or UINT64_MAX if it is larger than a job's can be. */
bool grt_search_job_form(const char *text, size_t *name_length, uint64_t *job);

#endif
