// Plots: ticks, points that are kept, widths of texts, pictures.
#include "numbers.h"
#include "plot/figure.h"
#include "plot/font.h"
#include "plot/png_canvas.h"
#include "plot/series.h"
#include "plot/svg_canvas.h"
#include "plot/ticks.h"

static void expect_ticks(double low, double high, int wanted, const char* labels) {
    const Ticks ticks = ticks_choose(low, high, wanted);
    char text[256] = "";
    for (int i = 0; i < ticks.n; i++) {
        char label[TICK_LABEL];
        ticks_label(&ticks, i, label);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "", label);
    }
    assert_string_equal(text, labels);
}

static void test_ticks(void** state) {
    (void)state;
    expect_ticks(0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0");
    expect_ticks(-1, 1, 4, "-1.0 -0.5 0 0.5 1.0");
    expect_ticks(0, 2.9, 3, "0 1 2");
    expect_ticks(0.9, 1.95, 2, "1.0 1.5");
    expect_ticks(0, 4e-15, 4, "0 1e-15 2e-15 3e-15 4e-15");
    expect_ticks(1000, 1001, 3, "1000.0 1000.5 1001.0");
    expect_ticks(0, 3e6, 3, "0 1e+06 2e+06 3e+06");
    expect_ticks(-0.05, 0.05, 3, "-0.05 0 0.05");
}

static void test_series_keep_extremes(void** state) {
    (void)state;
    enum { N = 1000000 };
    Series series = {0};
    for (int i = 0; i < N; i++) {
        const double y = i == 123457 ? 5 : i == 765431 ? -7 : sin(i);
        assert_int_equal(series_add_over_time(&series, i, y), STATUS_OK);
    }
    double low = 0, high = 0, t_low = 0, t_high = 0;
    for (long i = 0; i < series.n; i++) {
        assert_true(i == 0 || series.x[i] > series.x[i - 1]);
        t_low = series.y[i] < low ? series.x[i] : t_low;
        t_high = series.y[i] > high ? series.x[i] : t_high;
        low = fmin(low, series.y[i]);
        high = fmax(high, series.y[i]);
    }
    assert_true(series.n <= 65536 && series.n > 10000);
    assert_true(low == -7 && t_low == 765431 && high == 5 && t_high == 123457);
    series_free(&series);
    for (int i = 0; i < N; i++) {
        assert_int_equal(series_add(&series, i, 2 * i), STATUS_OK);
    }
    assert_true(series.n <= 65536 && series.n > 10000);
    for (long i = 0; i < series.n; i++) {
        assert_true(series.y[i] == 2 * series.x[i]);
        assert_true(i < 2 || series.x[i] - series.x[i - 1] == series.x[1] - series.x[0]);
    }
    series_free(&series);
}

// Every glyph leaves ink, and nothing outside of its own width.
static void test_glyphs(void** state) {
    (void)state;
    for (char c = '!'; c <= '~'; c++) {
        const char text[] = {c, '\0'};
        const TextStyle style = {.colour = 0, .size = 20};
        PngCanvas png;
        assert_int_equal(png_canvas_begin(&png, 40, 40, 1), STATUS_OK);
        png.canvas.kind->text(&png.canvas, 10, 25, text, &style);
        int n = 0, left = 40, right = 0, top = 40, bottom = 0;
        for (int y = 0; y < 40; y++) {
            for (int x = 0; x < 40; x++) {
                if (png.pixels[3 * (40 * y + x)] < 128) {
                    n++;
                    left = x < left ? x : left;
                    right = x > right ? x : right;
                    top = y < top ? y : top;
                    bottom = y > bottom ? y : bottom;
                }
            }
        }
        assert_true(n >= 4);
        assert_true(left >= 8 && right <= 12 + font_width(text, 20) && top >= 9 && bottom <= 31);
        png_canvas_free(&png);
    }
    assert_true(font_width("wide words", 12) > font_width("ill", 12));
    assert_true(font_width("", 12) == 0);
}

// What cannot be drawn is left out or cut, never written outside.
static void test_clipping(void** state) {
    (void)state;
    const double points[] = {-1e9, 5, 1e9, 5, 5, -1e9, 5, 1e9, 5, 5, 5, 5};
    const Stroke stroke = {0xff0000, 2, 0};
    const Stroke dashed = {0x00ff00, 2, 3};
    const Box box = {3, 3, 4, 4};
    PngCanvas png;
    assert_int_equal(png_canvas_begin(&png, 0, 10, 1), STATUS_TOO_LARGE);
    assert_int_equal(png_canvas_begin(&png, 1e9, 10, 1), STATUS_TOO_LARGE);
    assert_int_equal(png_canvas_begin(&png, 10, 10, 1), STATUS_OK);
    png.canvas.kind->clip(&png.canvas, &box);
    png.canvas.kind->line(&png.canvas, points, 6, &stroke);
    png.canvas.kind->line(&png.canvas, points + 8, 2, &dashed);
    png.canvas.kind->fill(&png.canvas, (Box){-5, -5, 9, 9}, 0x0000ff);
    for (int i = 0; i < 100; i++) {
        const int x = i % 10, y = i / 10;
        const bool inside = x >= 3 && x < 7 && y >= 3 && y < 7;
        const bool white = png.pixels[3 * i] == 255 && png.pixels[3 * i + 1] == 255;
        assert_true(inside || white);
    }
    assert_true(png.pixels[3 * 33 + 2] == 255 && png.pixels[3 * 33] == 0);
    assert_true(png.pixels[3 * 55] == 255 && png.pixels[3 * 55 + 1] == 0);
    png_canvas_free(&png);
}

// A figure of nothing but hard cases: one point, one constant, texts that need quotes.
static void test_figure(void** state) {
    (void)state;
    static const double zero[] = {0}, t[] = {0, 1, 2}, constant[] = {3, 3, 3};
    const Curve point = {"<a & \"b\">", zero, zero, 1, false};
    const Curve line = {"line", t, constant, 3, true};
    const Panel panels[] = {{.y_label = "m", .unit = "m", .curves = &point, .n_curves = 1},
                            {.x_label = "x",
                             .y_label = "",
                             .unit = "",
                             .curves = &line,
                             .n_curves = 1,
                             .equal_scales = true}};
    const Figure figure = {"title", panels, 2, 0, 0};
    PanelLayout layouts[2];
    double width, height;
    figure_arrange(&figure, layouts, &width, &height);
    assert_true(width > 0 && height > layouts[1].frame.y + layouts[1].frame.height);
    assert_true(layouts[0].x_1 > layouts[0].x_0 && layouts[0].y_1 > layouts[0].y_0);
    TextBuffer out = {0};
    SvgCanvas svg = svg_canvas_begin(&out, width, height);
    assert_int_equal(figure_draw(&figure, layouts, &svg.canvas), STATUS_OK);
    svg_canvas_end(&svg);
    assert_false(out.failed);
    assert_non_null(strstr(out.text, "&lt;a &amp; &quot;b&quot;&gt;"));
    assert_null(strstr(out.text, "nan"));
    assert_null(strstr(out.text, "inf"));
    text_buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),  cmocka_unit_test(test_series_keep_extremes),
        cmocka_unit_test(test_glyphs), cmocka_unit_test(test_clipping),
        cmocka_unit_test(test_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
