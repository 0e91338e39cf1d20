/* The experiment of docs/sweeps.md. */
#ifndef GRT_TESTS_SUPPORT_DOCUMENTED_EXPERIMENT_H
#define GRT_TESTS_SUPPORT_DOCUMENTED_EXPERIMENT_H

/* Its text, to be freed. */
char *grt_documented_experiment(void);

#endif
