/* labels: soak */
/* GRUB's rules worked by hand; a tick by tick reading of them in random runs; and what servers promise. */
#include <stdio.h>

#include "policies/pruda/grub.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { MOST = 4 };

/* A quarter and a half of the processor, both with a period of 8. */
static struct grub start_two(struct grub_server servers[2]) {
    struct grub grub;
    servers[0] = (struct grub_server){.budget = 2, .period = 8};
    servers[1] = (struct grub_server){.budget = 4, .period = 8};
    grub_start(&grub, servers, 2);
    return grub;
}

static void both_arrive(struct grub *grub) {
    grub_arrive(grub, 0, false, 0);
    grub_arrive(grub, 1, false, 0);
    grub_execute(grub, 0, 0);
}

/* ---- the rules by hand ---- */

static void rule_1_an_inactive_server_begins_now(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    grub_arrive(&grub, 1, false, 5);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 1), 13);
    CU_ASSERT_EQUAL(servers[1].state, GRUB_CONTENDING);
    CU_ASSERT_EQUAL(servers[0].state, GRUB_INACTIVE);
}

/* Server 0 executes for 2 at a rate of (1/4 + 1/2) / (1/4) = 3: V = 6. */
static void rule_2_without_a_job_it_does_not_contend(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    both_arrive(&grub);
    grub_complete(&grub, 0, 2);
    grub_execute(&grub, 1, 2);
    grub_settle(&grub, false, 2);
    CU_ASSERT_EQUAL(servers[0].state, GRUB_NOT_CONTENDING);
    CU_ASSERT(servers[0].virtual_time == (grt_wide)6 << 32);
}

/* Server 1 executes from 2 to 6 at 3/4 / (1/2) = 3/2, then, alone, at 1: V = 6, and 8 at 8, where it reaches D. */
static void rule_3_and_the_deadline_that_is_reached(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    both_arrive(&grub);
    grub_complete(&grub, 0, 2);
    grub_execute(&grub, 1, 2);
    grub_settle(&grub, false, 5);
    CU_ASSERT_EQUAL(servers[0].state, GRUB_NOT_CONTENDING);
    grub_settle(&grub, false, 6);
    CU_ASSERT_EQUAL(servers[0].state, GRUB_INACTIVE);
    CU_ASSERT(servers[1].virtual_time == (grt_wide)6 << 32);
    grub_settle(&grub, false, 7);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 1), 8);
    grub_settle(&grub, false, 8);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 1), 16);
    CU_ASSERT_EQUAL(grub.postponed, 1);
    grub_complete(&grub, 1, 10);
    grub_settle(&grub, false, 10);
    CU_ASSERT_EQUAL(servers[1].state, GRUB_INACTIVE); /* V = 10 */
    CU_ASSERT_EQUAL(grub.active, 0);
}

/* One look at 10 finds what looks at 5, 6, 7 and 8 find. */
static void nobody_needs_to_look_in_between(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    both_arrive(&grub);
    grub_complete(&grub, 0, 2);
    grub_execute(&grub, 1, 2);
    grub_settle(&grub, false, 9);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 1), 16);
    CU_ASSERT(servers[1].virtual_time == (grt_wide)9 << 32);
}

static void rule_4_a_deadline_counts_from_virtual_time(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    both_arrive(&grub);
    grub_complete(&grub, 0, 2);
    grub_execute(&grub, 1, 2);
    grub_settle(&grub, false, 2);
    grub_arrive(&grub, 0, false, 3); /* V = 6 */
    CU_ASSERT_EQUAL(grub_deadline(&grub, 0), 14);
    CU_ASSERT_EQUAL(servers[0].state, GRUB_CONTENDING);
}

/* The next job waits already: D = V + P, although V = 6 would be behind now at 7. */
static void rule_2_with_a_job_it_goes_on(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    grub_arrive(&grub, 0, false, 0);
    grub_arrive(&grub, 1, false, 0);
    grub_execute(&grub, 1, 0); /* 4 at 3/2 */
    grub_complete(&grub, 1, 4);
    grub_execute(&grub, 0, 4);
    grub_arrive(&grub, 1, true, 4);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 1), 14);
    grub_settle(&grub, false, 4);
    CU_ASSERT_EQUAL(servers[1].state, GRUB_CONTENDING);
    grub_complete(&grub, 0, 5); /* V = 3: behind now */
    grub_execute(&grub, 1, 5);
    grub_arrive(&grub, 0, true, 5);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 0), 11);
}

/* V = 3 at 4, behind now: a job that waited has the deadline 11, one that comes then has 12. */
static void who_comes_just_then_did_not_wait(void) {
    for (int waited = 0; waited < 2; waited++) {
        struct grub_server servers[2];
        struct grub grub = start_two(servers);
        both_arrive(&grub);
        grub_complete(&grub, 0, 2);
        grub_execute(&grub, 1, 2);
        grub_complete(&grub, 1, 4);
        grub_arrive(&grub, 1, waited == 1, 4);
        CU_ASSERT_EQUAL(grub_deadline(&grub, 1), waited == 1 ? 11 : 12);
    }
}

static void rule_5_idleness_forgets(void) {
    struct grub_server servers[2];
    struct grub grub = start_two(servers);
    both_arrive(&grub);
    grub_complete(&grub, 0, 1);
    grub_execute(&grub, 1, 1);
    grub_complete(&grub, 1, 2);
    grub_settle(&grub, true, 2); /* V = 3 */
    CU_ASSERT_EQUAL(servers[0].state, GRUB_INACTIVE);
    grub_arrive(&grub, 0, false, 2);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 0), 10);
}

/* A job that overruns its budget of 2 by 4: alone, it has all that others do not use, and keeps its deadline; beside others it does not. */
static void what_others_leave_is_used(void) {
    for (int others = 0; others < 2; others++) {
        struct grub_server servers[2];
        struct grub grub = start_two(servers);
        grub_arrive(&grub, 0, false, 0);
        if (others == 1) {
            grub_arrive(&grub, 1, false, 0);
        }
        grub_execute(&grub, 0, 0);
        grub_settle(&grub, false, 6);
        CU_ASSERT_EQUAL(grub_deadline(&grub, 0), others == 0 ? 8 : 24); /* V = 6, or 18 */
    }
}

static void odd_shares_are_never_ahead(void) {
    struct grub_server servers[3] = {
        {.budget = 1, .period = 3}, {.budget = 1, .period = 3}, {.budget = 1, .period = 3}};
    struct grub grub;
    grub_start(&grub, servers, 3);
    CU_ASSERT_FALSE(grub_is_overloaded(&grub));
    for (uint32_t i = 0; i < 3; i++) {
        grub_arrive(&grub, i, false, 0);
    }
    grub_execute(&grub, 0, 0);
    grub_settle(&grub, false, 1); /* its whole budget */
    CU_ASSERT(servers[0].virtual_time <= (grt_wide)3 << 32);
    CU_ASSERT(servers[0].virtual_time > ((grt_wide)3 << 32) - 16);
}

static void long_times_stay_far(void) {
    struct grub_server servers[2] = {{.budget = 1, .period = GRT_TIME_LIMIT},
                                     {.budget = GRT_TIME_LIMIT, .period = GRT_TIME_LIMIT}};
    struct grub grub;
    grub_start(&grub, servers, 2);
    grub_arrive(&grub, 0, false, 0);
    grub_execute(&grub, 0, 0);
    servers[1].state = GRUB_CONTENDING;
    grub.active = (uint64_t)1 << 32;
    grub_settle(&grub, false, GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(grub_deadline(&grub, 0), 4 * GRT_TIME_LIMIT);
}

static void overload_is_seen(void) {
    struct grub_server servers[2] = {{.budget = 3, .period = 4}, {.budget = 1, .period = 3}};
    struct grub grub;
    grub_start(&grub, servers, 2);
    CU_ASSERT(grub_is_overloaded(&grub));
}

/* ---- against the rules, tick by tick ---- */

enum state { INACTIVE, CONTENDING, NOT_CONTENDING };

/* Shares are in sixteenths, 1, 2, 4 or 8, so that V is a whole number of eighths. */
struct player {
    struct grub grub;
    struct grub_server servers[MOST];
    int count;
    int64_t share[MOST], period[MOST];
    enum state state[MOST];
    int64_t virtual_time[MOST], deadline[MOST]; /* in eighths */
    int64_t left[MOST];                         /* of its job */
    int64_t job_deadline[MOST], next[MOST];
    int executing; /* -1: nobody */
    bool overruns;
};

static void start_player(struct player *player, struct grt_random *random) {
    int64_t sum = 0;
    *player = (struct player){.executing = -1, .overruns = grt_pick(random, 0, 1) == 1};
    for (int64_t wanted = grt_pick(random, 1, MOST); player->count < wanted && sum < 16;) {
        int64_t share = (int64_t)1 << grt_pick(random, 0, 3), unit = grt_pick(random, 1, 3);
        if (sum + share > 16) {
            continue;
        }
        int i = player->count++;
        sum += share;
        player->share[i] = share;
        player->period[i] = 16 * unit;
        player->next[i] = grt_pick(random, 0, 20);
        player->servers[i] = (struct grub_server){.budget = share * unit, .period = 16 * unit};
    }
    grub_start(&player->grub, player->servers, (uint32_t)player->count);
}

/* A tick of execution, and rule 3. */
static void tick(struct player *player, int64_t now) {
    int64_t active = 0;
    for (int i = 0; i < player->count; i++) {
        active += player->state[i] != INACTIVE ? player->share[i] : 0;
    }
    if (player->executing >= 0) {
        player->virtual_time[player->executing] += 8 * active / player->share[player->executing];
        player->left[player->executing]--;
    }
    for (int i = 0; i < player->count; i++) {
        if (player->state[i] == NOT_CONTENDING && player->virtual_time[i] <= 8 * now) {
            player->state[i] = INACTIVE;
        }
    }
}

static void arrive(struct player *player, int i, bool waited, int64_t now, int64_t length) {
    if (!waited && player->virtual_time[i] <= 8 * now) {
        player->state[i] = INACTIVE;
    }
    if (player->state[i] == INACTIVE) {
        player->virtual_time[i] = 8 * now;
    }
    player->state[i] = CONTENDING;
    player->deadline[i] = player->virtual_time[i] + 8 * player->period[i];
    player->left[i] = length;
    grub_arrive(&player->grub, (uint32_t)i, waited, now);
}

/* Completions, arrivals, of which late ones come at the completion of the one before, and the choice of the earliest deadline. */
static void events(struct player *player, struct grt_random *random, int64_t now) {
    bool completed[MOST] = {false}, idle = true;
    if (player->executing >= 0 && player->left[player->executing] == 0) {
        completed[player->executing] = true;
        grub_complete(&player->grub, (uint32_t)player->executing, now);
        player->executing = -1;
    }
    for (int i = 0; i < player->count; i++) {
        int64_t budget = player->servers[i].budget;
        if (player->left[i] == 0 && player->next[i] <= now) {
            bool waited = completed[i] && player->next[i] < now;
            player->job_deadline[i] = player->next[i] + player->period[i];
            player->next[i] += player->period[i] + grt_pick(random, 0, 1) * grt_pick(random, 0, 20);
            arrive(player, i, waited, now, grt_pick(random, 1, player->overruns ? 3 * budget : budget));
        } else if (completed[i]) {
            player->state[i] = player->virtual_time[i] > 8 * now ? NOT_CONTENDING : INACTIVE;
        }
        idle &= player->left[i] == 0;
    }
    grub_settle(&player->grub, false, now);
    int running = player->executing;
    while (running >= 0 && player->virtual_time[running] >= player->deadline[running]) {
        player->deadline[running] += 8 * player->period[running];
    }
    for (int i = 0; player->executing < 0 && running < 0 && i < player->count; i++) {
        if (player->left[i] > 0) {
            running = i;
        }
    }
    for (int i = 0; player->executing < 0 && i < player->count; i++) {
        running = player->left[i] > 0 && player->deadline[i] < player->deadline[running] ? i : running;
    }
    player->executing = running;
    grub_execute(&player->grub, running < 0 ? GRUB_NONE : (uint32_t)running, now);
    if (idle) {
        grub_settle(&player->grub, true, now);
        for (int i = 0; i < player->count; i++) {
            player->state[i] = INACTIVE;
        }
    }
}

static bool agrees(const struct player *player) {
    static const enum grub_state states[] = {GRUB_INACTIVE, GRUB_CONTENDING, GRUB_NOT_CONTENDING};
    for (int i = 0; i < player->count; i++) {
        const struct grub_server *server = &player->servers[i];
        if (server->state != states[player->state[i]]) {
            return false;
        }
        if (player->state[i] != INACTIVE &&
            server->virtual_time != (grt_wide)(uint64_t)player->virtual_time[i] << 29) {
            return false;
        }
        if (player->state[i] == CONTENDING && server->deadline != (grt_wide)(uint64_t)player->deadline[i]
                                                                      << 29) {
            return false;
        }
    }
    return true;
}

/* Without overruns, a server's deadline is never after its job's. */
static bool keeps_its_promise(const struct player *player) {
    for (int i = 0; i < player->count && !player->overruns; i++) {
        if (player->state[i] == CONTENDING && player->deadline[i] > 8 * player->job_deadline[i]) {
            return false;
        }
    }
    return true;
}

static void random_runs_follow_the_rules(void) {
    int cases = grt_suite_cases(1000, 100000);
    uint64_t postponed = 0;
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "grub", 0, 0);
        struct player player;
        start_player(&player, &random);
        for (int64_t now = 0; good && now < 300; now++) {
            if (now > 0) {
                tick(&player, now);
            }
            events(&player, &random, now);
            good = agrees(&player) && keeps_its_promise(&player);
            if (!good) {
                fprintf(stderr, "run %d differs at %d\n", i, (int)now);
            }
        }
        postponed += player.grub.postponed;
    }
    CU_ASSERT(good);
    CU_ASSERT(postponed > (uint64_t)cases); /* of those that overrun */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"rule 1: an inactive server begins now", rule_1_an_inactive_server_begins_now},
        {"rule 2: without a job it does not contend", rule_2_without_a_job_it_does_not_contend},
        {"rule 2: with a job it goes on", rule_2_with_a_job_it_goes_on},
        {"rule 3, and the deadline that is reached", rule_3_and_the_deadline_that_is_reached},
        {"rule 4: a deadline counts from virtual time", rule_4_a_deadline_counts_from_virtual_time},
        {"who comes just then did not wait", who_comes_just_then_did_not_wait},
        {"rule 5: idleness forgets", rule_5_idleness_forgets},
        {"nobody needs to look in between", nobody_needs_to_look_in_between},
        {"what others leave is used", what_others_leave_is_used},
        {"odd shares are never ahead", odd_shares_are_never_ahead},
        {"long times stay far", long_times_stay_far},
        {"overload is seen", overload_is_seen},
        {"random runs follow the rules", random_runs_follow_the_rules},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("GRUB", tests);
}
