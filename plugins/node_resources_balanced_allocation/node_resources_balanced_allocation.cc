#include "plugins/node_resources_balanced_allocation/node_resources_balanced_allocation.h"

#include <algorithm>
#include <cmath>

#include "berth/sdk/arithmetic.hpp"
#include "berth/sdk/field_errors.hpp"
#include "berth/sdk/services/rules.hpp"
#include "plugins/node_resources_balanced_allocation/kernel.h"

namespace berth::plugins {
namespace {

bool requests_none(const BalancedArgs& args, const sdk::Strings& strings,
                   const sdk::Requests& requests) {
  return std::all_of(args.resources.begin(), args.resources.end(), [&](const auto& resource) {
    return requests.of(strings.intern(resource.name)) == 0;
  });
}

// Whose requests count.
enum class Use : uint8_t { kWithPod, kWithoutPod };

// Calls each(fraction) for the resources that the node has, in order.
template <Use kUse, class Call, class Each>
void for_each_fraction(const Call& call, size_t position, Each&& each) {
  for (const sdk::ScoredResource& resource : call.state().resources) {
    const int64_t allocatable = call[resource.allocatable][position];
    if (allocatable == 0) continue;
    const int64_t request = kUse == Use::kWithPod ? resource.request : 0;
    each(fraction_in_use(allocatable, sdk::wrapping_add(call[resource.used][position], request)));
  }
}

// Every sum and product is rounded separately, in this order: kube-scheduler on amd64 does not use
// fused operations.
template <Use kUse, class Call>
int64_t evenness_of(const Call& call, size_t position) {
  double first[2] = {0, 0};
  size_t count = 0;
  double total = 0;
  for_each_fraction<kUse>(call, position, [&](double fraction) {
    if (count < 2) first[count] = fraction;
    ++count;
    total += fraction;
  });
  double deviation = 0;
  if (count == 2) {
    deviation = std::fabs((first[0] - first[1]) / 2);
  } else if (count > 2) {
    const double mean = total / static_cast<double>(count);
    double sum = 0;
    for_each_fraction<kUse>(call, position,
                            [&](double fraction) { sum += (fraction - mean) * (fraction - mean); });
    deviation = std::sqrt(sum / static_cast<double>(count));
  }
  return static_cast<int64_t>((1 - deviation) * 100);
}

// A loop for each rule, so that a node costs no question about it.
template <class Call>
void score_each(const Call& call, bool of_change, std::span<int64_t> raw) {
  if (of_change) {
    for (size_t i = 0; i < raw.size(); ++i)
      raw[i] = score_of_change(evenness_of<Use::kWithPod>(call, i),
                               evenness_of<Use::kWithoutPod>(call, i));
  } else {
    for (size_t i = 0; i < raw.size(); ++i) raw[i] = evenness_of<Use::kWithPod>(call, i);
  }
}

}  // namespace

BalancedArgs read_balanced_args(const sdk::Config& config) {
  config.type_meta("NodeResourcesBalancedAllocationArgs");
  const sdk::Config list = config["resources"];
  BalancedArgs args{sdk::read_resources(list)};
  for (size_t i = 0; i < args.resources.size(); ++i) {
    const auto& [name, weight] = args.resources[i];
    const auto same = [&name = name](const sdk::ResourceSpec& other) { return other.name == name; };
    const auto here = args.resources.begin() + static_cast<ptrdiff_t>(i);
    if (std::any_of(args.resources.begin(), here, same))
      list.error(sdk::duplicate_value(name), sdk::concat("[", i, "].name"));
    if (weight != 1)
      list.error(sdk::invalid_value(weight, "must be 1"), sdk::concat("[", i, "].weight"));
  }
  return args;
}

void BalancedPreScore::prepare(const sdk::Template& pod, sdk::Preparation&,
                               BalancedPreScoreState& state) {
  state.requests_none = requests_none(args_, strings_, requests_.of(pod));
}

void BalancedPreScore::pre_score(const Call& call, const berth_feasible*,
                                 sdk::PreScoreResult& result) const {
  if (call.state().requests_none) result.skip();
}

void BalancedScore::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  of_change_ = sdk::Rules(host).holds("BalanceOfChange");
}

void BalancedScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            BalancedState& state) {
  const sdk::Requests requests = requests_.of(pod);
  state.requests_none = requests_none(args_, strings_, requests);
  state.resources =
      sdk::add_scored(prepared, strings_, args_.resources, requests, "node.requested:");
  if (state.requests_none) prepared.passes();
}

void BalancedScore::score(const Call& call, std::span<int64_t> raw) const {
  const BalancedState& state = call.state();
  if (state.requests_none) return std::fill(raw.begin(), raw.end(), 0);
  if (state.resources.size() == 2 && raw.size() > 1) {
    const auto input = [&](const sdk::ScoredResource& resource) {
      return BalancedInput{call[resource.allocatable].data(), call[resource.used].data(),
                           resource.request};
    };
    const auto score_all = of_change_ ? score_change_of_two : score_two;
    if (score_all(input(state.resources[0]), input(state.resources[1]), raw.data(), raw.size()))
      return;
  }
  score_each(call, of_change_, raw);
}

void BalancedScore::numbers(const Call& call, sdk::Numbers& numbers) const {
  if (!of_change_) return sdk::write_scored(call, call.state().resources, numbers);
  for (const sdk::ScoredResource& resource : call.state().resources) {
    const uint32_t unit = sdk::unit_of(resource.name);
    const int64_t now = call[resource.used][0];
    numbers.item(resource.name)
        .number("requested", sdk::wrapping_add(now, resource.request), unit)
        .number("before", now, unit)
        .number("allocatable", call[resource.allocatable][0], unit);
  }
}

}  // namespace berth::plugins
