/* Fingerprints of files: the examples of FIPS 180-4 (NIST, "Examples with Intermediate Values", SHA256), and every length around a block's end. */
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/sha256.h"
#include "tests/support/suite.h"

static void published_examples(void) {
    static const struct {
        const char *text, *hash;
    } examples[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char text[GRT_SHA256_TEXT_SIZE];
        CU_ASSERT_STRING_EQUAL(grt_sha256_text(examples[i].text, strlen(examples[i].text), text),
                               examples[i].hash);
    }
}

static void a_million_letters(void) {
    enum { COUNT = 1000000 };
    char *letters = malloc(COUNT), text[GRT_SHA256_TEXT_SIZE];
    CU_ASSERT_PTR_NOT_NULL_FATAL(letters);
    memset(letters, 'a', COUNT);
    CU_ASSERT_STRING_EQUAL(grt_sha256_text(letters, COUNT, text),
                           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(letters);
}

/* The hashes of 0 to 130 letters "a", one after the other, hashed. */
static void all_lengths_around_blocks(void) {
    enum { MOST = 130 };
    char letters[MOST], text[GRT_SHA256_TEXT_SIZE], all[(MOST + 1) * (GRT_SHA256_TEXT_SIZE - 1) + 1];
    memset(letters, 'a', sizeof letters);
    for (size_t i = 0; i <= MOST; i++) {
        grt_sha256_text(letters, i, all + i * (GRT_SHA256_TEXT_SIZE - 1));
    }
    CU_ASSERT_STRING_EQUAL(grt_sha256_text(all, sizeof all - 1, text),
                           "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"published examples", published_examples},
        {"a million letters", a_million_letters},
        {"all lengths around blocks", all_lengths_around_blocks},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("SHA-256", tests);
}
