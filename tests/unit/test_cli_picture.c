/* labels: robustness soak */
/* `gpurt export png|svg|pdf` as its users call it: options, files of every kind, outputs that fail, traces that are damaged. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/random.h"
#include "sim/trace_file.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define QUICKSTART GRT_SOURCE_DIR "/scenarios/quickstart.json"

static bool has(const char *tool) {
    char line[200];
    snprintf(line, sizeof line, "command -v %s > /dev/null", tool);
    return system(line) == 0;
}

static bool can_paint; /* png and pdf, which need a library */
static const char *const formats[] = {"svg", "png", "pdf"};

static size_t format_count(void) {
    return can_paint ? 3 : 1;
}

/* ---- traces by hand ---- */

static const struct grt_trace_name names[] = {{.kind = GRT_NAME_TASK, .text = "a task <&> \xc3\xa9"},
                                              {.kind = GRT_NAME_CORE, .text = "cpu 0"},
                                              {.kind = GRT_NAME_RUN, .text = "by hand"}};

static void write_trace(const char *path, const struct grt_trace_name *all, size_t name_count,
                        const struct grt_trace_record *records, size_t count) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(path, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    grt_trace_file_sink.names(output, all, name_count);
    grt_trace_file_sink.write(output, records, count);
    CU_ASSERT_TRUE(grt_output_close(output, &errors));
}

static void make_traces(void) {
    const struct grt_trace_record instant[] = {{.time = 5, .other = 5, .kind = GRT_TRACE_RELEASE},
                                               {.time = 5, .other = 5, .kind = GRT_TRACE_CPU},
                                               {.time = 5, .other = 5, .kind = GRT_TRACE_FINISH}};
    const grt_time year = INT64_C(365) * 24 * 3600 * 1000000000;
    const struct grt_trace_record ages[] = {
        {.time = 0, .other = 10 * year, .kind = GRT_TRACE_RELEASE},
        {.time = 1, .other = 0, .kind = GRT_TRACE_CPU},
        {.time = 10 * year, .other = year, .kind = GRT_TRACE_CPU},
        {.time = 10 * year, .other = 0, .kind = GRT_TRACE_FINISH},
    };
    write_trace(SCRATCH "none.trc", names, 3, NULL, 0);
    write_trace(SCRATCH "nobody.trc", names + 2, 1, NULL, 0);
    write_trace(SCRATCH "instant.trc", names, 3, instant, 3);
    write_trace(SCRATCH "ages.trc", names, 3, ages, 4);
    const struct grt_trace_record late = {.time = INT64_MAX - 1, .other = 0, .kind = GRT_TRACE_CPU};
    write_trace(SCRATCH "late.trc", names, 3, &late, 1);
    struct grt_trace_record *many = calloc(10000, sizeof *many);
    for (uint32_t i = 0; i < 10000; i++) {
        many[i] = (struct grt_trace_record){
            .time = 1000 * (i + 1) - i % 7, .other = 1000 * i, .job = i, .kind = GRT_TRACE_CPU};
    }
    write_trace(SCRATCH "many.trc", names, 3, many, 10000);
    free(many);
}

/* ---- tests ---- */

/* The same bytes from a scenario, its trace, through pipes, and a second time. */
static void test_same_bytes(void) {
    make_traces();
    can_paint = call("gpurt export png instant.trc -o can.png") == 0;
    printf("%s", can_paint ? "" : "(no png and pdf) ");
    expect(0, call("gpurt run " QUICKSTART " -q --trace q.trc"));
    for (size_t i = 0; i < format_count(); i++) {
        const char *format = formats[i];
        expect(0, call("set -e; gpurt export %s " QUICKSTART " -o a; gpurt export %s q.trc > b; cmp a b;"
                       "gpurt export -o - %s - < q.trc > c; cmp c b; gpurt export %s q.trc -o a2; cmp a a2;"
                       "test -s a; gpurt export %s q.trc --rows 'cpu*' -o d; ! cmp -s a d",
                       format, format, format, format, format));
        expect_text(out, "");
        expect_text(err, "");
    }
}

static void test_options(void) {
    static const struct {
        const char *arguments, *message;
    } bad[] = {
        {"csv q.trc --theme dark", "--theme is only for pictures, which csv is not"},
        {"chrome q.trc --width 400", "--width is only for pictures, which chrome is not"},
        {"perfetto q.trc --width-mm 88", "--width-mm is only for pictures, which perfetto is not"},
        {"csv q.trc --text-size 9", "--text-size is only for pictures, which csv is not"},
        {"png q.trc --width-mm 88", "--width-mm is only for svg and pdf"},
        {"svg q.trc --theme drak", "--theme: must be light, dark or print (got 'drak')"},
        {"svg q.trc --theme dark --theme dark", "--theme was given twice"},
        {"svg q.trc --width 199", "--width: must be a number from 200 to 32767 (got '199')"},
        {"svg q.trc --width 32768", "--width: must be a number from 200 to 32767 (got '32768')"},
        {"svg q.trc --width nan", "--width: must be a number from 200 to 32767 (got 'nan')"},
        {"svg q.trc --width 400px", "--width: must be a number from 200 to 32767 (got '400px')"},
        {"svg q.trc --width ''", "--width: must be a number from 200 to 32767 (got '')"},
        {"pdf q.trc --width-mm 19", "--width-mm: must be a number from 20 to 5000 (got '19')"},
        {"svg q.trc --width-mm inf", "--width-mm: must be a number from 20 to 5000 (got 'inf')"},
        {"pdf q.trc --width-mm 20 --text-size 60",
         "--width-mm: text of 60 points needs at least 352 mm (got 20), or a smaller --text-size"},
        {"pdf q.trc --width-mm 46",
         "--width-mm: text of 8 points needs at least 47 mm (got 46), or a smaller --text-size"},
        {"pdf q.trc --width-mm 5000 --text-size 4",
         "--width-mm: text of 4 points needs at most 3853 mm (got 5000), or a larger --text-size"},
        {"csv q.trc --legend", "--legend is only for pictures, which csv is not"},
        {"svg q.trc --text-size 61", "--text-size: must be a number from 4 to 60 (got '61')"},
        {"svg q.trc --rows nothing", "gpurt: q.trc: --rows: no row is called \"nothing\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect(2, call("rm -f new; gpurt export %s -o new; code=$?; test ! -e new && exit $code",
                       bad[i].arguments));
        expect_part(err, bad[i].message);
        expect_text(out, "");
    }
    expect(2, call("gpurt export svg q.trc --from 100s"));
    expect_text(err, "gpurt: --from is behind the end of the trace\n");
    expect(0, call("gpurt export svg q.trc --from 1ms --to 100s > s; gpurt export svg q.trc --theme dark "
                   "> d; gpurt export svg q.trc > l; gpurt export svg q.trc --theme light | cmp - l;"
                   "! cmp -s d l; gpurt export svg q.trc --width 200 --text-size 60 > n;"
                   "gpurt export svg q.trc --width-mm 88 | head -c 1000 | grep -c 'width=\"88mm\"'"));
    expect_text(out, "1\n");
}

/* Text of 12 pixels is 8 points of 1/72 inch where 88 mm are 88 / 25.4 * 72 * 12 / 8 = 374.17 pixels. */
static void test_points(void) {
    static const struct {
        const char *options;
        int pixels;
    } cases[] = {{"--width-mm 88", 374},
                 {"--width-mm 88 --text-size 7", 428},
                 {"--width-mm 181 --text-size 12", 513},
                 {"--width-mm 88 --width 1600 --text-size 9", 1600},
                 {"", 1600}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(0, call("gpurt export svg q.trc %s > s;"
                       "head -c 1000 s | sed -n 's/.*viewBox=\"0 0 \\([0-9]*\\) .*/\\1/p'",
                       cases[i].options));
        CU_ASSERT_EQUAL(atoi(out), cases[i].pixels);
    }
    for (int points = 5; can_paint && has("pdftotext") && points <= 20; points += 3) {
        double top = 0, bottom = 0; /* of a word, which are more than an em apart, and less than 1.5 */
        expect(0, call("gpurt export pdf q.trc --text-size %d -o p.pdf; pdftotext -bbox p.pdf - |"
                       "sed -n 's/.*yMin=\"\\(.*\\)\" xMax.*yMax=\"\\(.*\\)\">control<.*/\\1 \\2/p'",
                       points));
        CU_ASSERT_EQUAL(sscanf(out, "%lf %lf", &top, &bottom), 2);
        CU_ASSERT(bottom - top > points && bottom - top < 1.5 * points);
    }
}

/* The legend stands below the same rows: the picture is higher, and says what the signs mean. */
static void test_legend(void) {
    expect(
        0,
        call(
            "gpurt export svg q.trc > a; gpurt export svg q.trc --legend > b;"
            "for f in a b; do head -c 1000 $f | sed -n 's/.*viewBox=\"0 0 1600 \\([0-9]*\\)\".*/\\1/p'; done;"
            "for t in release 'blocked by a less urgent task'; do grep -c \">$t<\" a; grep -c \">$t<\" b; "
            "done; true"));
    int without = 0, with = 0, signs[4] = {-1, -1, -1, -1};
    CU_ASSERT_EQUAL(
        sscanf(out, "%d %d %d %d %d %d", &without, &with, &signs[0], &signs[1], &signs[2], &signs[3]), 6);
    CU_ASSERT(without > 100 && with > without + 20);
    CU_ASSERT(signs[0] == 0 && signs[1] == 1 && signs[2] == 0 && signs[3] == 1);
    for (size_t i = 0; i < format_count(); i++) {
        expect(0, call("gpurt export %s q.trc --legend -o b; gpurt export %s q.trc | cmp -s - b; test $? = 1",
                       formats[i], formats[i]));
    }
}

static void test_too_high(void) {
    static struct grt_trace_name cores[2000];
    for (uint32_t i = 0; i < 2000; i++) {
        cores[i] = (struct grt_trace_name){.kind = GRT_NAME_CORE, .index = i, .text = "core"};
    }
    write_trace(SCRATCH "high.trc", cores, 2000, NULL, 0);
    expect(1, call("rm -f new; gpurt export svg high.trc -o new; code=$?; test ! -e new && exit $code"));
    expect_part(err, " pixels high, at most 32767 can be: choose rows with --rows, or a smaller --text-size");
    expect(0, call("gpurt export svg high.trc --text-size 4 -o new"));
}

static void test_png(void) {
    if (!can_paint) {
        return;
    }
    expect(0,
           call("gpurt export png q.trc --width 777 -o p.png; gpurt export svg q.trc --width 777 -o p.svg"));
    unsigned char head[24] = {0};
    FILE *file = fopen(SCRATCH "p.png", "rb");
    CU_ASSERT_EQUAL(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    CU_ASSERT_EQUAL(memcmp(head, "\x89PNG\r\n\x1a\n", 8), 0);
    CU_ASSERT_EQUAL(head[18] << 8 | head[19], 777);
    char size[60];
    snprintf(size, sizeof size, "viewBox=\"0 0 777 %d\"", head[22] << 8 | head[23]);
    expect(0, call("head -c 1000 p.svg"));
    expect_part(out, size);
}

static void test_pdf(void) {
    if (!can_paint) {
        return;
    }
    expect(0, call("gpurt export pdf q.trc -o p.pdf; head -c 5 p.pdf; grep -ac CreationDate p.pdf"
                   " | grep -v 0; true"));
    expect_part(out, "%PDF-");
    if (has("pdffonts")) { /* columns: name, type, encoding, embedded */
        expect(0, call("pdffonts p.pdf | tail -n +3 > fonts; test -s fonts && awk '{print $(NF-4)}' fonts"
                       " | sort -u"));
        expect_text(out, "yes\n");
    } else {
        printf("(no pdffonts) ");
        expect(0, call("grep -aq FontFile p.pdf"));
    }
    if (has("pdftotext")) {
        expect(0, call("pdftotext p.pdf - | grep -q control"));
    }
}

static void test_svg(void) {
    static const char *const traces[] = {"q.trc", "many.trc", "none.trc", "instant.trc", "ages.trc"};
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        expect(0, call("gpurt export svg %s -o t.svg", traces[i]));
        if (has("xmllint")) {
            expect(0, call("xmllint --noout t.svg"));
        }
    }
    /* 10,000 slices as columns of pixels, and so wide that each is drawn by itself. */
    expect(0, call("gpurt export svg many.trc > m.svg; test $(wc -c < m.svg) -lt 1048576"));
    expect(0, call("gpurt export svg many.trc --width 32767 > m.svg; test $(wc -c < m.svg) -lt 1048576 &&"
                   "test $(sed 's/[Mm]/\\n/g' m.svg | wc -l) -gt 10000"));
    expect(0, call("gpurt export svg ages.trc | grep -c 'a task &lt;&amp;&gt; \xc3\xa9'"));
}

/* Traces of nothing, of an instant, of ages; cut, and foreign. */
static void test_traces(void) {
    for (size_t i = 0; i < format_count(); i++) {
        const char *format = formats[i];
        expect(0,
               call("for t in none instant ages many; do gpurt export %s $t.trc -o t.out || exit 9; test -s "
                    "t.out || exit 8; done; gpurt export %s ages.trc --from 8766h --to 9000h -o t.out;"
                    "gpurt export %s instant.trc --from 5ns --to 6ns -o t.out",
                    format, format, format));
        expect_text(err, "");
        expect(2, call("gpurt export %s late.trc", format));
        expect_text(err, "gpurt: the trace has times beyond what gpurt simulates, and cannot be drawn\n");
        expect(2, call("gpurt export %s nobody.trc", format));
        expect_text(err, "gpurt: the trace names no tasks or resources, so that there is nothing to draw\n");
        expect(0, call("head -c $(($(od -An -tu4 -j12 -N4 q.trc) + 40 * 32 + 7)) q.trc > cut.trc;"
                       "gpurt export %s cut.trc -o cut.out && test -s cut.out",
                       format));
        expect(2, call("head -c 100 q.trc | gpurt export %s -", format));
        expect_text(err, "gpurt: standard input: is cut short within its header\n");
        expect(2, call("echo nonsense > foreign; gpurt export %s foreign", format));
        expect_part(err, "gpurt: foreign: ");
    }
}

static void test_unwritable(void) {
    for (size_t i = 0; i < format_count(); i++) {
        const char *format = formats[i];
        expect(1, call("gpurt export %s q.trc -o /dev/full", format));
        expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
        expect(1, call("gpurt export %s q.trc > /dev/full", format));
        expect_text(err, "gpurt: standard output: cannot write: No space left on device\n");
        expect(1, call("gpurt export %s q.trc -o no/such/folder.x", format));
        expect_part(err, "gpurt: no/such/folder.x: cannot create a file in its folder: No such file");
        expect(1, call("printf old > keep; ulimit -f 1; gpurt export %s q.trc --width 3000 -o keep", format));
        expect_text(err, "gpurt: keep: cannot write: File too large\n");
        expect(0, call("cat keep; ls -A | grep -c tmp; true"));
        expect_text(out, "old0\n");
        expect(1, call("{ sleep 0.3; gpurt export %s q.trc; echo $? >&2; } | true; sleep 0.6; read code < "
                       "err.txt; exit $code",
                       format));
        expect_text(err, "1\n"); /* and no message */
    }
}

/* Damaged traces are drawn or refused, each within the time that call() allows. */
static void test_changed_bytes(void) {
    expect(0, call("gpurt run " GRT_SOURCE_DIR
                   "/scenarios/rules/t4r-blocks-are-interrupted.json -q --trace r.trc"));
    static char good[1 << 16], bad[1 << 16];
    FILE *file = fopen(SCRATCH "r.trc", "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    uint32_t header_bytes;
    memcpy(&header_bytes, good + 12, 4);
    struct grt_random random = grt_random_stream(1, "changed pictures", 0, 0);
    int drawn = 0, rounds = grt_suite_cases(90, 5000);
    for (int round = 0; round < rounds; round++) {
        memcpy(bad, good, size);
        for (uint64_t i = grt_random_below(&random, 6) + 1; i > 0; i--) {
            size_t first = round % 2 == 0 ? 32 : header_bytes;
            size_t at =
                first + grt_random_below(&random, (round % 3 == 0 ? header_bytes : size) - first + 1) %
                            (size - first);
            bad[at] = (char)(grt_random_below(&random, 3) == 0 ? 0xff : grt_random_below(&random, 256));
        }
        file = fopen(SCRATCH "bad.trc", "wb");
        CU_ASSERT_EQUAL(fwrite(bad, 1, size, file), size);
        fclose(file);
        int code = call("gpurt export %s bad.trc --width %d -o bad.out",
                        formats[(size_t)round % format_count()], 200 + round);
        drawn += code == 0;
        expect(code == 0 ? 0 : 2, code);
    }
    CU_ASSERT(drawn > 0 && drawn < rounds);
}

int main(void) {
    /* No call may take more than a minute of the processor. */
    struct rlimit limit = {60, 60};
    if (setrlimit(RLIMIT_CPU, &limit) != 0) {
        return EXIT_FAILURE;
    }
    CU_TestInfo tests[] = {{"same bytes", test_same_bytes},
                           {"options", test_options},
                           {"points", test_points},
                           {"legend", test_legend},
                           {"too high", test_too_high},
                           {"svg", test_svg},
                           {"traces", test_traces},
                           {"unwritable", test_unwritable},
                           {"changed bytes", test_changed_bytes},
                           {"png", test_png},
                           {"pdf", test_pdf},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("picture command", tests);
}
