#include "loadgen/generate/draws/distribution.h"

#include <algorithm>

#include "engine/base/draw.h"
#include "loadgen/generate/draws/portable_math.h"

namespace berth::loadgen {
namespace {

int64_t whole(double x) {
  constexpr double kEnd = static_cast<double>(Distribution::kMost);
  if (x >= kEnd) return Distribution::kMost;
  if (x <= 0) return 0;
  return static_cast<int64_t>(x + 0.5);
}

int64_t empirical(const Distribution& d, uint64_t bits) {
  const uint64_t at = below(bits, d.values.back().second);
  const auto chosen =
      std::upper_bound(d.values.begin(), d.values.end(), at,
                       [](uint64_t number, const auto& entry) { return number < entry.second; });
  return chosen->first;
}

int64_t raw(const Distribution& d, uint64_t bits) {
  using Kind = Distribution::Kind;
  const auto first = static_cast<double>(d.first);
  switch (d.kind) {
    case Kind::kFixed:
      return d.first;
    case Kind::kUniform:
      return d.first +
             static_cast<int64_t>(below(bits, static_cast<uint64_t>(d.second - d.first) + 1));
    case Kind::kNormal:
      return whole(first + static_cast<double>(d.second) * normal_quantile(unit_interval(bits)));
    case Kind::kLogNormal:
      return whole(first * portable_exp(d.shape * normal_quantile(unit_interval(bits))));
    case Kind::kPareto:
      return whole(first * portable_exp(-portable_ln(unit_interval(bits)) / d.shape));
    case Kind::kExponential:
      return whole(first * exponential(bits));
    case Kind::kEmpirical:
      return empirical(d, bits);
  }
  return 0;
}

}  // namespace

double unit_interval(uint64_t bits) {
  constexpr double kScale = 1.0 / 9007199254740992.0;  // 2^-53
  // Moves every value half a step away from 0. The minimum keeps the largest below 1.
  return std::min((static_cast<double>(bits >> 11) + 0.5) * kScale, 1 - kScale);
}

double exponential(uint64_t bits) { return -portable_ln(unit_interval(bits)); }

int64_t Distribution::draw(uint64_t bits) const {
  int64_t amount = raw(*this, bits);
  if (step > 1) amount = (amount + step / 2) / step * step;
  return std::clamp(amount, lowest, highest);
}

}  // namespace berth::loadgen
