#include "cli/sweep/ranks_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool is_above_one(const char *variable) {
    const char *text = getenv(variable);
    return text != NULL && strtoul(text, NULL, 10) > 1;
}

/* Open MPI, MPICH and its relatives, and Slurm's srun --mpi=pmix say so in the environment. */
static bool is_launched(void) {
    return is_above_one("OMPI_COMM_WORLD_SIZE") || is_above_one("PMI_SIZE") ||
           (getenv("PMIX_RANK") != NULL && is_above_one("SLURM_NTASKS"));
}

/* The folder of the program, with its last "/"; "" where that is not known. */
static void find_folder(char folder[PATH_SIZE]) {
    ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
}

/* Global: Open MPI loads parts of itself, which look for its symbols. */
static void *open_library(char reason[PATH_SIZE]) {
    static const char *const places[] = {"", "../lib/gpurt/", "../lib64/gpurt/", GRT_LIBRARY_PLACE};
    char folder[PATH_SIZE], path[2 * PATH_SIZE];
    find_folder(folder);
    snprintf(reason, PATH_SIZE, "gpurt-mpi.so is not there");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%sgpurt-mpi.so", folder, places[i]);
        if (access(path, F_OK) == 0) {
            void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
            if (library == NULL) {
                snprintf(reason, PATH_SIZE, "%s", dlerror());
            }
            return library;
        }
    }
    return NULL;
}

static bool join(struct grt_loaded_ranks *loaded, char reason[PATH_SIZE]) {
    loaded->library = open_library(reason);
    if (loaded->library == NULL) {
        return false;
    }
    const struct grt_ranks_module *module = dlsym(loaded->library, "grt_ranks_module");
    if (module == NULL || strcmp(module->version, GRT_VERSION) != 0) {
        snprintf(reason, PATH_SIZE, "gpurt-mpi.so is of another version of gpurt");
        return false;
    }
    if (!module->open(&loaded->ranks, reason, PATH_SIZE)) {
        return false;
    }
    loaded->module = module;
    return true;
}

bool grt_ranks_load(struct grt_loaded_ranks *loaded, struct grt_errors *errors) {
    char reason[PATH_SIZE];
    *loaded = (struct grt_loaded_ranks){0};
    if (is_launched() && !join(loaded, reason)) {
        grt_error_add(errors, NULL, "started by a launcher of MPI, but cannot join the other processes: %s",
                      reason);
        return false;
    }
    return true;
}

const struct grt_ranks *grt_ranks_loaded(const struct grt_loaded_ranks *loaded) {
    return loaded->module != NULL && loaded->ranks.count > 1 ? &loaded->ranks : NULL;
}

/* The library stays: MPI may have left threads of its own. */
void grt_ranks_unload(struct grt_loaded_ranks *loaded) {
    if (loaded->module != NULL) {
        loaded->module->close(&loaded->ranks);
        loaded->module = NULL;
    }
}
