#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/time.h"
#include "study/sweep/ranks_internal.h"

void grt_rank_lead_start(struct grt_rank_lead *lead, const struct grt_ranks *ranks, struct grt_desk *desk) {
    *lead = (struct grt_rank_lead){.ranks = ranks, .desk = desk};
    lead->wanted = grt_allocate(ranks->count * sizeof *lead->wanted);
    lead->told = grt_allocate(ranks->count * sizeof *lead->told);
    lead->gone = grt_allocate(ranks->count * sizeof *lead->gone);
    for (uint32_t i = 0; i < ranks->count; i++) {
        lead->wanted[i] = 0;
        lead->told[i] = lead->gone[i] = false;
    }
    lead->chunk = desk != NULL ? grt_chunk_create(&desk->head.shape, 0) : NULL;
}

static void say(const struct grt_rank_lead *lead, uint32_t to, const char *text) {
    lead->ranks->send(lead->ranks->state, to, text, strlen(text));
}

/* ---- what arrives ---- */

static bool take_hello(const struct grt_rank_lead *lead, const struct grt_rank_message *message,
                       struct grt_errors *errors) {
    char wanted[32];
    if (lead->desk == NULL) {
        return true;
    }
    snprintf(wanted, sizeof wanted, "h%016" PRIx64, lead->desk->head.identity);
    if (strcmp(message->text, wanted) != 0) {
        grt_error_add(errors, NULL,
                      "rank %" PRIu32 " has another experiment than rank 0: its files, or its gpurt, differ",
                      message->from);
        return false;
    }
    return true;
}

static bool take_line(const struct grt_rank_lead *lead, const char *line, size_t length) {
    const struct grt_journal_head *head = &lead->desk->head;
    char *copy = grt_allocate(length + 1);
    memcpy(copy, line, length);
    copy[length] = '\0';
    bool good = grt_chunk_read(lead->chunk, &head->shape, &head->plan, copy, length);
    free(copy);
    if (good) {
        grt_desk_give(lead->desk, &(struct grt_done_chunk){lead->chunk, line, length + 1});
    }
    return good;
}

static bool take_lines(const struct grt_rank_lead *lead, const struct grt_rank_message *message,
                       struct grt_errors *errors) {
    const char *end = NULL;
    for (const char *line = message->text + 1; lead->desk != NULL && *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL || !take_line(lead, line, (size_t)(end - line))) {
            grt_error_add(errors, NULL, "rank %" PRIu32 " sent a damaged result", message->from);
            return false;
        }
    }
    return true;
}

static bool take_end(struct grt_rank_lead *lead, uint32_t from, struct grt_errors *errors) {
    lead->gone_count += !lead->gone[from];
    lead->gone[from] = true;
    say(lead, from, "z");
    if (!lead->told[from]) {
        grt_error_add(errors, NULL, "rank %" PRIu32 " ended before its work was done", from);
        return false;
    }
    return true;
}

static bool take(struct grt_rank_lead *lead, const struct grt_rank_message *message,
                 struct grt_errors *errors) {
    switch (message->text[0]) {
    case 'h':
        return take_hello(lead, message, errors);
    case 'r':
        lead->wanted[message->from] = strtoull(message->text + 1, NULL, 10);
        return true;
    case 'd':
        return take_lines(lead, message, errors);
    case 'e':
        grt_error_add(errors, NULL, "rank %" PRIu32 ": %s", message->from, message->text + 1);
        lead->told[message->from] = true;
        return false;
    case 'b':
        return take_end(lead, message->from, errors);
    default:
        grt_error_add(errors, NULL, "rank %" PRIu32 " sent what no gpurt of this version sends",
                      message->from);
        return false;
    }
}

/* ---- what is sent ---- */

/* Hands a rank as many chunks as it wants and there are now. */
static void hand_out(struct grt_rank_lead *lead, uint32_t to) {
    char text[GRT_RANK_MOST_HANDED * 21 + 2] = "w";
    size_t length = 1;
    uint64_t number = 0, handed = 0;
    enum grt_collector_answer answer = GRT_COLLECTOR_CHUNK;
    while (handed < lead->wanted[to] && handed < GRT_RANK_MOST_HANDED &&
           (answer = grt_desk_next(lead->desk, &number)) == GRT_COLLECTOR_CHUNK) {
        length += (size_t)snprintf(text + length, sizeof text - length, " %" PRIu64, number);
        handed++;
    }
    if (handed > 0) {
        say(lead, to, text);
        lead->wanted[to] = 0;
    } else if (answer == GRT_COLLECTOR_END) {
        say(lead, to, "s");
        lead->told[to] = true;
        lead->wanted[to] = 0;
    }
}

bool grt_rank_lead_poll(struct grt_rank_lead *lead, struct grt_errors *errors) {
    struct grt_rank_message message;
    bool good = true;
    while (good && lead->ranks->receive(lead->ranks->state, &message)) {
        good = take(lead, &message, errors);
        free(message.text);
    }
    for (uint32_t i = 1; good && lead->desk != NULL && i < lead->ranks->count; i++) {
        if (lead->wanted[i] > 0) {
            hand_out(lead, i);
        }
    }
    return good;
}

void grt_rank_lead_end(struct grt_rank_lead *lead, bool give_up) {
    struct grt_errors ignored = {0};
    int64_t start = grt_monotonic();
    for (uint32_t i = 1; give_up && i < lead->ranks->count; i++) {
        if (!lead->gone[i]) {
            say(lead, i, "x");
            lead->told[i] = true;
        }
    }
    while (lead->gone_count + 1 < lead->ranks->count &&
           (!give_up || grt_monotonic() - start < GRT_RANK_PATIENCE_MS * GRT_MILLISECOND)) {
        grt_rank_lead_poll(lead, &ignored);
        grt_rank_rest();
    }
    grt_errors_clear(&ignored);
    free(lead->chunk);
    free(lead->wanted);
    free(lead->told);
    free(lead->gone);
}
