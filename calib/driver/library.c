#include "calib/driver/library.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX has dlsym return functions as data; copied, since ISO C has no such conversion. */
bool grt_library_find(void *library, const char *name, void *function, size_t size) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}
