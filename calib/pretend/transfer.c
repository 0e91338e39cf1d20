/* What a transfer does to memory, once it has taken its time: the same for all engines. */
#include <string.h>

#include "calib/pretend/engine.h"
#include "sim/check.h"

/* Fills memory with a value of four bytes: a first piece, which is then copied. What flushes a cache is long. */
static void fill(unsigned char *to, uint32_t value, size_t bytes) {
    GRT_REQUIRE(bytes % sizeof value == 0, "a value that fills memory is written whole");
    if (value == (value & 0xff) * UINT32_C(0x01010101)) {
        memset(to, (int)(value & 0xff), bytes);
        return;
    }
    size_t piece = bytes < 16384 ? bytes : 16384;
    for (size_t at = 0; at < piece; at += sizeof value) {
        memcpy(to + at, &value, sizeof value);
    }
    for (size_t at = piece; at < bytes; at += piece) {
        memcpy(to + at, to, bytes - at < piece ? bytes - at : piece);
    }
}

void grt_engine_move(const struct grt_engine_transfer *transfer) {
    uintptr_t to = (uintptr_t)transfer->to;
    uintptr_t from = (uintptr_t)transfer->from;
    if (transfer->kind == GRT_ENGINE_MEMSET) {
        fill(transfer->to, transfer->value, transfer->bytes);
    } else if ((to > from ? to - from : from - to) < transfer->bytes) {
        memmove(transfer->to, transfer->from, transfer->bytes);
    } else { /* the address sanitizer's memmove goes byte by byte */
        memcpy(transfer->to, transfer->from, transfer->bytes);
    }
}
