#include <argp.h>
#include <string.h>

#include "calib/program/backend.h"
#include "calib/program/command.h"
#include "cli/terminal/options.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/text_table.h"
#include "sim/unit.h"

struct list {
    struct grt_backend_options backend;
    struct grt_style style;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct list *list = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &list->backend;
        state->child_inputs[1] = &list->style;
        return 0;
    case ARGP_KEY_ARG:
        grt_argp_error(state, "takes no arguments (got '%s')", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&grt_backend_argp, 0, NULL, 0}, {&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_list_argp = {
    .parser = parse_option,
    .children = children,
    .doc = "Lists the devices that can be measured: those of the CUDA driver, or a pretended one."
           "\v"
           "Examples:\n"
           "  gpurt-calib list\n"
           "  gpurt-calib list --backend=sim --pretend=jetson-tx2\n"
           "\n" GRT_EXIT_DEVICE_HELP};

static int attribute(const struct grt_cuda *cuda, enum grt_cuda_attribute number, grt_cuda_device device) {
    int value = 0;
    return cuda->cuDeviceGetAttribute(&value, (int)number, device) == GRT_CUDA_SUCCESS ? value : 0;
}

/* Adds the row of a device; its error where it does not answer. */
static void add_device(const struct grt_driver *driver, int ordinal, struct grt_table *table,
                       struct grt_errors *errors) {
    const struct grt_cuda *cuda = &driver->cuda;
    grt_cuda_device device = 0;
    char name[128] = "", bus[64] = "", size[GRT_UNIT_TEXT_SIZE];
    size_t bytes = 0;
    grt_cuda_result result = cuda->cuDeviceGet(&device, ordinal);
    result = result == GRT_CUDA_SUCCESS ? cuda->cuDeviceGetName(name, sizeof name, device) : result;
    result = result == GRT_CUDA_SUCCESS ? cuda->cuDeviceTotalMem_v2(&bytes, device) : result;
    if (result != GRT_CUDA_SUCCESS) {
        grt_driver_error(driver, result, grt_format(table->arena, "device %d", ordinal), errors);
        return;
    }
    if (cuda->cuDeviceGetPCIBusId(bus, sizeof bus, device) != GRT_CUDA_SUCCESS) {
        bus[0] = '\0';
    }
    grt_table_add(table, "%d", ordinal);
    grt_table_add(table, "%s", name);
    grt_table_add(table, "%d.%d", attribute(cuda, GRT_CUDA_COMPUTE_CAPABILITY_MAJOR, device),
                  attribute(cuda, GRT_CUDA_COMPUTE_CAPABILITY_MINOR, device));
    grt_table_add(table, "%d", attribute(cuda, GRT_CUDA_MULTIPROCESSOR_COUNT, device));
    grt_table_add(table, "%s", grt_unit_text(GRT_QUANTITY_SIZE, (int64_t)(bytes >> 20 << 20), size));
    grt_table_add(table, "%s", bus[0] != '\0' ? bus : "-");
}

static bool print_devices(const struct list *list, const struct grt_driver *driver,
                          struct grt_errors *errors) {
    static const struct grt_table_column columns[] = {{"", "device", GRT_TEXT_RIGHT, false},
                                                      {"", "name", GRT_TEXT_LEFT, false},
                                                      {"compute", "capability", GRT_TEXT_RIGHT, false},
                                                      {"", "SMs", GRT_TEXT_RIGHT, false},
                                                      {"", "memory", GRT_TEXT_RIGHT, false},
                                                      {"", "PCI", GRT_TEXT_LEFT, false}};
    int count = 0, version = 0;
    grt_cuda_result result = driver->cuda.cuDeviceGetCount(&count);
    if (result != GRT_CUDA_SUCCESS) {
        grt_driver_error(driver, result, "counting the devices", errors);
        return false;
    }
    if (driver->cuda.cuDriverGetVersion(&version) == GRT_CUDA_SUCCESS) {
        printf("%s driver, CUDA %d.%d%s%s\n", driver->name, version / 1000, version % 1000 / 10,
               driver->path[0] != '\0' ? ", " : "", driver->path);
    }
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(&table, columns[i]);
    }
    for (int i = 0; i < count; i++) {
        if (!list->backend.has_device || i == list->backend.device) {
            add_device(driver, i, &table, errors);
        }
    }
    grt_table_print(&table, &list->style, stdout);
    grt_table_free(&table);
    grt_arena_clear(&arena);
    return errors->count == 0;
}

enum grt_exit grt_calib_list(int argc, char **argv) {
    struct list list = {.style = grt_style_default()};
    struct grt_errors errors = {0};
    struct grt_backend backend = {0};
    grt_options_parse(&grt_calib_list_argp, argc, argv, &list);
    enum grt_exit result = grt_backend_open(&list.backend, &backend, &errors);
    if (result == GRT_EXIT_DONE && !print_devices(&list, &backend.driver, &errors)) {
        result = GRT_EXIT_FAILED;
    }
    grt_backend_close(&backend);
    grt_print_errors(&errors, NULL);
    return result;
}
