/* Names of metrics as of compute capability 7.0 and later, checked against NVIDIA's list for GH100 (CUPTI 13.0, Profiler Host API). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/ncu.h"

#define COUNT(metric, text) [metric] = {text, GRT_NCU_COUNT}
#define BYTES(metric, text) [metric] = {text, GRT_NCU_BYTES}
#define PERCENT(metric, text) [metric] = {text ".avg.pct_of_peak_sustained_elapsed", GRT_NCU_PERCENT}

const struct grt_ncu_metric_kind grt_ncu_metric_kinds[GRT_NCU_METRICS] = {
    [GRT_NCU_TIME] = {"gpu__time_duration.sum", GRT_NCU_SECONDS},
    COUNT(GRT_NCU_ELAPSED_CYCLES, "gpc__cycles_elapsed.max"),
    COUNT(GRT_NCU_ACTIVE_CYCLES, "sm__cycles_active.sum"),
    COUNT(GRT_NCU_ACTIVE_AVERAGE, "sm__cycles_active.avg"),
    COUNT(GRT_NCU_INSTRUCTIONS, "smsp__inst_executed.sum"),
    COUNT(GRT_NCU_SM_INSTRUCTIONS, "sm__inst_executed.sum"),
    COUNT(GRT_NCU_WARPS, "sm__warps_active.sum"),
    COUNT(GRT_NCU_L2_READ, "lts__t_sectors_op_read.sum"),
    COUNT(GRT_NCU_L2_WRITE, "lts__t_sectors_op_write.sum"),
    COUNT(GRT_NCU_L2_ATOMIC, "lts__t_sectors_op_atom.sum"),
    COUNT(GRT_NCU_L2_REDUCTION, "lts__t_sectors_op_red.sum"),
    COUNT(GRT_NCU_GLOBAL_LOAD, "smsp__inst_executed_op_global_ld.sum"),
    COUNT(GRT_NCU_GLOBAL_STORE, "smsp__inst_executed_op_global_st.sum"),
    COUNT(GRT_NCU_GLOBAL_LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    COUNT(GRT_NCU_GLOBAL_STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    COUNT(GRT_NCU_SHARED_LOAD, "smsp__inst_executed_op_shared_ld.sum"),
    COUNT(GRT_NCU_SHARED_STORE, "smsp__inst_executed_op_shared_st.sum"),
    COUNT(GRT_NCU_SHARED_LOAD_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    COUNT(GRT_NCU_SHARED_STORE_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    COUNT(GRT_NCU_SHARED_LOAD_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
    COUNT(GRT_NCU_SHARED_STORE_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"),
    COUNT(GRT_NCU_TEXTURE, "smsp__inst_executed_op_texture.sum"),
    COUNT(GRT_NCU_TEXTURE_REQUESTS, "l1tex__t_requests_pipe_tex_mem_texture.sum"),
    BYTES(GRT_NCU_DRAM_BYTES, "dram__bytes.sum"),
    BYTES(GRT_NCU_DRAM_READ_BYTES, "dram__bytes_read.sum"),
    BYTES(GRT_NCU_DRAM_WRITE_BYTES, "dram__bytes_write.sum"),
    COUNT(GRT_NCU_DRAM_READ_SECTORS, "dram__sectors_read.sum"),
    COUNT(GRT_NCU_DRAM_WRITE_SECTORS, "dram__sectors_write.sum"),
    PERCENT(GRT_NCU_SM_PERCENT, "smsp__inst_executed"),
    PERCENT(GRT_NCU_L2_PERCENT, "lts__t_sectors"),
    PERCENT(GRT_NCU_DRAM_PERCENT, "dram__throughput"),
    PERCENT(GRT_NCU_SHARED_PERCENT, "l1tex__data_pipe_lsu_wavefronts_mem_shared"),
};

/* Units by their dimension, with their size; ncu's prefixes are decimal. */
static const struct {
    enum grt_ncu_dimension dimension;
    const char *name;
    double size;
} units[] = {
    {GRT_NCU_SECONDS, "second", 1},
    {GRT_NCU_SECONDS, "s", 1},
    {GRT_NCU_SECONDS, "msecond", 1e-3},
    {GRT_NCU_SECONDS, "ms", 1e-3},
    {GRT_NCU_SECONDS, "usecond", 1e-6},
    {GRT_NCU_SECONDS, "us", 1e-6},
    {GRT_NCU_SECONDS, "nsecond", 1e-9},
    {GRT_NCU_SECONDS, "ns", 1e-9},
    {GRT_NCU_BYTES, "byte", 1},
    {GRT_NCU_BYTES, "", 1},
    {GRT_NCU_BYTES, "B", 1},
    {GRT_NCU_BYTES, "Kbyte", 1e3},
    {GRT_NCU_BYTES, "KB", 1e3},
    {GRT_NCU_BYTES, "Mbyte", 1e6},
    {GRT_NCU_BYTES, "MB", 1e6},
    {GRT_NCU_BYTES, "Gbyte", 1e9},
    {GRT_NCU_BYTES, "GB", 1e9},
    {GRT_NCU_BYTES, "Tbyte", 1e12},
    {GRT_NCU_BYTES, "TB", 1e12},
    {GRT_NCU_PERCENT, "%", 1},
    {GRT_NCU_PERCENT, "", 1},
    {GRT_NCU_COUNT, "", 1},
};

/* What is counted one by one, and may have a prefix. */
static const char *const counted[] = {"inst", "sector", "warp", "cycle", "request", "wavefront", "block"};

static double prefix_of(char letter) {
    return letter == 'K' ? 1e3 : letter == 'M' ? 1e6 : letter == 'G' ? 1e9 : letter == 'T' ? 1e12 : 0;
}

/* 0: not a unit of that dimension. */
static double unit_size(const char *unit, enum grt_ncu_dimension dimension) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].dimension == dimension && strcmp(units[i].name, unit) == 0) {
            return units[i].size;
        }
    }
    for (size_t i = 0; dimension == GRT_NCU_COUNT && i < sizeof counted / sizeof counted[0]; i++) {
        if (strcmp(unit, counted[i]) == 0) {
            return 1;
        }
        if (unit[0] != '\0' && strcmp(unit + 1, counted[i]) == 0) {
            return prefix_of(unit[0]);
        }
    }
    return 0;
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Digits, in groups of three where there are commas. NULL: they are not. */
static const char *skip_whole(const char *at) {
    const char *start = at;
    while (is_digit(*at)) {
        at++;
    }
    if (*at != ',') {
        return at > start ? at : NULL;
    }
    if (at == start || at - start > 3) {
        return NULL;
    }
    while (*at == ',') {
        if (!is_digit(at[1]) || !is_digit(at[2]) || !is_digit(at[3]) || is_digit(at[4])) {
            return NULL;
        }
        at += 4;
    }
    return at;
}

static const char *skip_fraction(const char *at) {
    if (*at != '.') {
        return at;
    }
    for (at++; is_digit(*at); at++) {
    }
    return at;
}

static const char *skip_exponent(const char *at) {
    if (*at != 'e' && *at != 'E') {
        return at;
    }
    at += at[1] == '+' || at[1] == '-' ? 2 : 1;
    if (!is_digit(*at)) {
        return NULL;
    }
    while (is_digit(*at)) {
        at++;
    }
    return at;
}

/* The number without its commas; false: it is none. */
static bool parse(const char *text, double *value) {
    char plain[64];
    size_t used = 0;
    const char *end = skip_whole(text);
    end = end != NULL ? skip_exponent(skip_fraction(end)) : NULL;
    if (end == NULL || *end != '\0' || strlen(text) >= sizeof plain) {
        return false;
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != ',') {
            plain[used++] = *at;
        }
    }
    plain[used] = '\0';
    *value = strtod(plain, NULL);
    return isfinite(*value);
}

bool grt_ncu_number(const char *value, const char *unit, enum grt_ncu_dimension dimension, double *out,
                    struct grt_errors *errors, const struct grt_path *path) {
    static const char *const wanted[] = {
        [GRT_NCU_SECONDS] = "a unit of time such as nsecond",
        [GRT_NCU_COUNT] = "something that is counted, such as inst",
        [GRT_NCU_BYTES] = "a unit of size such as byte",
        [GRT_NCU_PERCENT] = "%",
    };
    double number = 0, size = unit_size(unit, dimension);
    if (!parse(value, &number)) {
        grt_error_add(errors, path,
                      "\"%.40s\" is not a number as the C locale has it (1,234.5): run ncu with LC_ALL=C",
                      value);
        return false;
    }
    if (size == 0) {
        grt_error_add(errors, path, "the unit \"%.40s\" is not %s", unit, wanted[dimension]);
        return false;
    }
    *out = number * size;
    if (*out > 1e18) {
        grt_error_add(errors, path, "%.40s %.40s is more than any GPU does", value, unit);
        return false;
    }
    return true;
}
