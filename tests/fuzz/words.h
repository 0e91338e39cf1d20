/* The words of gpurt's files: names of fields and of choices, by their JSON Schemas, and columns of samples, so that they are always those that there are. */
#ifndef GRT_TESTS_FUZZ_WORDS_H
#define GRT_TESTS_FUZZ_WORDS_H

#include <stddef.h>

/* The words, ascending, each once; *count of them. They stay as long as the program. */
const char *const *fuzz_words(size_t *count);

#endif
