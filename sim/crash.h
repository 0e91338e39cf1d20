/* Crashes that say whose they are. A policy or an analysis may come from outside gpurt, and one that reads where nothing is would end the
 * program without a word. */
#ifndef GRT_SIM_CRASH_H
#define GRT_SIM_CRASH_H

#include <stddef.h>

/* For programs: sets their name (sim/program_name.h). From now on a crash writes to standard error what ran on the thread (sim/running.h),
 * as "gpurt: policy llf (./llf.so) crashed at 12.345ms: segmentation fault", or under a policy of gpurt's, where all that runs is its own,
 * "gpurt: crashed under policy np-edf at 12.345ms: ...", removes unfinished output files, and ends the program by the same signal as
 * without. That is so as a rule: what has overwritten gpurt's own memory may end the program without a word. Where nothing said that it
 * runs, or another process has sent the signal, nothing is written. Signals that somebody handles already, as sanitizers do, stay theirs.
 * Where what runs calls exit, that is written, too ("ended the program"), behind what was printed to standard output, and the program ends
 * with exit code 1. Once per program. */
void grt_crash_report(const char *program);

/* For handlers of signals that end the program, such as that of Ctrl-C: removes unfinished output files, and ends the program by that signal. A plug-in
 * that never returns is named as a rule, as "gpurt: policy mine (./mine.so) was interrupted at 12.345ms": where the thread that has the signal runs
 * none, one other thread is asked for a twentieth of a second, and it may be one that runs none either. */
void grt_crash_interrupted(int number);

/* A stack for a thread's reports, so that a stack that is full is one as well: in the outermost function of the thread. The first thread has
 * one. From then on one thread more may call exit at the same time, if grt_crash_report was called before. */
struct grt_crash_stack {
    _Alignas(16) unsigned char bytes[64 * 1024];
    void *before; /* the one that the thread had, such as a sanitizer's */
    size_t before_size;
    int before_flags;
};
void grt_crash_stack_use(struct grt_crash_stack *stack);

/* Gives the thread back the one that it had; before the function ends. */
void grt_crash_stack_end(const struct grt_crash_stack *stack);

#endif
