#include "tests/bench/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sim/output.h"
#include "sim/trace_file.h"
#include "tests/bench/block_maker.h"

static bool has_room(const char *folder, uint64_t bytes) {
    struct statvfs room;
    return statvfs(folder, &room) == 0 && (uint64_t)room.f_bavail * room.f_frsize > 2 * bytes;
}

static bool write_blocks(int fd, uint64_t blocks) {
    static struct grt_trace_record lot[GRT_TRACE_LOT];
    struct block_maker maker;
    bool good = true;
    block_maker_start(&maker, BLOCK_MAKER_SMS);
    for (uint64_t left = blocks; left > 0 && good;) {
        size_t count = left < GRT_TRACE_LOT ? (size_t)left : GRT_TRACE_LOT;
        for (size_t i = 0; i < count; i++) {
            lot[i] = block_maker_next(&maker);
        }
        good = write(fd, lot, count * sizeof lot[0]) == (ssize_t)(count * sizeof lot[0]);
        left -= count;
    }
    block_maker_free(&maker);
    return good;
}

/* The header comes from the sink that writes trace files, the records straight from their maker. */
static bool write_file(const char *path, uint64_t blocks) {
    struct grt_errors errors = {0};
    size_t name_count;
    const struct grt_trace_name *names = block_maker_names(BLOCK_MAKER_SMS, &name_count);
    struct grt_output *output = grt_output_open(path, &errors);
    bool good = output != NULL && grt_trace_file_sink.names(output, names, name_count);
    good = output != NULL && grt_output_close(output, &errors) && good;
    int fd = good ? open(path, O_WRONLY | O_APPEND) : -1;
    good = fd >= 0 && write_blocks(fd, blocks);
    if (fd >= 0) {
        good = close(fd) == 0 && good;
    }
    grt_errors_print(&errors, stderr, "gpurt-bench: ");
    grt_errors_clear(&errors);
    return good;
}

bool block_file_write(char *path, size_t size, uint64_t blocks) {
    const char *given = getenv("TMPDIR"), *folder = given != NULL ? given : "/tmp";
    uint64_t bytes = blocks * sizeof(struct grt_trace_record);
    snprintf(path, size, "%s/gpurt-bench-%ld.trc", folder, (long)getpid());
    if (!has_room(folder, bytes)) {
        printf("left out, because %s has no room for a trace of %" PRIu64 " MB\n", folder, bytes / 1000000);
        return false;
    }
    if (!write_file(path, blocks)) {
        printf("left out, because %s cannot be written: %s\n", path, strerror(errno));
        remove(path);
        return false;
    }
    return true;
}
