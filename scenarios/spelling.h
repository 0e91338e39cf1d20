/* "Did you mean": the known word that is closest to a misspelt one. */
#ifndef GRT_SCENARIOS_SPELLING_H
#define GRT_SCENARIOS_SPELLING_H

/* A search in progress. Start it with grt_guess_start, offer candidates, then read `best`. */
struct grt_guess {
    const char *word;
    const char *best; /* the closest candidate so far, the first of equals; NULL: none is close */
    int distance;     /* its distance; below it the next candidate has to be */
};

struct grt_guess grt_guess_start(const char *word);

/* Offers a candidate. Distance counts insertions, deletions, replacements and swaps of neighbours; a third of the
 * word's length, but no more than 3, is close, and of two letters one. Nothing but other case is a distance of 1. Words of 1 or of more than
 * 64 bytes are close to nothing. The first candidate that has the word behind a "-" is taken where none is close: "np-edf" for "edf". */
void grt_guess_try(struct grt_guess *guess, const char *candidate);

/* Writes " (did you mean \"<best>\"?)" or nothing; returns `text`. */
#define GRT_GUESS_TEXT_SIZE 96
char *grt_guess_text(const struct grt_guess *guess, char text[GRT_GUESS_TEXT_SIZE]);

#endif
