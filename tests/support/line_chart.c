#include "tests/support/line_chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { WIDTH = 790, HEIGHT = 340, LEFT = 60, TOP = 14, PLOT_WIDTH = 500, PLOT_HEIGHT = 270 };

struct writer {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(writer->text + writer->used, GRT_CHART_SIZE - writer->used, format, arguments);
    va_end(arguments);
    writer->used += (size_t)length;
    writer->used = writer->used < GRT_CHART_SIZE ? writer->used : GRT_CHART_SIZE - 1;
}

static double place_x(const struct grt_line_chart *chart, double x) {
    return LEFT + PLOT_WIDTH * x / chart->x_last;
}

static double place_y(const struct grt_line_chart *chart, double y) {
    return TOP + PLOT_HEIGHT * (1 - y / chart->y_last);
}

static void add_grid(struct writer *writer, const struct grt_line_chart *chart) {
    for (int i = 0; i * chart->y_step <= chart->y_last * 1.001; i++) {
        double y = place_y(chart, i * chart->y_step);
        add(writer, "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>\n", LEFT, y, PLOT_WIDTH);
        add(writer, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, y + 4,
            i * chart->y_step);
    }
    for (int i = 0; i * chart->x_step <= chart->x_last * 1.001; i++) {
        add(writer, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            place_x(chart, i * chart->x_step), TOP + PLOT_HEIGHT + 18, i * chart->x_step);
    }
    add(writer, "<path d=\"M%d %dv%dh%d\" stroke=\"#555\" fill=\"none\"/>\n", LEFT, TOP, PLOT_HEIGHT,
        PLOT_WIDTH);
    add(writer, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + PLOT_WIDTH / 2,
        HEIGHT - 12, chart->x_title);
    add(writer, "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
        TOP + PLOT_HEIGHT / 2, chart->y_title);
}

static void add_series(struct writer *writer, const struct grt_line_chart *chart, int number) {
    static const char *const colours[GRT_CHART_SERIES] = {"#0072b2", "#d55e00", "#009e73",
                                                          "#cc79a7", "#555555", "#e69f00"};
    add(writer, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"", colours[number]);
    for (int i = 0; i < chart->point_count; i++) {
        double y = fmin(chart->series[number].y[i], chart->y_last);
        add(writer, "%c%.1f %.1f", i == 0 ? 'M' : 'L', place_x(chart, chart->x[i]), place_y(chart, y));
    }
    add(writer, "\"/>\n");
    int y = TOP + 14 + 22 * number, x = LEFT + PLOT_WIDTH + 16;
    add(writer, "<path d=\"M%d %dh24\" stroke-width=\"2\" stroke=\"%s\"/>\n", x, y - 4, colours[number]);
    add(writer, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 30, y, chart->series[number].name);
}

void grt_line_chart_write(const struct grt_line_chart *chart, char text[GRT_CHART_SIZE]) {
    struct writer writer = {.text = text};
    add(&writer,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" "
        "fill=\"#fff\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_grid(&writer, chart);
    for (int i = 0; i < chart->series_count; i++) {
        add_series(&writer, chart, i);
    }
    add(&writer, "</svg>\n");
}
