/* labels: view window */
/* The program gpurt-view with input that is bad, without a display, on a full disk, when it is told to end: what it says, and its
 * exit code: 2 for bad input, 1 for what failed. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/view_traces.h"

/* With no window to be seen, and sanitizers that look for no leaks in SDL and what it loads. */
#define VIEW                                                                                                 \
    "unset DISPLAY WAYLAND_DISPLAY; export SDL_VIDEODRIVER=dummy "                                           \
    "ASAN_OPTIONS=detect_leaks=0:handle_sigill=1; view() { "                                                 \
    "'" GRT_VIEW_PROGRAM "' \"$@\"; }; "

#define QUICKSTART GRT_SOURCE_DIR "/scenarios/quickstart.json"

static void put(const char *name, const void *bytes, size_t size) {
    char path[500];
    snprintf(path, sizeof path, SCRATCH "%s", name);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void put_text(const char *name, const char *text) {
    put(name, text, strlen(text));
}

/* ---- input ---- */

static void files_that_are_none(void) {
    static const struct {
        const char *command, *says;
    } cases[] = {
        {"view", "needs a trace or a scenario"},
        {"view nowhere",
         "gpurt-view: nowhere: there is no such file, and no scenario of that name in the library "},
        {"view ./nowhere", "gpurt-view: ./nowhere: cannot be opened: No such file or directory"},
        {"mkdir -p folder; view folder", "gpurt-view: folder: "},
        {"view empty", "gpurt-view: empty: "},
        {"view foreign", "gpurt-view: foreign: "},
        {"view half-header", "gpurt-view: half-header: is cut short within its header"},
        {"view hostile", "gpurt-view: hostile: "},
        {"view good nowhere", "gpurt-view: nowhere: "},
        {"view good --against ./nowhere", "gpurt-view: ./nowhere: cannot be opened"},
        {"view good good good", "at most two files can be shown"},
        {"view - - <good", "standard input can be read once only"},
        {"view - </dev/null", "gpurt-view: standard input: "},
        {"view good good --against good", "--against is for one file"},
        {"view good --policy fifo",
         "is a trace, which cannot be simulated with another policy or parameters"},
        {"view good --rows nobody", "no row is called so"},
        {"view " QUICKSTART " --policy none-such", "none-such"},
        {"view " QUICKSTART " --set tasks[0].period=0", "tasks[0].period"},
        {"view " QUICKSTART " --set nothing", "--set: must be PATH=VALUE (got 'nothing')"},
        {"view " QUICKSTART " --against policy=none-such", "none-such"},
        {"view good --no-such", "gpurt-view: unknown option '--no-such'"},
        {"view good --form 1ms", "gpurt-view: unknown option '--form' (did you mean '--from'?)"},
        {"view good --from 1ms --from 2ms", "gpurt-view: --from was given twice"},
        {"view good --rows a --rows b", "--rows was given twice"},
        {"view good --from=-1ms", "--from: must not be negative (got '-1ms')"},
        {"view good --to=-1ms", "--to: must not be negative (got '-1ms')"},
        {"view good --tolerance=-1ms", "--tolerance: must not be negative (got '-1ms')"},
        {"view " QUICKSTART " --from 3s", "gpurt-view: --from is behind the end of the run"},
        {"view " QUICKSTART " --against policy=fifo --from 3s", "--from is behind the end of both runs"},
        {"view good --against ''", "--against: needs a file, or a change"},
        {"view good --against '  '", "--against: needs a file, or a change"},
        {"view nowhere --rows ''", "--rows: "}, /* before the file is read */
        {"view nowhere --rows nokind:x", "--rows: "},
        {"view ./nowhere --script missing", "--script missing: "},
        {"view - --script - <good", "standard input can be read once only"},
        {"view good --against $(head -c 3000 /dev/zero | tr '\\0' x)/y", "gpurt-view: xxxxxxxxxx"},
        {"view good --size 10x10", "--size: must be WIDTHxHEIGHT, each from 160 to 16384 (got '10x10')"},
        {"view good --size 99999999999999999999x200", "--size: must be"},
        {"view good --size 200x200x", "--size: must be"},
        {"view good --text-size 3", "--text-size: must be a number from 4 to 60 (got '3')"},
        {"view good --text-size nan", "--text-size: must be"},
        {"view good --theme blue", "--theme: must be light, dark or print (got 'blue')"},
        {"view good --from 2x", "--from: "},
        {"view good --from 2ms --to 1ms", "--to must be after --from"},
        {"view good --script nowhere", "--script nowhere: cannot be opened"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call(VIEW "%s", cases[i].command));
        expect_part(err, cases[i].says);
        expect_text(out, "");
    }
}

static void every_error_is_printed(void) {
    put_text("wrong.json", "{\"gpurt\":1,\"horizon\":\"1s\",\"tasks\":[{}],\"platform\":{},\"sed\":1}");
    expect(2, call(VIEW "view wrong.json"));
    int lines = 0;
    for (const char *at = strstr(err, "gpurt-view: wrong.json: "); at != NULL; lines++) {
        at = strstr(at + 1, "gpurt-view: wrong.json: ");
    }
    CU_ASSERT(lines >= 3);
    expect_part(err, "sed");
}

static void what_can_be_shown(void) {
    put_text("quit", "key q\n");
    static const char *const good[] = {
        "view good --script quit",
        "view cut --script quit",
        "view - --script quit <good",
        "view good - --script quit <" QUICKSTART,
        "view " QUICKSTART
        " --against policy=hardware --from 10ms --to 20ms --rows control,map --theme dark --text-size 20 "
        "--size 300x200 --script quit",
        "view good --script - <quit",
        "view " QUICKSTART " --from 2s --text-size 60 --script quit",
        "view " QUICKSTART " --set horizon=1s --set description=x --text-size 4 --script quit",
        /* longer than any buffer for it */
        "view good --against $(yes ./ | head -n 1000 | tr -d '\\n')good --script quit",
        "view " QUICKSTART " --rows $(yes control, | head -n 500 | tr -d '\\n')map --script quit",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        expect(0, call(VIEW "%s", good[i]));
        expect_text(err, "");
    }
}

static void help_and_manual(void) {
    expect(0, call(VIEW "view --help"));
    expect_part(out, "Usage: gpurt-view");
    expect_part(out, "--against");
    expect(0, call(VIEW "view --version"));
    expect_part(out, "gpurt-view " GRT_VERSION);
    expect(0, call(VIEW "view --man"));
    expect_part(out, ".TH GPURT\\-VIEW 1");
    expect_part(out, "next\\-miss");
    expect(1, call(VIEW "view --help >&-"));
    expect_text(err, "gpurt-view: standard output: cannot write: Bad file descriptor\n");
    expect(2, call(VIEW "view nowhere.json >&-"));
    static const char *const printing[] = {"man", "help", "usage", "version"};
    for (size_t i = 0; i < sizeof printing / sizeof printing[0]; i++) {
        expect(1, call(VIEW "view --%s >/dev/full", printing[i]));
        expect_text(err, "gpurt-view: standard output: cannot write: No space left on device\n");
    }
}

/* ---- scripts ---- */

static void scripts_that_fail(void) {
    put_text("wrong-line", "key n\nnonsense\n");
    expect(1, call(VIEW "view good --script wrong-line"));
    expect_text(err, "gpurt-view: line 2: scripts have no \"nonsense\"\n");
    put_text("wrong-command", "command nonsense\n");
    expect(1, call(VIEW "view good --script wrong-command"));
    expect_part(err, "line 1: there is no command \"nonsense\"");
    put_text("wrong-export", "command export /nowhere/a.svg\n");
    expect(1, call(VIEW "view good --script wrong-export"));
    expect_part(err, "/nowhere/a.svg");
}

static void pictures_that_cannot_be_written(void) {
    put_text("nowhere.txt", "screenshot /nowhere/a.png\n");
    expect(1, call(VIEW "view good --script nowhere.txt"));
    expect_part(err, "line 1: ");
    expect_part(err, "/nowhere/a.png");
    put_text("full.txt", "screenshot /dev/full\n");
    expect(1, call(VIEW "view good --script full.txt"));
    expect_part(err, "No space left on device");
    put_text("old.txt", "screenshot old.png\n");
    expect(0, call(VIEW "view good --size 300x200 --script old.txt && test -s old.png"));
    expect(0,
           call("ls | grep -c '^old\\.png' >count; test $(cat count) = 1")); /* nothing is left beside it */
}

/* ---- displays ---- */

static void no_display(void) {
    expect(1, call(VIEW "export SDL_VIDEODRIVER=x11; view good"));
    expect_part(err, "gpurt-view: cannot use a display: ");
    expect(1, call(VIEW "export SDL_VIDEODRIVER=none-such; view good"));
    expect_part(err, "gpurt-view: cannot use a display: ");
    /* Rather than a window that nobody sees and nobody can end. */
    expect(1, call(VIEW "unset SDL_VIDEODRIVER XDG_RUNTIME_DIR; timeout 30 '" GRT_VIEW_PROGRAM "' good"));
    expect_part(err, " display");
}

/* ---- the end ---- */

/* Starts the program, as a shell in the foreground does: with the usual effect of signals. */
static pid_t start(const char *const *arguments) {
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        if (chdir(GRT_SCRATCH_DIR) != 0 || setenv("SDL_VIDEODRIVER", "dummy", 1) != 0 ||
            setenv("ASAN_OPTIONS", "detect_leaks=0:handle_sigill=1", 1) != 0) {
            _exit(99);
        }
        execv(GRT_VIEW_PROGRAM, (char *const *)(uintptr_t)arguments);
        _exit(99);
    }
    return child;
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* How it ended, at most so long from now; killed if it does not. */
static int end_of(pid_t child, int most_ms) {
    int status = 0;
    for (int waited = 0; waited < most_ms; waited += 20) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return status;
        }
        sleep_ms(20);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return status;
}

static bool is_there(const char *path) {
    struct stat status;
    for (int i = 0; i < 500; i++) {
        if (stat(path, &status) == 0) {
            return true;
        }
        sleep_ms(20);
    }
    return false;
}

static void a_signal_ends_it(void) {
    static const int signals[] = {SIGINT, SIGTERM};
    static const char *const arguments[] = {"gpurt-view", "good", "--script", "waits.txt", NULL};
    put_text("waits.txt", "screenshot ready.png\nwait 60000\n");
    for (int i = 0; i < 2; i++) {
        remove(SCRATCH "ready.png");
        pid_t child = start(arguments);
        CU_ASSERT(is_there(SCRATCH "ready.png"));
        sleep_ms(100);
        kill(child, signals[i]);
        int status = end_of(child, 10000);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* While it reads what does not end, there is no window yet that could be closed. */
static void a_signal_ends_it_while_it_reads(void) {
    static const char *const arguments[] = {"gpurt-view", "pipe", NULL};
    char path[] = SCRATCH "pipe";
    remove(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    pid_t child = start(arguments);
    int writer = open(path, O_WRONLY); /* which waits for the reader */
    CU_ASSERT(writer >= 0);
    CU_ASSERT_EQUAL(write(writer, "GPURTTRC", 8), 8);
    sleep_ms(300);
    kill(child, SIGINT);
    int status = end_of(child, 5000);
    CU_ASSERT((WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) ||
              (WIFEXITED(status) && WEXITSTATUS(status) != 0));
    close(writer);
    remove(path);
}

static void make_files(void) {
    static char hostile[64] = "GPURTTRC\1\0\0\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff";
    view_trace_write(VIEW_TRACE_OF_TEN_YEARS, SCRATCH "good");
    put_text("empty", "");
    put_text("foreign", "\x7f"
                        "ELF and so on");
    put_text("half-header", "GPURTTRC\1");
    put("hostile", hostile, sizeof hostile);
    CU_ASSERT_EQUAL(call("head -c 300 good >cut"), 0);
}

static void all_files_are_made(void) {
    make_files();
}

static CU_TestInfo tests[] = {
    {"files for the tests", all_files_are_made},
    {"files that are none, and wrong options", files_that_are_none},
    {"every error of a scenario is printed", every_error_is_printed},
    {"what can be shown", what_can_be_shown},
    {"help and manual", help_and_manual},
    {"scripts that fail", scripts_that_fail},
    {"pictures that cannot be written", pictures_that_cannot_be_written},
    {"no display", no_display},
    {"a signal ends it", a_signal_ends_it},
    {"a signal ends it while it reads", a_signal_ends_it_while_it_reads},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_program", tests);
}
