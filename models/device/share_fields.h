/* The fields of a device that say how it is simulated by shares: rows of the table of models/device/fields.c. */
#ifndef GRT_MODELS_DEVICE_SHARE_FIELDS_H
#define GRT_MODELS_DEVICE_SHARE_FIELDS_H

#include <stddef.h>

#include "models/device.h"

/* The words of the choices, in the order of their enumerations. */
extern const char *const grt_granularity_names[], *const grt_share_mode_names[],
                                                      *const grt_contention_names[];

/* A struct grt_resource_numbers: the latencies of a device, with the defaults that docs/contention.md names. */
extern const struct grt_record grt_latencies_record;

/* A field with bounds. */
#define GRT_SHARE_NUMBER(key, kind, member, default_text, low, high, text)                                   \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_##kind, .offset = offsetof(struct grt_device, member),                \
        .fallback = default_text, .min = (low), .max = (high), .help = text                                  \
    }

/* One of several words. */
#define GRT_SHARE_CHOICE(key, member, default_text, words, text)                                             \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_CHOICE, .offset = offsetof(struct grt_device, member),                \
        .fallback = "\"" default_text "\"", .choices = words, .help = text                                   \
    }

#define GRT_SHARE_FIELDS                                                                                     \
    GRT_SHARE_CHOICE(                                                                                        \
        "granularity", granularity, "blocks", grt_granularity_names,                                         \
        "How fine the GPU is simulated: every thread block on its SM, or kernels as wholes, each of which "  \
        "progresses at a speed that follows from its share of the SMs and from what runs beside it "         \
        "(shares); then a policy can change shares while kernels run, a kernel says by its `usage` what it " \
        "needs, and the next six fields count, which are refused with blocks, unless the scenario writes "   \
        "`granularity` itself. Rules F1 to F5."),                                                            \
        GRT_SHARE_CHOICE(                                                                                    \
            "share_mode", share_mode, "concurrent", grt_share_mode_names,                                    \
            "With shares, what kernels that run at the same time have of the SMs: each all that it may, so " \
            "that they contend (concurrent); the one that began first what it fills, the next what is left " \
            "(left-over); or turns of equal length, one kernel at a time (time-slicing), without "           \
            "contention. Rule F2."),                                                                         \
        GRT_SHARE_CHOICE(                                                                                    \
            "contention", contention, "max-min", grt_contention_names,                                       \
            "With shares, what kernels do to each other while they have the SMs: nothing; share what is "    \
            "asked for too much in proportion, with longer latencies (saturation); get what each resource "  \
            "has, no more, so that the slowest are as fast as can be (max-min); or what the measured table " \
            "`slowdowns` says. Rule F3."),                                                                   \
        {.name = "contention_latency",                                                                       \
         .type = GRT_FIELD_OBJECT,                                                                           \
         .offset = offsetof(struct grt_device, contention_latency),                                          \
         .fallback = "{}",                                                                                   \
         .record = &grt_latencies_record,                                                                    \
         .help = "With saturation, by how much longer the latency of each resource is while other kernels "  \
                 "use all of it. Written beside a device it replaces all five. Rule F3."},                   \
        GRT_SHARE_NUMBER("contention_exponent", NUMBER, contention_exponent, "0.9", 0, 1,                    \
                         "With saturation, the power of the slowdown that a kernel suffers: 1 where it "     \
                         "waits for all of it, less where it hides a part. Rule F3."),                       \
        GRT_SHARE_NUMBER(                                                                                    \
            "share_interval", TIME, share_interval, "\"0ns\"", 0, GRT_TIME_LIMIT,                            \
            "With shares, how often a share's tokens are filled up again, for which work is launched, so "   \
            "that a share is a part of the time; 0: a share is a part of the SMs at every instant. Rule "    \
            "F4."),                                                                                          \
        GRT_SHARE_NUMBER(                                                                                    \
            "share_launch", TIME, share_launch, "\"100us\"", 1, GRT_TIME_LIMIT,                              \
            "With tokens, the work that is launched at a time, as the time that it takes alone on the "      \
            "whole GPU: a share can be overdrawn by so much. Only with `share_interval`. Rule F4.")

#endif
