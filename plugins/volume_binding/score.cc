#include "plugins/volume_binding/score.h"

#include <algorithm>
#include <cmath>

namespace berth::plugins {
namespace {

// One entry for each class, in the order of first uses. Volumes add up; several new volumes are
// made in one capacity, that of the last of them.
std::vector<StorageUse> by_class(const std::vector<StorageUse>& uses) {
  std::vector<StorageUse> classes;
  for (const StorageUse& use : uses) {
    const auto at = std::ranges::find(classes, use.storage_class, &StorageUse::storage_class);
    if (at == classes.end()) {
      classes.push_back(use);
      continue;
    }
    at->requested = sdk::wrapping_add(at->requested, use.requested);
    at->capacity = use.shared ? use.capacity : sdk::wrapping_add(at->capacity, use.capacity);
  }
  return classes;
}

// The percentage of a class.
int64_t utilisation(const StorageUse& use) {
  if (use.capacity <= 0 || use.requested > use.capacity) return 100;
  return std::clamp<int64_t>(sdk::wrapping_multiply(use.requested, 100) / use.capacity, 0, 100);
}

}  // namespace

int64_t score_of(const std::vector<StorageUse>& uses, const sdk::UtilisationScores& shape) {
  const std::vector<StorageUse> classes = by_class(uses);
  if (classes.empty()) return 0;
  int64_t sum = 0;
  for (const StorageUse& one : classes) sum += shape[static_cast<size_t>(utilisation(one))];
  return std::llround(static_cast<double>(sum) / static_cast<double>(classes.size()));
}

void BindingPreScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                              PodClaims& state) {
  if (!shape_) return prepared.passes();
  state.some = !pod.one(claims_).empty();
}

void BindingPreScore::pre_score(const Call& call, const berth_feasible*,
                                sdk::PreScoreResult& result) const {
  if (!shape_) return result.skip();
  if (call.state().some && !call.ran_pre_filter()) throw sdk::Failure("not found");
}

void BindingScore::init(sdk::Host host) {
  inputs_.init(host);
  nodes_.init(host);
}

void BindingScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                           ClaimRules& state) {
  if (!shape_) return prepared.passes();
  state = inputs_.read(pod);
  if (state.delayed.empty()) return prepared.passes();
  nodes_.prepare(prepared, state);
}

void BindingScore::score(const Call& call, std::span<int64_t> raw) const {
  for (size_t i = 0; i < raw.size(); ++i)
    raw[i] = shape_ ? score_of(nodes_.uses_of(call, call.state(), i), *shape_) : 0;
}

void BindingScore::numbers(const Call& call, sdk::Numbers& numbers) const {
  for (const StorageUse& one : by_class(nodes_.uses_of(call, call.state(), 0)))
    numbers.item(inputs_.text(one.storage_class))
        .number("requested", one.requested, BERTH_UNIT_BYTES)
        .number("capacity", one.capacity, BERTH_UNIT_BYTES);
}

}  // namespace berth::plugins
