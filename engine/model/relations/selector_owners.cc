#include "engine/model/relations/selector_owners.h"

#include <algorithm>
#include <optional>

namespace berth::model {
namespace {

// The kind of a controller, if it is one that counts.
std::optional<SelectorOwnerKind> kind_of(const Controller& controller) {
  if (controller.api_version == "v1" && controller.kind == "ReplicationController")
    return SelectorOwnerKind::kReplicationController;
  if (controller.api_version != "apps/v1") return std::nullopt;
  if (controller.kind == "ReplicaSet") return SelectorOwnerKind::kReplicaSet;
  if (controller.kind == "StatefulSet") return SelectorOwnerKind::kStatefulSet;
  return std::nullopt;
}

bool all_of(const Labels& wanted, const Labels& labels) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& label) {
    return label_value(labels, label.first) == label.second;
  });
}

// Merges labels; for keys in both, the value of `more` counts.
void merge(Labels& labels, const Labels& more) {
  for (const auto& [key, value] : more) {
    auto at = std::lower_bound(labels.begin(), labels.end(), std::pair<StringId, StringId>(key, 0));
    if (at != labels.end() && at->first == key)
      at->second = value;
    else
      labels.insert(at, {key, value});
  }
}

}  // namespace

void SelectorOwners::retain(const Selected& selected) {
  model::retain(strings_, selected.labels);
  selectors_.retain(selected.selector);
}

void SelectorOwners::release(const Selected& selected) {
  model::release(strings_, selected.labels);
  selectors_.release(selected.selector);
}

bool SelectorOwners::put(const SelectorOwner& object) {
  Selected selected;
  selected.selects = object.selector.has_value();
  const bool of_labels = object.kind == SelectorOwnerKind::kService ||
                         object.kind == SelectorOwnerKind::kReplicationController;
  if (of_labels && object.selector)
    selected.labels = intern_labels(strings_, object.selector->match_labels);
  if (!of_labels) selected.selector = selectors_.of(object.selector);
  const StringId in = strings_.intern_counted(object.namespace_name);
  const auto [owners, first] = sets_.try_emplace(in);
  if (first) strings_.retain(in);
  auto [at, fresh] = owners->second.owners.try_emplace({object.kind, object.name});
  if (!fresh && at->second == selected) return false;
  retain(selected);
  if (!fresh) {
    index(owners->second, at->first, at->second, false);
    release(at->second);
  }
  at->second = std::move(selected);
  index(owners->second, at->first, at->second, true);
  return true;
}

void SelectorOwners::index(OfNamespace& in, const Name& name, const Selected& selected, bool add) {
  if (name.first != SelectorOwnerKind::kService || selected.labels.empty()) return;
  const auto label = selected.labels.front();
  if (add) {
    in.services[label].emplace(name.second, &selected);
    return;
  }
  const auto at = in.services.find(label);
  at->second.erase(name.second);
  if (at->second.empty()) in.services.erase(at);
}

bool SelectorOwners::remove(SelectorOwnerKind kind, std::string_view namespace_name,
                            std::string_view name) {
  auto in = sets_.find(strings_.find(namespace_name));
  if (in == sets_.end()) return false;
  auto& owners = in->second.owners;
  const auto at = owners.find({kind, std::string(name)});
  if (at == owners.end()) return false;
  index(in->second, at->first, at->second, false);
  release(at->second);
  owners.erase(at);
  if (owners.empty()) {
    strings_.release(in->first);
    sets_.erase(in);
  }
  return true;
}

uint64_t SelectorOwners::size() const {
  uint64_t count = 0;
  for (const auto& [name, sets] : sets_) count += sets.owners.size();
  return count;
}

const SelectorOwners::Selected* SelectorOwners::find(StringId namespace_name,
                                                     SelectorOwnerKind kind,
                                                     const std::string& name) const {
  auto in = sets_.find(namespace_name);
  if (in == sets_.end()) return nullptr;
  auto at = in->second.owners.find({kind, name});
  return at == in->second.owners.end() ? nullptr : &at->second;
}

LabelSelectors::Handle SelectorOwners::siblings(StringId namespace_name, const Labels& labels,
                                                const Controller* controller) {
  // All of them match the pod, so for no key do they differ in the value.
  Labels wanted;
  if (auto in = sets_.find(namespace_name); in != sets_.end())
    for (const auto& label : labels)
      if (auto at = in->second.services.find(label); at != in->second.services.end())
        for (const auto& [name, set] : at->second)
          if (all_of(set->labels, labels)) merge(wanted, set->labels);
  const auto kind = controller != nullptr ? kind_of(*controller) : std::nullopt;
  const Selected* owner = kind ? find(namespace_name, *kind, controller->name) : nullptr;
  if (owner != nullptr && *kind == SelectorOwnerKind::kReplicationController)
    merge(wanted, owner->labels);
  LabelSelectors::Handle selector = selectors_.of_labels(wanted);
  // A controller's selector that matches nothing or is invalid adds nothing.
  const bool adds = owner != nullptr && *kind != SelectorOwnerKind::kReplicationController &&
                    owner->selector != LabelSelectors::kNothing &&
                    selectors_.problem(owner->selector).empty();
  return adds ? selectors_.both(selector, owner->selector) : selector;
}

}  // namespace berth::model
