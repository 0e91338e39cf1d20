/* Prints the words of gpurt's files as a dictionary of libFuzzer. */
#include <stdio.h>

#include "tests/fuzz/words.h"

int main(void) {
    size_t count;
    const char *const *words = fuzz_words(&count);
    for (size_t i = 0; i < count; i++) {
        printf("\"\\\"%s\\\"\"\n\"%s\"\n", words[i], words[i]); /* no word has quotes or backslashes */
    }
    return 0;
}
