/* Assertions in three tiers. A failed one is a bug in the program, never bad input: it aborts with a sentence. */
#ifndef GRT_SIM_CHECK_H
#define GRT_SIM_CHECK_H

/* Prints "gpurt: bug: broken rule: <what> (<condition>, <file>:<line>)" to standard error, with the program's name (sim/program_name.h), and what runs
 * (sim/running.h), as ", under policy llf (./llf.so) at 12.345ms", and aborts. (An attribute, because C++ has no _Noreturn.) */
__attribute__((noreturn)) void grt_check_failed(const char *condition, const char *what, const char *file,
                                                int line);

/* Misuse of an interface: checked in every build. `what` says what the caller should do instead. */
#define GRT_REQUIRE(condition, what)                                                                         \
    ((condition) ? (void)0 : grt_check_failed(#condition, what, __FILE__, __LINE__))

/* An invariant inside a module: checked unless NDEBUG is defined. */
#ifdef NDEBUG
#define GRT_ASSERT(condition, what) ((void)0)
#else
#define GRT_ASSERT(condition, what) GRT_REQUIRE(condition, what)
#endif

/* An invariant that costs more than the code it guards: checked where GRT_AUDIT_BUILD is defined. */
#ifdef GRT_AUDIT_BUILD
#define GRT_AUDIT(condition, what) GRT_REQUIRE(condition, what)
#else
#define GRT_AUDIT(condition, what) ((void)0)
#endif

#endif
