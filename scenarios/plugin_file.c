/* Source: Tool Interface Standard, "Executable and Linking Format (ELF) Specification", version 1.2, 1995, book I, figures 1-3 to 1-8, 2-1. */
#include "scenarios/plugin_file.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char no_object[] = "is no shared object; `cc -shared -fPIC` makes one";
static const char cut_off[] = "is cut off: it has fewer bytes than it says";

/* Whether two files are for the same kind of machine. */
static bool is_same_machine(const ElfW(Ehdr) * a, const ElfW(Ehdr) * b) {
    return a->e_ident[EI_CLASS] == b->e_ident[EI_CLASS] && a->e_ident[EI_DATA] == b->e_ident[EI_DATA] &&
           a->e_machine == b->e_machine;
}

static bool is_for_this_machine(const ElfW(Ehdr) * head) {
    ElfW(Ehdr) own;
    FILE *in = fopen("/proc/self/exe", "rb");
    bool known = in != NULL && fread(&own, sizeof own, 1, in) == 1;
    if (in != NULL) {
        fclose(in);
    }
    return !known || is_same_machine(head, &own);
}

static bool lies_within(uint64_t size, uint64_t start, uint64_t length) {
    return start <= size && length <= size - start;
}

/* Whether all that the head and the segments name is there. The loader would map what is not, and crash where it reads it. */
static bool is_whole(FILE *in, const ElfW(Ehdr) * head, uint64_t size) {
    bool good =
        lies_within(size, head->e_shoff, (uint64_t)head->e_shnum * head->e_shentsize) &&
        lies_within(size, head->e_phoff, (uint64_t)head->e_phnum * head->e_phentsize) &&
        (head->e_phnum == 0 || head->e_phentsize == sizeof(ElfW(Phdr))) && /* else the loader refuses it */
        fseek(in, (long)head->e_phoff, SEEK_SET) == 0;
    for (uint32_t i = 0; good && i < head->e_phnum; i++) {
        ElfW(Phdr) segment;
        good = fread(&segment, sizeof segment, 1, in) == 1 &&
               (segment.p_type != PT_LOAD || lies_within(size, segment.p_offset, segment.p_filesz));
    }
    return good;
}

static const char *objection_to(FILE *in, uint64_t size) {
    ElfW(Ehdr) head;
    size_t read = fread(&head, 1, sizeof head, in);
    if (read < SELFMAG || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return no_object;
    }
    if (read < sizeof head) {
        return cut_off;
    }
    if (!is_for_this_machine(&head)) {
        return "is for another kind of machine than this gpurt";
    }
    if (head.e_type != ET_DYN) {
        return no_object;
    }
    return is_whole(in, &head, size) ? NULL : cut_off;
}

const char *grt_plugin_file_objection(const char *file) {
    struct stat about;
    if (stat(file, &about) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return S_ISDIR(about.st_mode) ? "is a folder" : "is no file";
    }
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        return strerror(errno);
    }
    const char *objection = objection_to(in, (uint64_t)about.st_size);
    fclose(in);
    return objection;
}
