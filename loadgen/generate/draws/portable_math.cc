#include "loadgen/generate/draws/portable_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace berth::loadgen {
namespace {

// frexp, ldexp and sqrt are exact or correctly rounded on every platform.
// Trailing zero bits: small multiples are exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kHalfRoot = 0.70710678118654752440;

// Coefficients in ascending order. Unrolled at compile time, because a loop would double the cost.
template <size_t kCount>
double polynomial(const std::array<double, kCount>& coefficients, double x) {
  return [&]<size_t... kIndices>(std::index_sequence<kIndices...>) {
    double sum = 0;
    ((sum = sum * x + coefficients[kCount - 1 - kIndices]), ...);
    return sum;
  }
  (std::make_index_sequence<kCount>());
}

// 1/0!, 1/1!, ...
constexpr std::array<double, 17> kInverseFactorials = [] {
  std::array<double, 17> list{};
  double factorial = 1;
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) factorial *= static_cast<double>(i);
    list[i] = 1 / factorial;
  }
  return list;
}();

// 1/1, 1/3, ..., 1/23
constexpr std::array<double, 12> kInverseOdd = [] {
  std::array<double, 12> list{};
  for (size_t i = 0; i < list.size(); ++i) list[i] = 1.0 / static_cast<double>(2 * i + 1);
  return list;
}();

// Rational approximations of M. J. Wichura, "Algorithm AS 241: The percentage points of the normal
// distribution", Applied Statistics 37 (1988).
constexpr std::array<double, 8> kMiddleOver = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                               1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                               4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                               3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kMiddleUnder = {1.0,
                                                4.2313330701600911252e+1,
                                                6.8718700749205790830e+2,
                                                5.3941960214247511077e+3,
                                                2.1213794301586595867e+4,
                                                3.9307895800092710610e+4,
                                                2.8729085735721942674e+4,
                                                5.2264952788528545610e+3};
constexpr std::array<double, 8> kSideOver = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                             5.76949722146069140550e0,  3.64784832476320460504e0,
                                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kSideUnder = {1.0,
                                              2.05319162663775882187e0,
                                              1.67638483018380384940e0,
                                              6.89767334985100004550e-1,
                                              1.48103976427480074590e-1,
                                              1.51986665636164571966e-2,
                                              5.47593808499534494600e-4,
                                              1.05075007164441684324e-9};
constexpr std::array<double, 8> kTailOver = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kTailUnder = {1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};

}  // namespace

double portable_ln(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  if (fraction < kHalfRoot) {
    fraction *= 2;
    --exponent;
  }
  const double z = (fraction - 1) / (fraction + 1);  // ln f = 2 artanh z
  const double square = z * z;
  return exponent * kLn2High + (exponent * kLn2Low + 2 * z * polynomial(kInverseOdd, square));
}

double portable_exp(double x) {
  constexpr double kMost = 700;
  x = std::clamp(x, -kMost, kMost);
  const double parts = x / (kLn2High + kLn2Low);
  const int whole = static_cast<int>(parts + (parts < 0 ? -0.5 : 0.5));
  const double rest = (x - whole * kLn2High) - whole * kLn2Low;
  return std::ldexp(polynomial(kInverseFactorials, rest), whole);
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleOver, r) / polynomial(kMiddleUnder, r);
  }
  double r = std::sqrt(-portable_ln(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? polynomial(kSideOver, r - 1.6) / polynomial(kSideUnder, r - 1.6)
                          : polynomial(kTailOver, r - 5) / polynomial(kTailUnder, r - 5);
  return q < 0 ? -x : x;
}

}  // namespace berth::loadgen
