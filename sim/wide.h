/* 128-bit arithmetic, for products and long sums of times. */
#ifndef GRT_SIM_WIDE_H
#define GRT_SIM_WIDE_H

__extension__ typedef unsigned __int128 grt_wide;
__extension__ typedef __int128 grt_signed_wide;

#endif
