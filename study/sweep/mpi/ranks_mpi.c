/* Messages between ranks by MPI: the module gpurt-mpi. One thread of each process calls it. Nothing of gpurt is linked to it. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/sweep/ranks.h"

enum { TAG = 1 };

static void fail(const char *what) {
    fprintf(stderr, "gpurt: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static MPI_Comm communicator_of(const struct grt_ranks *ranks) {
    return *(const MPI_Comm *)ranks->state;
}

/* MPI ends the program by itself where sending or receiving fails. */
static void send_message(void *state, uint32_t to, const char *text, size_t size) {
    if (size > INT_MAX) {
        fail("a message between ranks is too long");
    }
    MPI_Send(text, (int)size, MPI_CHAR, (int)to, TAG, *(MPI_Comm *)state);
}

static bool receive_message(void *state, struct grt_rank_message *message) {
    MPI_Comm communicator = *(MPI_Comm *)state;
    MPI_Status status;
    int arrived = 0, size = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, communicator, &arrived, &status);
    if (!arrived) {
        return false;
    }
    MPI_Get_count(&status, MPI_CHAR, &size);
    *message = (struct grt_rank_message){
        .from = (uint32_t)status.MPI_SOURCE, .text = malloc((size_t)size + 1), .size = (size_t)size};
    if (message->text == NULL) {
        fail("out of memory");
    }
    MPI_Recv(message->text, size, MPI_CHAR, status.MPI_SOURCE, TAG, communicator, MPI_STATUS_IGNORE);
    message->text[size] = '\0';
    return true;
}

static bool open_ranks(struct grt_ranks *ranks, char *reason, size_t size) {
    int provided = 0, rank = 0, count = 0;
    MPI_Comm *communicator = malloc(sizeof *communicator);
    if (communicator == NULL || MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        snprintf(reason, size, "MPI cannot be started");
        free(communicator);
        return false;
    }
    if (provided < MPI_THREAD_FUNNELED) {
        snprintf(reason, size, "this MPI does not go with threads");
        free(communicator);
        MPI_Finalize();
        return false;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, communicator);
    MPI_Comm_rank(*communicator, &rank);
    MPI_Comm_size(*communicator, &count);
    *ranks = (struct grt_ranks){.rank = (uint32_t)rank,
                                .count = (uint32_t)count,
                                .state = communicator,
                                .send = send_message,
                                .receive = receive_message};
    return true;
}

static void close_ranks(struct grt_ranks *ranks) {
    MPI_Comm communicator = communicator_of(ranks);
    MPI_Comm_free(&communicator);
    MPI_Finalize();
    free(ranks->state);
    ranks->state = NULL;
}

const struct grt_ranks_module grt_ranks_module = {
    .version = GRT_VERSION, .open = open_ranks, .close = close_ranks};
