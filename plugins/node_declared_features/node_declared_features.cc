#include "plugins/node_declared_features/node_declared_features.h"

#include <algorithm>
#include <string_view>

namespace berth::plugins {

void FeatureInputs::init(sdk::Host host) {
  const sdk::Strings strings(host);
  hold_ = sdk::Rules(host).holds("NodeDeclaredFeatures");
  restart_ = strings.intern("RestartAllContainersOnContainerExits");
  user_namespaces_ = strings.intern("UserNamespacesHostNetworkSupport");
}

void FeaturesPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  if (pod_.needed(call).empty()) result.skip();
}

void FeaturesFilter::init(sdk::Host host) {
  pod_.init(host);
  strings_ = sdk::Strings(host);
}

void FeaturesFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             FeaturesState& state) {
  state.needed = pod_.needed(pod);
  if (!pod_.hold()) return prepared.passes();
  prepared.keep(declared_);
}

// kube-scheduler walks the list along its own, sorted list of features, so an entry that is not
// greater than all before it does not count.
bool FeaturesFilter::declares(std::span<const uint32_t> declared,
                              const std::vector<uint32_t>& needed) const {
  size_t found = 0;
  std::string_view greatest;
  for (const uint32_t feature : declared) {
    const std::string_view name = strings_.text(feature);
    if (name <= greatest) continue;
    greatest = name;
    found += static_cast<size_t>(std::ranges::count(needed, feature));
  }
  return found == needed.size();
}

void FeaturesFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  std::ranges::fill(verdicts, uint8_t{BERTH_SUCCESS});
  if (!pod_.hold()) return;
  if (!call.ran_pre_filter()) {
    call.error().write(
        "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found");
    std::ranges::fill(verdicts, uint8_t{BERTH_ERROR});
    return;
  }
  const auto declared = call[declared_];
  const std::vector<uint32_t>& needed = call.state().needed;
  for (size_t i = 0; i < verdicts.size(); ++i)
    if (!declares(declared[i], needed)) verdicts[i] = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
}

uint32_t FeaturesHints::actions(uint32_t kind) const {
  if (!pod_.hold()) return 0;
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_DECLARED_FEATURES;
  if (kind != BERTH_ON_POD_PENDING) return 0;
  return BERTH_DID_ANYTHING & ~(BERTH_DID_ADD | BERTH_DID_DELETE);
}

bool FeaturesHints::hint(const Call&, const sdk::Event& event) const {
  if (event.on_node()) return true;
  return event.self() && pod_.needed(event.before()) != pod_.needed(event.after());
}

}  // namespace berth::plugins
