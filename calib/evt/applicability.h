/* Whether extreme value theory may speak of a series of measured values: they have to be alike and independent enough. The null hypothesis of each test is
 * that all is well; a small p speaks against it. Series are in the order of measuring. */
#ifndef GRT_CALIB_EVT_APPLICABILITY_H
#define GRT_CALIB_EVT_APPLICABILITY_H

#include <stddef.h>

struct grt_test {
    double statistic, p; /* not a number: too few values, or all the same */
};

/* Correlation of values up to `lags` apart. G. M. Ljung, G. E. P. Box, On a measure of lack of fit in time series models, Biometrika 65, 1978. */
struct grt_test grt_test_ljung_box(const double *series, size_t count, size_t lags);

/* Too long or too short runs above and below the median; values equal to it are left out. A. Wald, J. Wolfowitz, On a test whether two samples are from the same
 * population, Annals of Mathematical Statistics 11, 1940. The statistic is normal; p of both sides. */
struct grt_test grt_test_runs(const double *series, size_t count);

/* The largest distance of the first half's distribution from that of the second: Kolmogorov-Smirnov, with the asymptotic p. */
struct grt_test grt_test_halves(const double *series, size_t count);

/* Whether the level stays. D. Kwiatkowski, P. C. B. Phillips, P. Schmidt, Y. Shin, Testing the null hypothesis of stationarity against the alternative of a unit
 * root, J. Econometrics 54, 1992; the limit is the Cramer-von Mises distribution, which p is computed of. */
struct grt_test grt_test_stationary(const double *series, size_t count);

/* Dependence over long distances: A. W. Lo, Long-term memory in stock market prices, Econometrica 59, 1991 (the range of the sums of differences from the
 * mean). p is of the upper side. */
struct grt_test grt_test_memory(const double *series, size_t count);

#endif
