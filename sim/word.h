/* Words that files and commands know things by: names of policies, of parameters, keys of JSON. */
#ifndef GRT_SIM_WORD_H
#define GRT_SIM_WORD_H

#include <stdbool.h>

enum { GRT_WORD_LONGEST = 32 };

/* Whether a text has a letter in front, then letters, digits and `others`, all in lower case, and is not too long: "np-edf" with "-". NULL is none. */
bool grt_word_is_valid(const char *word, const char *others);

#endif
