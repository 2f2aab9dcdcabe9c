#include "plugins/node_resources_fit/args.h"

#include <algorithm>

#include "berth/sdk/field_errors.hpp"
#include "berth/sdk/label_names.hpp"

namespace berth::plugins {
namespace {

struct ShapePoint {
  int64_t utilisation;
  int64_t score;  // 0..10 as configured
};

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<std::string> read_names(const sdk::Config& list, bool groups) {
  std::vector<std::string> names;
  for (const sdk::Config& item : list.elements()) {
    const std::string& name = names.emplace_back(item.text());
    if (groups && name.find('/') != std::string::npos)
      item.error(sdk::invalid_value(name, "resource group name can't contain '/'"));
    for (const std::string& problem : sdk::qualified_name_problems(name))
      item.error(sdk::invalid_value(name, problem));
  }
  return names;
}

Strategy read_strategy(const sdk::Config& config) {
  const std::string_view type = config.text();
  if (type == "MostAllocated") return Strategy::kMostAllocated;
  if (type == "RequestedToCapacityRatio") return Strategy::kRequestedToCapacityRatio;
  if (type != "LeastAllocated")
    config.error(sdk::unsupported_value(
        type, {"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"}));
  return Strategy::kLeastAllocated;
}

std::vector<ShapePoint> read_shape(const sdk::Config& list) {
  std::vector<ShapePoint> shape;
  for (const sdk::Config& item : list.elements()) {
    if (!item.object()) continue;
    shape.push_back({item["utilization"].integer(0, INT32_MIN, INT32_MAX),
                     item["score"].integer(0, INT32_MIN, INT32_MAX)});
  }
  return shape;
}

// Upstream's paths have the shape directly under the strategy.
bool check_shape(const std::vector<ShapePoint>& shape, const sdk::Config& strategy) {
  bool good = !shape.empty();
  if (shape.empty())
    strategy.error(sdk::required_value("at least one point must be specified"), ".shape");
  const auto report = [&](size_t i, std::string_view member, int64_t value, std::string_view what) {
    good = false;
    strategy.error(sdk::invalid_value(value, what), sdk::concat(".shape[", i, "]", member));
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

// Straight lines between the points, level outside of them; integer division as upstream. Scores
// 0..10 become 0..100.
UtilisationScores draw(const std::vector<ShapePoint>& shape) {
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

void read_scoring(const sdk::Config& config, FitArgs& args) {
  args.strategy = read_strategy(config["type"]);
  const sdk::Config resources = config["resources"];
  args.resources = sdk::read_resources(resources);
  for (size_t i = 0; i < args.resources.size(); ++i) {
    const auto& [name, weight] = args.resources[i];
    if (weight <= 0 || weight > 100)
      resources.error(sdk::invalid_value(weight, sdk::concat("resource weight of ", name,
                                                             " not in valid range (0, 100]")),
                      sdk::concat("[", i, "].weight"));
  }
  const sdk::Config ratio = config["requestedToCapacityRatio"];
  if (ratio.object()) {
    const std::vector<ShapePoint> shape = read_shape(ratio["shape"]);
    if (check_shape(shape, config)) args.scores_by_utilisation = draw(shape);
  } else if (args.strategy == Strategy::kRequestedToCapacityRatio && !ratio.present()) {
    // kube-scheduler stops with a nil pointer here.
    ratio.error(sdk::required_value("the strategy RequestedToCapacityRatio needs a shape"));
  }
}

}  // namespace

bool FitArgs::ignores(std::string_view name) const {
  return contains(ignored_resources, name) ||
         contains(ignored_groups, name.substr(0, name.find('/')));
}

FitArgs read_fit_args(const sdk::Config& config) {
  config.type_meta("NodeResourcesFitArgs");
  FitArgs args;
  args.ignored_resources = read_names(config["ignoredResources"], false);
  args.ignored_groups = read_names(config["ignoredResourceGroups"], true);
  const sdk::Config scoring = config["scoringStrategy"];
  if (scoring.object()) {
    read_scoring(scoring, args);
  } else {
    args.resources = sdk::read_resources(sdk::Config(nullptr));
  }
  return args;
}

}  // namespace berth::plugins
