#include "plugins/pod_topology_spread/kernel.h"

#include <cmath>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {

// The algorithm of Sun's fdlibm (e_log.c): reduce to 2^k * (1 + f), then a polynomial in f / (2 +
// f).
double topology_weight(int64_t domains) {
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr double k1 = 6.666666666666735130e-01, k2 = 3.999999999940941908e-01,
                   k3 = 2.857142874366239149e-01, k4 = 2.222219843214978396e-01,
                   k5 = 1.818357216161805012e-01, k6 = 1.531383769920937332e-01,
                   k7 = 1.479819860511658591e-01;
  constexpr double kHalfRootOf2 = 0.70710678118654752440084436210484903928;
  int exponent = 0;
  double fraction = std::frexp(static_cast<double>(domains + 2), &exponent);
  if (fraction < kHalfRootOf2) {
    fraction *= 2;
    --exponent;
  }
  const double f = fraction - 1;
  const double k = exponent;
  const double s = f / (2 + f);
  const double s2 = s * s;
  const double s4 = s2 * s2;
  const double odd = s2 * (k1 + s4 * (k3 + s4 * (k5 + s4 * k7)));
  const double even = s4 * (k2 + s4 * (k4 + s4 * k6));
  const double half_square = 0.5 * f * f;
  return k * kLn2High - ((half_square - (s * (half_square + (odd + even)) + k * kLn2Low)) - f);
}

BERTH_SDK_VECTORISE
void add_topology(const uint8_t* has_label, const int64_t* counts, double weight, double extra,
                  double* scores, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    const double more = sdk::small_to_double(counts[i]) * weight + extra;
    scores[i] += has_label[i] != 0 ? more : 0.0;
  }
}

void round_all(const double* scores, int64_t* rounded, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    // Below 2^31 the truncated number and the remainder are exact.
    const auto whole = static_cast<int64_t>(scores[i]);
    const double rest = scores[i] - static_cast<double>(whole);
    rounded[i] = whole + (rest >= 0.5) - (rest <= -0.5);
  }
}

}  // namespace berth::plugins
