#include "plugins/volume_binding/volume_binding.h"

#include <algorithm>
#include <functional>

namespace berth::plugins {
namespace {

constexpr std::pair<uint32_t, std::string_view> kReasons[] = {
    {kNodeConflict, "node(s) didn't match PersistentVolume's node affinity"},
    {kBindConflict, "node(s) didn't find available persistent volumes to bind"},
    {kNotEnoughSpace, "node(s) did not have enough free storage"},
    {kNoVolume, "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"},
};

bool bound_to(const berth_volume& volume, const berth_claim& claim) {
  return (volume.flags & BERTH_VOLUME_HAS_CLAIM) != 0 && volume.claim_name == claim.name &&
         volume.claim_namespace == claim.namespace_name &&
         (volume.claim_uid == 0 || volume.claim_uid == claim.uid);
}

template <class Matches>
void check_bound(const ClaimRules& rules, Matches&& matches, NodeVolumes& found) {
  for (const ClaimRules::Bound& bound : rules.bound) {
    if (bound.exists && matches(bound.rule)) continue;
    found.reasons |= bound.exists ? kNodeConflict : kNoVolume;
    return;
  }
}

// The smallest volume that the node may use and that no other claim of the pod has got; one that is
// reserved for the claim comes before all others, or stands in their way.
template <class Matches>
const ClaimRules::Candidate* best_candidate(const ClaimRules::Delayed& claim, Matches&& matches,
                                            const NodeVolumes& found) {
  const ClaimRules::Candidate* best = nullptr;
  for (const ClaimRules::Candidate& one : claim.candidates) {
    if (std::ranges::find(found.bindings, one.name, &NodeVolumes::Binding::volume) !=
        found.bindings.end())
      continue;
    const bool fits = matches(one.rule);
    if (one.reserved) return fits ? &one : nullptr;
    if (fits && (best == nullptr || one.storage < best->storage)) best = &one;
  }
  return best;
}

// Bytes for new volumes; 0: not known, as in a host before ABI 1.2.
int64_t bytes_left(const berth_csi_capacity& capacity) {
  return BERTH_HAS(&capacity, capacity) ? capacity.capacity : 0;
}

// The largest capacity that the node may use; null: none.
template <class Matches>
const ClaimRules::Capacity* capacity_of(const ClaimRules::Delayed& claim, Matches&& matches) {
  const auto at = std::ranges::find_if(claim.capacities, matches, &ClaimRules::Capacity::rule);
  return at == claim.capacities.end() ? nullptr : &*at;
}

// Uses: of the volumes that have to be made; null: nobody asks.
template <class Matches>
void check_provision(std::span<const ClaimRules::Delayed* const> claims, Matches&& matches,
                     NodeVolumes& found, std::vector<StorageUse>* uses) {
  found.reasons &= ~kBindConflict;
  for (const ClaimRules::Delayed* claim : claims) {
    if (!claim->provisioned || !matches(claim->topology)) {
      found.reasons |= kBindConflict;
      return;
    }
    if (claim->counts_capacity) {
      const ClaimRules::Capacity* capacity = capacity_of(*claim, matches);
      if (capacity == nullptr) {
        found.reasons |= kNotEnoughSpace;
        return;
      }
      if (uses != nullptr)
        uses->push_back({claim->storage_class, claim->storage, capacity->bytes, true});
    }
    found.provisions.push_back(claim->key);
  }
}

// Matches: whether the node matches a rule. Uses: see NodeInputs::uses_of(); null: nobody asks.
template <class Matches>
NodeVolumes node_volumes(const ClaimRules& rules, uint32_t node, Matches&& matches,
                         std::vector<StorageUse>* uses = nullptr) {
  NodeVolumes found;
  check_bound(rules, matches, found);
  std::vector<const ClaimRules::Delayed*> to_match, to_provision;
  for (const ClaimRules::Delayed& claim : rules.delayed) {
    if (claim.selected_node != 0 && claim.selected_node != node) {
      found.reasons |= kBindConflict;
      return found;
    }
    (claim.selected_node != 0 ? to_provision : to_match).push_back(&claim);
  }
  std::ranges::stable_sort(to_match, {}, [](const auto* claim) { return claim->storage; });
  for (const ClaimRules::Delayed* claim : to_match) {
    if (const auto* volume = best_candidate(*claim, matches, found)) {
      found.bindings.push_back({volume->name, claim->key});
      if (uses != nullptr)
        uses->push_back({claim->storage_class, claim->storage, volume->storage, false});
    } else {
      found.reasons |= kBindConflict;
      to_provision.push_back(claim);
    }
  }
  if (!found.bindings.empty()) uses = nullptr;  // volumes that exist count alone
  if (!to_provision.empty()) check_provision(to_provision, matches, found, uses);
  return found;
}

// True if the node at a position of a call matches a rule.
auto matches_at(const sdk::Columns& call, size_t position) {
  return [&call, position](const NodeRule& rule) {
    return rule.selector == 0 || call[rule.column][position] != 0;
  };
}

}  // namespace

void ClaimInputs::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
  no_provisioner_ = strings_.intern("kubernetes.io/no-provisioner");
}

std::string ClaimInputs::check(uint64_t key, uint32_t owner, uint32_t owner_name) const {
  const std::string_view name = strings_.text(static_cast<uint32_t>(key));
  const berth_claim* claim = volumes_.claim(key);
  if (claim == nullptr && owner != 0)
    return sdk::concat(
        "waiting for ephemeral volume controller to create the persistentvolumeclaim \"", name,
        "\"");
  if (claim == nullptr) return sdk::concat("persistentvolumeclaim \"", name, "\" not found");
  if ((claim->flags & BERTH_CLAIM_LOST) != 0)
    return sdk::concat("persistentvolumeclaim \"", name,
                       "\" bound to non-existent persistentvolume \"", strings_.text(claim->volume),
                       "\"");
  if ((claim->flags & BERTH_CLAIM_TERMINATING) != 0)
    return sdk::concat("persistentvolumeclaim \"", name, "\" is being deleted");
  if (owner == 0 || claim->owner_uid == owner) return {};
  const std::string_view space = strings_.text(claim->namespace_name);
  return sdk::concat("PVC ", space, "/", name, " was not created for pod ", space, "/",
                     strings_.text(owner_name), " (pod is not owner)");
}

ClaimRules ClaimInputs::read(std::span<const uint64_t> claims, std::span<const uint32_t> owners,
                             std::span<const uint32_t> names) const {
  ClaimRules rules;
  for (size_t i = 0; i < claims.size() && rules.refusal.empty(); ++i)
    rules.refusal = check(claims[i], owners[i], names[i]);
  if (!rules.refusal.empty()) return rules;
  bool immediate = false;
  for (const uint64_t key : claims) {
    const berth_claim& claim = *volumes_.claim(key);
    if (claim.volume != 0 && (claim.flags & BERTH_CLAIM_BIND_COMPLETED) != 0) {
      const berth_volume* volume = volumes_.volume(claim.volume);
      rules.bound.push_back({volume != nullptr, {volume != nullptr ? volume->node_affinity : 0}});
      continue;
    }
    const berth_storage_class* of =
        claim.storage_class == 0 ? nullptr : volumes_.storage_class(claim.storage_class);
    if (of != nullptr && (of->flags & BERTH_CLASS_HAS_BINDING_MODE) == 0) {
      rules.error = sdk::concat("VolumeBindingMode not set for StorageClass \"",
                                strings_.text(of->name), "\"");
      return rules;
    }
    const bool waits = of != nullptr && (of->flags & BERTH_CLASS_WAITS) != 0;
    if (waits && claim.volume == 0)
      add_delayed(claim, *of, rules);
    else
      immediate = true;
  }
  if (immediate) rules.refusal = "pod has unbound immediate PersistentVolumeClaims";
  return rules;
}

void ClaimInputs::add_delayed(const berth_claim& claim, const berth_storage_class& of,
                              ClaimRules& rules) const {
  ClaimRules::Delayed& made = rules.delayed.emplace_back();
  made.key = uint64_t{claim.namespace_name} << 32 | claim.name;
  made.storage_class = of.name;
  made.storage = claim.storage;
  made.selected_node = claim.selected_node;
  if (made.selected_node == 0) add_candidates(claim, made);
  add_provision(claim, of, made);
}

// Source: k8s.io/component-helpers storage/volume, FindMatchingVolume.
void ClaimInputs::add_candidates(const berth_claim& claim, ClaimRules::Delayed& delayed) const {
  volumes_.each_volume([&](const berth_volume& volume) {
    const bool mine = bound_to(volume, claim);
    if ((volume.flags & BERTH_VOLUME_HAS_CLAIM) != 0 && !mine) return;
    if (volume.storage_class != claim.storage_class || volume.storage < claim.storage) return;
    const bool blocks = (volume.flags & BERTH_VOLUME_BLOCK) != 0;
    if (blocks != ((claim.flags & BERTH_CLAIM_BLOCK) != 0)) return;
    if (volume.attributes_class != claim.attributes_class) return;
    if ((volume.flags & BERTH_VOLUME_TERMINATING) != 0) return;
    if (!mine) {
      if ((volume.flags & BERTH_VOLUME_AVAILABLE) == 0 || !volumes_.selects(claim, volume)) return;
      if ((claim.access_modes & ~volume.access_modes) != 0) return;
    }
    delayed.candidates.push_back({volume.name, volume.storage, mine, {volume.node_affinity}});
  });
  std::ranges::sort(delayed.candidates, {},
                    [&](const ClaimRules::Candidate& one) { return strings_.text(one.name); });
}

void ClaimInputs::add_provision(const berth_claim& claim, const berth_storage_class& of,
                                ClaimRules::Delayed& delayed) const {
  delayed.provisioned = of.provisioner != 0 && of.provisioner != no_provisioner_;
  delayed.topology.selector = of.allowed_topologies;
  const berth_csi_driver* driver = volumes_.csi_driver(of.provisioner);
  delayed.counts_capacity = (claim.flags & BERTH_CLAIM_HAS_STORAGE) != 0 && driver != nullptr &&
                            driver->storage_capacity != 0;
  if (!delayed.counts_capacity) return;
  volumes_.each_capacity([&](const berth_csi_capacity& capacity) {
    if (capacity.storage_class != of.name || (capacity.flags & BERTH_CAPACITY_HAS_LIMIT) == 0 ||
        capacity.limit < claim.storage)
      return;
    const bool everywhere = (capacity.flags & BERTH_CAPACITY_EVERYWHERE) != 0;
    if (everywhere || capacity.topology != 0)
      delayed.capacities.push_back({bytes_left(capacity), {capacity.topology}});
  });
  std::ranges::stable_sort(delayed.capacities, std::greater<>(), &ClaimRules::Capacity::bytes);
}

NodeVolumes ClaimInputs::volumes_on(const ClaimRules& rules, uint32_t node) const {
  return node_volumes(rules, node, [&](const NodeRule& rule) {
    return rule.selector == 0 || volumes_.node_matches(rule.selector, node);
  });
}

void BindingPreFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                               ClaimRules& state) {
  state = inputs_.read(pod);
  if (state.refusal.empty() && state.error.empty() && state.bound.empty() && state.delayed.empty())
    prepared.passes();
}

void BindingPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  const ClaimRules& state = call.state();
  if (!state.error.empty()) throw sdk::Failure(state.error);
  if (!state.refusal.empty()) return result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 1);
  if (state.bound.empty() && state.delayed.empty()) result.skip();
}

void BindingPreFilter::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  sink.write(call.state().refusal);
}

void NodeInputs::prepare(sdk::Preparation& prepared, ClaimRules& rules) const {
  prepared.keep(node_);
  std::unordered_map<uint32_t, sdk::Slot<uint8_t>> known;
  const auto add = [&](NodeRule& rule) {
    if (rule.selector == 0) return;
    const auto [at, fresh] = known.try_emplace(rule.selector);
    if (fresh) at->second = prepared.add<uint8_t>(selectors_.match_column(rule.selector));
    rule.column = at->second;
  };
  for (ClaimRules::Bound& bound : rules.bound) add(bound.rule);
  for (ClaimRules::Delayed& claim : rules.delayed) {
    for (ClaimRules::Candidate& one : claim.candidates) add(one.rule);
    add(claim.topology);
    for (ClaimRules::Capacity& capacity : claim.capacities) add(capacity.rule);
  }
}

NodeVolumes NodeInputs::volumes_of(const sdk::Columns& call, const ClaimRules& rules,
                                   size_t position) const {
  return node_volumes(rules, call[node_][position], matches_at(call, position));
}

std::vector<StorageUse> NodeInputs::uses_of(const sdk::Columns& call, const ClaimRules& rules,
                                            size_t position) const {
  std::vector<StorageUse> uses;
  node_volumes(rules, call[node_][position], matches_at(call, position), &uses);
  return uses;
}

void BindingFilter::init(sdk::Host host) {
  inputs_.init(host);
  nodes_.init(host);
}

void BindingFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            ClaimRules& state) {
  state = inputs_.read(pod);
  if (state.bound.empty() && state.delayed.empty()) return prepared.passes();
  nodes_.prepare(prepared, state);
}

// The same as the loop of filter() for claims that are all bound: a column at a time.
void BindingFilter::filter_bound(const Call& call, std::span<uint8_t> verdicts) {
  std::ranges::fill(verdicts, uint8_t{BERTH_SUCCESS});
  for (const ClaimRules::Bound& volume : call.state().bound) {
    if (!volume.exists) {
      std::ranges::fill(verdicts, uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE});
      return;
    }
    if (volume.rule.selector == 0) continue;
    const std::span<const uint8_t> matches = call[volume.rule.column];
    for (size_t i = 0; i < verdicts.size(); ++i)
      if (matches[i] == 0) verdicts[i] = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
  }
}

void BindingFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  if (call.state().delayed.empty()) return filter_bound(call, verdicts);
  for (size_t i = 0; i < verdicts.size(); ++i)
    verdicts[i] = nodes_.volumes_of(call, call.state(), i).reasons == 0
                      ? BERTH_SUCCESS
                      : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
}

void BindingFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  for (size_t i = 0; i < reasons.size(); ++i)
    reasons[i] = nodes_.volumes_of(call, call.state(), i).reasons;
}

void BindingFilter::describe(const Call&, uint32_t reason, const sdk::TextSink& sink) const {
  for (const auto& [bit, text] : kReasons)
    if ((reason & bit) != 0) sink.write(text);
}

}  // namespace berth::plugins
