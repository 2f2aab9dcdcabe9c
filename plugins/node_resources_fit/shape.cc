#include "plugins/node_resources_fit/shape.h"

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {

std::vector<ShapePoint> read_shape(const sdk::Config& list) {
  std::vector<ShapePoint> shape;
  for (const sdk::Config& item : list.elements()) {
    if (!item.object()) continue;
    shape.push_back({item["utilization"].integer(0, INT32_MIN, INT32_MAX),
                     item["score"].integer(0, INT32_MIN, INT32_MAX)});
  }
  return shape;
}

bool check_shape(const std::vector<ShapePoint>& shape, const sdk::Config& config) {
  bool good = !shape.empty();
  if (shape.empty())
    config.error(sdk::required_value("at least one point must be specified"), ".shape");
  const auto report = [&](size_t i, std::string_view member, int64_t value, std::string_view what) {
    good = false;
    config.error(sdk::invalid_value(value, what), sdk::concat(".shape[", i, "]", member));
  };
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilisation < shape[i].utilisation) continue;
    report(i, ".utilization", shape[i].utilisation, "values must be sorted in increasing order");
    break;
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].utilisation < 0 || shape[i].utilisation > 100)
      report(i, ".utilization", shape[i].utilisation, "not in valid range [0, 100]");
    if (shape[i].score < 0 || shape[i].score > 10)
      report(i, ".score", shape[i].score, "not in valid range [0, 10]");
  }
  return good;
}

// Multiplies before it divides: scores 0..10 become 0..100.
UtilisationScores interpolate(const std::vector<ShapePoint>& shape) {
  UtilisationScores scores{};
  size_t next = 0;
  for (int64_t p = 0; p <= 100; ++p) {
    while (next < shape.size() && shape[next].utilisation < p) ++next;
    int64_t& score = scores[static_cast<size_t>(p)];
    if (next == 0 || next == shape.size()) {
      score = 10 * (next == 0 ? shape.front() : shape.back()).score;
      continue;
    }
    const ShapePoint& from = shape[next - 1];
    const ShapePoint& to = shape[next];
    score = 10 * from.score + 10 * (to.score - from.score) * (p - from.utilisation) /
                                  (to.utilisation - from.utilisation);
  }
  return scores;
}

}  // namespace berth::plugins
