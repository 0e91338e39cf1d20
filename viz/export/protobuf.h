/* Messages of Protocol Buffers, written by hand: https://protobuf.dev/programming-guides/encoding/. A message is made in
 * memory of known size and then put into the one around it. */
#ifndef GRT_VIZ_EXPORT_PROTOBUF_H
#define GRT_VIZ_EXPORT_PROTOBUF_H

#include <stdint.h>
#include <string.h>

/* How a field is written. */
enum grt_protobuf_wire { GRT_WIRE_VARINT = 0, GRT_WIRE_FIXED64 = 1, GRT_WIRE_LENGTH = 2 };

/* Most bytes of a tag (of fields up to 2047) and of a number. */
enum { GRT_PROTOBUF_TAG = 2, GRT_PROTOBUF_VARINT = 10 };

/* Each function writes at `at` and returns what follows. */
static inline unsigned char *grt_protobuf_varint(unsigned char *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        *at++ = (unsigned char)(value | 0x80);
    }
    *at++ = (unsigned char)value;
    return at;
}

static inline unsigned char *grt_protobuf_tag(unsigned char *at, uint32_t field,
                                              enum grt_protobuf_wire wire) {
    return grt_protobuf_varint(at, field << 3 | (uint32_t)wire);
}

static inline unsigned char *grt_protobuf_number(unsigned char *at, uint32_t field, uint64_t value) {
    return grt_protobuf_varint(grt_protobuf_tag(at, field, GRT_WIRE_VARINT), value);
}

static inline unsigned char *grt_protobuf_fixed64(unsigned char *at, uint32_t field, uint64_t value) {
    at = grt_protobuf_tag(at, field, GRT_WIRE_FIXED64);
    for (int shift = 0; shift < 64; shift += 8) {
        *at++ = (unsigned char)(value >> shift);
    }
    return at;
}

static inline unsigned char *grt_protobuf_bytes(unsigned char *at, uint32_t field, const void *bytes,
                                                size_t size) {
    at = grt_protobuf_varint(grt_protobuf_tag(at, field, GRT_WIRE_LENGTH), size);
    memcpy(at, bytes, size);
    return at + size;
}

#endif
