/* The kernels that measure; kernels.h says what each is for and what its amount counts. The same text is compiled to PTX by clang or nvcc, and for the host by
 * tests. kernels.ptx beside is what the program carries: made by
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_60 -O3 -S
 * so that building needs neither; see make_ptx.sh. */
#include "gpu_port.h"

enum { TILE = 16, HALO = TILE + 2, REDUCE_THREADS = 256, TEXELS = 16384 };

/* Four floats that are read and written at once. */
struct four {
    float x, y, z, w;
} __attribute__((aligned(16)));

/* Where in buffers that hold `room` elements the part of a block begins that needs `amount`. */
GRT_CODE unsigned part_of(unsigned block, unsigned amount, unsigned room) {
    return block % (room / amount) * amount;
}

GRT_KERNEL(k_spin_ns)(struct grt_control control, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        if (GRT_THREAD == 0) {
            unsigned long long start = grt_timer();
            while (grt_timer() - start < amount)
                continue;
        }
    }
}

GRT_KERNEL(k_spin_cycles)(struct grt_control control, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        if (GRT_THREAD == 0) {
            unsigned start = grt_cycles();
            while (grt_cycles() - start < (unsigned)amount)
                continue;
        }
    }
}

/* x^2 - 1.8 never settles, so that the multipliers have ever different numbers, and draw the power that these cost. */
GRT_KERNEL(k_fma)(struct grt_control control, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        float a = (float)(GRT_THREAD % 32) / 32, b = (float)(block % 32) / 32, c = a * b, d = a - b;
        for (unsigned i = 0; i < (unsigned)amount; i++) {
            a = grt_fma(a, a, -1.8f);
            b = grt_fma(b, b, -1.8f);
            c = grt_fma(c, c, -1.8f);
            d = grt_fma(d, d, -1.8f);
        }
        grt_keep(a + b + c + d);
    }
}

GRT_KERNEL(k_vadd)
(struct grt_control control, const float *a, const float *b, float *sum, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned start = part_of(block, (unsigned)amount, 1u << control.buffer_log2);
        for (unsigned i = GRT_THREAD; i < (unsigned)amount; i += GRT_THREADS)
            sum[start + i] = a[start + i] + b[start + i];
    }
}

GRT_KERNEL(k_triad)
(struct grt_control control, const struct four *a, const struct four *b, struct four *sum,
 unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned start = part_of(block, (unsigned)amount, 1u << control.buffer_log2 >> 2);
        for (unsigned i = GRT_THREAD; i < (unsigned)amount; i += GRT_THREADS) {
            struct four left = a[start + i], right = b[start + i];
            struct four value = {grt_fma(right.x, 3, left.x), grt_fma(right.y, 3, left.y),
                                 grt_fma(right.z, 3, left.z), grt_fma(right.w, 3, left.w)};
            sum[start + i] = value;
        }
    }
}

GRT_KERNEL(k_matmul)
(struct grt_control control, const float *a, const float *b, float *product, unsigned long long amount) {
    GRT_SHARED float left[TILE][TILE], right[TILE][TILE];
    GRT_BLOCKS(control, block) {
        unsigned n = (unsigned)amount, tiles = n / TILE, x = GRT_THREAD % TILE, y = GRT_THREAD / TILE;
        unsigned row = block / tiles % tiles * TILE + y, column = block % tiles * TILE + x;
        float sum = 0;
        for (unsigned k = 0; k < n; k += TILE) {
            left[y][x] = a[row * n + k + x];
            right[y][x] = b[(k + y) * n + column];
            GRT_BARRIER();
            for (unsigned i = 0; i < TILE; i++)
                sum = grt_fma(left[y][i], right[i][x], sum);
            GRT_BARRIER();
        }
        product[row * n + column] = sum;
    }
}

/* The place of a cell, or of the nearest one inside the square. */
GRT_CODE unsigned cell(int row, int column, int width) {
    row = row < 0 ? 0 : row >= width ? width - 1 : row;
    column = column < 0 ? 0 : column >= width ? width - 1 : column;
    return (unsigned)(row * width + column);
}

GRT_KERNEL(k_stencil)(struct grt_control control, const float *in, float *out, unsigned long long amount) {
    GRT_SHARED float tile[HALO][HALO];
    GRT_BLOCKS(control, block) {
        int width = (int)amount, tiles = width / TILE, x = (int)GRT_THREAD % TILE, y = (int)GRT_THREAD / TILE;
        int top = (int)block / tiles % tiles * TILE, left = (int)block % tiles * TILE;
        for (int i = (int)GRT_THREAD; i < HALO * HALO; i += (int)GRT_THREADS)
            tile[i / HALO][i % HALO] = in[cell(top + i / HALO - 1, left + i % HALO - 1, width)];
        GRT_BARRIER();
        float around = tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2];
        out[(top + y) * width + left + x] = grt_fma(around, 0.125f, 0.5f * tile[y + 1][x + 1]);
    }
}

GRT_KERNEL(k_reduce)(struct grt_control control, const float *in, float *out, unsigned long long amount) {
    GRT_SHARED float partial[REDUCE_THREADS];
    GRT_BLOCKS(control, block) {
        unsigned start = part_of(block, (unsigned)amount, 1u << control.buffer_log2);
        float sum = 0;
        for (unsigned i = GRT_THREAD; i < (unsigned)amount; i += GRT_THREADS)
            sum += in[start + i];
        partial[GRT_THREAD] = sum;
        for (unsigned half = GRT_THREADS / 2; half > 0; half /= 2) {
            GRT_BARRIER();
            if (GRT_THREAD < half)
                partial[GRT_THREAD] += partial[GRT_THREAD + half];
        }
        if (GRT_THREAD == 0)
            out[block & ((1u << control.buffer_log2) - 1)] = partial[0];
    }
}

/* Inside of a window that caches hold, so that the texture units are what it waits for. */
GRT_KERNEL(k_texture)
(struct grt_control control, unsigned long long texture, const float *in, float *out,
 unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned place = block * GRT_THREADS + GRT_THREAD, last = (1u << control.buffer_log2) - 1;
        unsigned window = last < TEXELS - 1 ? last : TEXELS - 1;
        float sum = 0;
        for (unsigned i = 0; i < (unsigned)amount; i++)
            sum += grt_fetch(texture, in, (place + i * 33) & window);
        out[place & last] = sum;
    }
}

/* Every place depends on what was read in the one before, which is random. */
GRT_KERNEL(k_chase)(struct grt_control control, const float *in, float *out, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned last = (1u << control.buffer_log2) - 1, place = block * 2654435761u;
        if (GRT_THREAD == 0) {
            for (unsigned i = 0; i < (unsigned)amount; i++)
                place = (place + grt_bits(in[place & last]) + i) * 2654435761u;
            out[block & last] = (float)place;
        }
    }
}

GRT_KERNEL(k_latch)
(struct grt_control control, unsigned *ready, const unsigned *go, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned long long start = grt_timer();
        *(volatile unsigned *)ready = 1;
        while (!*(const volatile unsigned *)go && grt_timer() - start < amount)
            continue;
    }
    grt_fence();
    *(volatile unsigned *)ready = 2;
}

GRT_KERNEL(k_tick)(struct grt_control control, unsigned long long *out, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned long long last = grt_timer();
        for (unsigned i = 0; i < (unsigned)amount; i++) {
            unsigned long long now = grt_timer();
            while (now == last)
                now = grt_timer();
            out[i] = last = now;
        }
    }
}

GRT_KERNEL(k_clocks)(struct grt_control control, unsigned long long amount) {
    GRT_BLOCKS(control, block)
        continue;
    (void)amount;
}

GRT_KERNEL(k_spin_table)
(struct grt_control control, const unsigned long long *table, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        if (GRT_THREAD == 0) {
            unsigned long long start = grt_timer();
            unsigned long long span = table[amount + block]; /* over PCIe: once, and in time that the block has anyway */
            while (grt_timer() - start < span)
                continue;
        }
    }
}
