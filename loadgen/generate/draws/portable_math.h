#pragma once

// Logarithm, exponential and normal quantile, built from IEEE basic operations only. In contrast to
// the C library's functions they give the same bits on every machine. The relative error is about
// 1e-15.

namespace berth::loadgen {

// Requires: x > 0 and finite.
double portable_ln(double x);

// Arguments outside [-700, 700] are clamped.
double portable_exp(double x);

// The x for which a standard normal variable is below x with probability p. Requires: 0 < p < 1.
double normal_quantile(double p);

}  // namespace berth::loadgen
