#pragma once

// Logarithm, exponential and the quantile of the normal distribution from nothing but IEEE's basic
// operations, so that they are the same to the last bit on any machine; those of the C library are
// not. Good to about 1e-15 of the value.

namespace berth::loadgen {

// Requires: x > 0 and finite.
double portable_ln(double x);

// Of an x below -700 or above 700 that of -700 or 700.
double portable_exp(double x);

// The x below which a standard normal draw is with that probability. Requires: 0 < p < 1.
double normal_quantile(double p);

}  // namespace berth::loadgen
