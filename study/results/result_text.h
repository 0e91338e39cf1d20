/* Texts of experiments, which may come from file names and command lines, as CSV and JSON take them. */
#ifndef GRT_STUDY_RESULTS_RESULT_TEXT_H
#define GRT_STUDY_RESULTS_RESULT_TEXT_H

/* The text as UTF-8: bytes that are none, and control characters but those of `kept` (NULL: all are kept), become "\xNN", which is for people and not read back.
 * To be freed with free. */
char *grt_result_text(const char *text, const char *kept);

#endif
