#include "plugins/node_resources_fit/args.h"

#include <algorithm>

#include "berth/sdk/field_errors.hpp"
#include "berth/sdk/kubernetes/label_names.hpp"

namespace berth::plugins {
namespace {

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

// By the rule StrictShape (kube-scheduler v1.36.2): the ratio stands with its strategy alone.
void read_strict_ratio(const sdk::Config& ratio, FitArgs& args) {
  const bool wanted = args.strategy == Strategy::kRequestedToCapacityRatio;
  if (!ratio.present()) {
    if (wanted)
      ratio.error(sdk::required_value("must be specified when type is RequestedToCapacityRatio"));
  } else if (ratio.object()) {
    const std::vector<sdk::ShapePoint> shape = sdk::read_shape(ratio["shape"]);
    if (!wanted) {
      ratio.error(sdk::forbidden_value("must be nil when type is not RequestedToCapacityRatio"));
    } else if (sdk::check_shape(shape, ratio)) {
      args.scores_by_utilisation = sdk::interpolate(shape);
    }
  }
}

void read_ratio(const sdk::Config& config, const sdk::Config& ratio, FitArgs& args) {
  if (ratio.object()) {
    // In kube-scheduler's messages the shape stands directly under the strategy.
    const std::vector<sdk::ShapePoint> shape = sdk::read_shape(ratio["shape"]);
    if (sdk::check_shape(shape, config)) args.scores_by_utilisation = sdk::interpolate(shape);
  } else if (args.strategy == Strategy::kRequestedToCapacityRatio && !ratio.present()) {
    // kube-scheduler stops with a nil pointer here.
    ratio.error(sdk::required_value("the strategy RequestedToCapacityRatio needs a shape"));
  }
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
  if (config.rule("StrictShape")) return read_strict_ratio(ratio, args);
  read_ratio(config, ratio, args);
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
