/* The inside of the pretended driver (pretend.h): handles, memory, modules and green contexts, which are the driver's own, and the way every call takes. */
#ifndef GRT_CALIB_PRETEND_DRIVER_INTERNAL_H
#define GRT_CALIB_PRETEND_DRIVER_INTERNAL_H

#include "calib/pretend/pretend.h"

/* The functions are named as the real ones with a prefix, or, where they become a library of their own, as the real ones. */
#ifdef GRT_PRETEND_LIBRARY
#define PRETEND(name) name
#else
#define PRETEND(name) grt_pretend_##name
#endif
#define PRETEND_DECLARE(name, parameters) grt_cuda_result PRETEND(name) parameters;
GRT_CUDA_REQUIRED(PRETEND_DECLARE)
GRT_CUDA_OPTIONAL(PRETEND_DECLARE)
#undef PRETEND_DECLARE

enum pretend_kind {
    PRETEND_NOTHING,
    PRETEND_MODULE,
    PRETEND_FUNCTION,
    PRETEND_STREAM,
    PRETEND_EVENT,
    PRETEND_DESCRIPTION,
    PRETEND_GREEN,
};

/* A handle is a number that says which slot it means and how often that was used before, so that one that has ended is never taken for a new one. */
struct pretend_slot {
    enum pretend_kind kind;
    uint32_t generation;
    void *item; /* owned */
};

enum { PRETEND_SM_WORDS = GRT_DEVICE_MAX_SMS / 64 };

struct pretend_allocation {
    unsigned char *start, *memory; /* of the bytes, and of all that is to be freed */
    size_t bytes;
    bool host; /* page-locked memory of the host */
};

struct pretend_module {
    int ptx_version; /* 10 * major + minor */
    char image[];    /* PTX text */
};

struct pretend_function {
    const void *module; /* its handle */
    enum grt_kernel_id id;
    int ptx_version;
    int64_t most_dynamic; /* bytes */
    int carveout;         /* percent; changes nothing: pretended SMs always offer the largest */
};

struct pretend_stream {
    uint32_t number;   /* the engine's */
    const void *green; /* its handle; NULL: of the whole device */
};

struct pretend_event {
    uint32_t number; /* the engine's */
    bool timing, recorded;
};

struct pretend_green {
    uint64_t split;
    uint64_t sms[PRETEND_SM_WORDS];
};

struct pretend {
    const struct grt_pretend_spec *spec;
    const struct grt_engine_ops *ops;
    void *engine;
    int64_t calls;          /* that the program has made */
    grt_cuda_result broken; /* what every call returns from now on; success: nothing */
    bool initialised, current;
    uint32_t retained;
    struct pretend_slot *slots;
    uint32_t slot_count, slot_capacity;
    struct pretend_allocation *allocations;
    uint32_t allocation_count, allocation_capacity;
    int64_t device_bytes;    /* that are allocated */
    bool has_default_stream; /* the engine has made it */
    uint32_t default_stream; /* the engine's number of stream NULL */
    uint32_t *leaving;       /* streams of the engine that end once they are idle */
    uint32_t leaving_count, leaving_capacity;
    uint64_t splits; /* of the SMs */
};

/* What a call needs to be made. */
enum pretend_need { PRETEND_ANYTIME, PRETEND_INITIALISED, PRETEND_CONTEXT };

/* The start of every call: counts it, lets it take the host's time, and finds out whether it can be made. Success: *pretend is there. */
grt_cuda_result pretend_enter(enum grt_engine_call what, enum pretend_need need, struct pretend **pretend);

#define PRETEND_ENTER(pretend, what, need)                                                                   \
    struct pretend *pretend;                                                                                 \
    do {                                                                                                     \
        grt_cuda_result entered = pretend_enter(what, need, &pretend);                                       \
        if (entered != GRT_CUDA_SUCCESS) {                                                                   \
            return entered;                                                                                  \
        }                                                                                                    \
    } while (0)

/* A new handle for an item; the handle owns it. */
void *pretend_handle(struct pretend *pretend, enum pretend_kind kind, void *item);

/* The item of a handle; NULL where it is none of this kind, or has ended. */
void *pretend_find(const struct pretend *pretend, enum pretend_kind kind, const void *handle);

/* Frees the item and ends the handle, which is one of this kind. */
void pretend_end(struct pretend *pretend, enum pretend_kind kind, const void *handle);

/* Calls `each` with the handle of every item of a kind; it may end it. */
void pretend_each(struct pretend *pretend, enum pretend_kind kind,
                  void (*each)(struct pretend *pretend, void *handle, void *item, const void *argument),
                  const void *argument);

/* Whether the bytes are all in one allocation: NULL where they are not. */
const struct pretend_allocation *pretend_memory_of(const struct pretend *pretend, const void *start,
                                                   size_t bytes);
void pretend_memory_free_all(struct pretend *pretend);

/* The engine's stream of a handle, NULL being the default one; false where it is none. */
bool pretend_stream_of(struct pretend *pretend, grt_cuda_stream stream, uint32_t *number);
grt_cuda_result pretend_stream_make(struct pretend *pretend, int priority, const uint64_t *sms,
                                    const void *green, grt_cuda_stream *stream);
void pretend_stream_leave(struct pretend *pretend, uint32_t number);
void pretend_streams_end_of(struct pretend *pretend, const void *green);

/* What a block of a function needs with so much dynamic shared memory. */
struct grt_block_needs pretend_needs(const struct pretend *pretend, const struct pretend_function *function,
                                     unsigned threads, int64_t dynamic);
int pretend_most_threads(const struct pretend *pretend, const struct pretend_function *function);

/* The device's compute capability, the driver's version. */
int pretend_driver_version(const struct pretend *pretend);
bool pretend_has_groups(const struct pretend *pretend);

#endif
