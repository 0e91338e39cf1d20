/* labels: cairo */
/* PNG and PDF files: the frame's pixels, embedded fonts, the same bytes again, and what is impossible is refused. */
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/demo_picture.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "viz/picture/paint.h"

#define PNG GRT_SCRATCH_DIR "/picture.png"
#define PDF GRT_SCRATCH_DIR "/picture.pdf"

static struct grt_picture picture;
static struct grt_errors errors;

static char *written(const char *path, size_t *bytes) {
    CU_ASSERT_EQUAL(errors.count, 0);
    char *text = grt_file_text(path, bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

static void check_refused(bool done, const char *message) {
    CU_ASSERT_FALSE(done);
    CU_ASSERT_EQUAL(errors.count, 1);
    CU_ASSERT(errors.count == 1 && strstr(errors.messages[0], message) != NULL);
    if (errors.count == 1 && strstr(errors.messages[0], message) == NULL) {
        printf("got %s\n", errors.messages[0]);
    }
    grt_errors_clear(&errors);
}

/* The file shows exactly the pixels that a window would. */
static void test_png(void) {
    grt_demo_picture(&picture, &grt_themes[GRT_THEME_DARK]);
    CU_ASSERT(grt_paint_png(&picture, PNG, 1, 0x123456ff, &errors));
    cairo_surface_t *surface = cairo_image_surface_create_from_png(PNG);
    CU_ASSERT_EQUAL_FATAL(cairo_image_surface_get_width(surface), GRT_DEMO_WIDTH);
    CU_ASSERT_EQUAL_FATAL(cairo_image_surface_get_height(surface), GRT_DEMO_HEIGHT);
    static uint32_t pixels[GRT_DEMO_WIDTH * GRT_DEMO_HEIGHT];
    struct grt_frame frame = {pixels, GRT_DEMO_WIDTH, GRT_DEMO_HEIGHT, 4 * GRT_DEMO_WIDTH, 1};
    struct grt_painter *painter = grt_painter_create();
    grt_painter_paint(painter, &frame, 0x123456ff, &picture);
    grt_painter_free(painter);
    const unsigned char *rows = cairo_image_surface_get_data(surface);
    int wrong = 0;
    for (int y = 0; y < GRT_DEMO_HEIGHT; y++) {
        const unsigned char *row = rows + y * cairo_image_surface_get_stride(surface);
        for (int x = 0; x < GRT_DEMO_WIDTH; x++) {
            uint32_t pixel;
            memcpy(&pixel, row + 4 * x, 4);
            wrong += (pixel & 0xffffff) != (pixels[y * GRT_DEMO_WIDTH + x] & 0xffffff);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    cairo_surface_destroy(surface);
}

static void test_png_again(void) {
    size_t first_bytes, second_bytes;
    CU_ASSERT(grt_paint_png(&picture, PNG, 1.5, 0xffffffff, &errors));
    char *first = written(PNG, &first_bytes);
    CU_ASSERT(grt_paint_png(&picture, PNG, 1.5, 0xffffffff, &errors));
    char *second = written(PNG, &second_bytes);
    CU_ASSERT(first_bytes == second_bytes && memcmp(first, second, first_bytes) == 0);
    free(first);
    free(second);
}

static const char *find(const char *text, size_t bytes, const char *wanted) {
    size_t length = strlen(wanted);
    for (size_t i = 0; i + length <= bytes; i++) {
        if (memcmp(text + i, wanted, length) == 0) {
            return text + i + length;
        }
    }
    return NULL;
}

static int count(const char *text, size_t bytes, const char *wanted) {
    int found = 0;
    const char *at = text;
    while ((at = find(at, bytes - (size_t)(at - text), wanted)) != NULL) {
        found++;
    }
    return found;
}

/* Every font descriptor has its font file, the page its size, and no file tells when it was made. */
static void test_pdf(void) {
    static const struct grt_pdf pdf = {
        .width_mm = 181, .title = "A <demo> \xff\x01", .background = 0xffffffff};
    for (int theme = 0; theme < GRT_THEMES; theme++) {
        size_t bytes, second_bytes;
        grt_demo_picture(&picture, &grt_themes[theme]);
        CU_ASSERT(grt_paint_pdf(&picture, PDF, &pdf, &errors));
        char *text = written(PDF, &bytes);
        CU_ASSERT(memcmp(text, "%PDF-1.4", 8) == 0);
        int fonts = count(text, bytes, "/Type /FontDescriptor");
        CU_ASSERT(fonts >= GRT_FONTS);
        CU_ASSERT_EQUAL(count(text, bytes, "/FontFile2 "), fonts);
        CU_ASSERT(find(text, bytes, "DejaVuSansMono") != NULL &&
                  find(text, bytes, "DejaVuSans-Bold") != NULL);
        const char *box = find(text, bytes, "/MediaBox [ 0 0 ");
        CU_ASSERT_FATAL(box != NULL);
        char *behind;
        double width = strtod(box, &behind), height = strtod(behind, NULL);
        CU_ASSERT_DOUBLE_EQUAL(width, 181 / 25.4 * 72, 0.01);
        CU_ASSERT_DOUBLE_EQUAL(height, 181 / 25.4 * 72 * GRT_DEMO_HEIGHT / GRT_DEMO_WIDTH, 0.01);
        CU_ASSERT(find(text, bytes, "/CreationDate (20000101000000Z)") !=
                      NULL || /* cairo 1.16 forgets "D:" */
                  find(text, bytes, "/CreationDate (D:20000101000000Z)") != NULL);
        sleep(theme == 0 ? 1 : 0); /* a date of now would differ */
        CU_ASSERT(grt_paint_pdf(&picture, PDF, &pdf, &errors));
        char *second = written(PDF, &second_bytes);
        CU_ASSERT(bytes == second_bytes && memcmp(text, second, bytes) == 0);
        free(text);
        free(second);
    }
}

/* The size that a paper takes: 10,000 rectangles and 1,000 labels. */
static void test_pdf_size(void) {
    static const struct grt_pdf pdf = {.width_mm = 181};
    size_t bytes;
    grt_dense_picture(&picture, &grt_themes[GRT_THEME_PRINT], 10000, 1000);
    CU_ASSERT(grt_paint_pdf(&picture, PDF, &pdf, &errors));
    free(written(PDF, &bytes));
    CU_ASSERT(bytes <= 200000);
}

static void test_impossible_sizes(void) {
    static const struct grt_pdf no_pdf = {.width_mm = NAN}, huge_pdf = {.width_mm = 5001};
    grt_demo_picture(&picture, &grt_themes[GRT_THEME_LIGHT]);
    unlink(PNG);
    unlink(PDF);
    check_refused(grt_paint_png(&picture, PNG, NAN, 0, &errors), "is not possible");
    check_refused(grt_paint_png(&picture, PNG, 0, 0, &errors), "at scale 0 is not possible");
    check_refused(grt_paint_png(&picture, PNG, -1, 0, &errors), "is not possible");
    check_refused(grt_paint_png(&picture, PNG, 9, 0, &errors), "scale 0.1 to 8");
    check_refused(grt_paint_pdf(&picture, PDF, &no_pdf, &errors), "1 to 5000 mm a side");
    check_refused(grt_paint_pdf(&picture, PDF, &huge_pdf, &errors), "a page 5001 mm wide");
    grt_picture_begin(&picture, 0, 100);
    check_refused(grt_paint_png(&picture, PNG, 1, 0, &errors), "of 0 x 100 pixels");
    check_refused(grt_paint_pdf(&picture, PDF, &(struct grt_pdf){.width_mm = 88}, &errors),
                  "of 0 x 100 pixels");
    grt_picture_begin(&picture, 30000, 30000);
    check_refused(grt_paint_png(&picture, PNG, 1, 0, &errors), "in all");
    grt_picture_begin(&picture, 1e9, 1);
    check_refused(grt_paint_png(&picture, PNG, 0.1, 0, &errors), "of 1000000 x 1 pixels");
    CU_ASSERT_NOT_EQUAL(access(PNG, F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(PDF, F_OK), 0);
}

static void test_full_disk(void) {
    static const struct grt_pdf pdf = {.width_mm = 88};
    grt_demo_picture(&picture, &grt_themes[GRT_THEME_LIGHT]);
    check_refused(grt_paint_png(&picture, "/dev/full", 1, 0, &errors),
                  "/dev/full: cannot write: No space left");
    check_refused(grt_paint_pdf(&picture, "/dev/full", &pdf, &errors),
                  "/dev/full: cannot write: No space left");
    check_refused(grt_paint_png(&picture, GRT_SCRATCH_DIR "/none/p.png", 1, 0, &errors), "No such file");
    check_refused(grt_paint_pdf(&picture, GRT_SCRATCH_DIR "/none/p.pdf", &pdf, &errors), "No such file");
}

/* A scene that forgot to close what it opened. */
static void test_left_open(void) {
    grt_picture_begin(&picture, 90, 90);
    grt_picture_clip(&picture, (struct grt_box){0, 0, 5, 5});
    grt_picture_group(&picture, "g", 1);
    grt_picture_rect(&picture, 0, 0, 90, 90, 0xff0000ff);
    CU_ASSERT(grt_paint_pdf(&picture, PDF, &(struct grt_pdf){.width_mm = 88}, &errors));
    CU_ASSERT(grt_paint_png(&picture, PNG, 1, 0, &errors));
}

int main(void) {
    CU_TestInfo tests[] = {{"PNG", test_png},
                           {"PNG again", test_png_again},
                           {"PDF", test_pdf},
                           {"PDF size", test_pdf_size},
                           {"impossible sizes", test_impossible_sizes},
                           {"full disk", test_full_disk},
                           {"left open", test_left_open},
                           CU_TEST_INFO_NULL};
    int failed = grt_suite_run("paint_files", tests);
    grt_picture_free(&picture);
    return failed;
}
