/* The fingerprint of a file by which people know it again: SHA-256 (FIPS 180-4, Secure Hash Standard, NIST 2015), as sha256sum prints it. */
#ifndef GRT_CLI_TERMINAL_SHA256_H
#define GRT_CLI_TERMINAL_SHA256_H

#include <stddef.h>

/* 64 digits and the end. */
enum { GRT_SHA256_TEXT_SIZE = 65 };

/* Of so many bytes, in hexadecimal. Returns `text`. */
const char *grt_sha256_text(const void *bytes, size_t size, char text[GRT_SHA256_TEXT_SIZE]);

#endif
