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
  auto [at, fresh] = owners->second.try_emplace({object.kind, object.name});
  if (!fresh && at->second == selected) return false;
  retain(selected);
  if (!fresh) release(at->second);
  at->second = std::move(selected);
  return true;
}

bool SelectorOwners::remove(SelectorOwnerKind kind, std::string_view namespace_name,
                            std::string_view name) {
  auto in = sets_.find(strings_.find(namespace_name));
  if (in == sets_.end()) return false;
  const auto at = in->second.find({kind, std::string(name)});
  if (at == in->second.end()) return false;
  release(at->second);
  in->second.erase(at);
  if (in->second.empty()) {
    strings_.release(in->first);
    sets_.erase(in);
  }
  return true;
}

uint64_t SelectorOwners::size() const {
  uint64_t count = 0;
  for (const auto& [name, sets] : sets_) count += sets.size();
  return count;
}

const SelectorOwners::Selected* SelectorOwners::find(StringId namespace_name,
                                                     SelectorOwnerKind kind,
                                                     const std::string& name) const {
  auto in = sets_.find(namespace_name);
  if (in == sets_.end()) return nullptr;
  auto at = in->second.find({kind, name});
  return at == in->second.end() ? nullptr : &at->second;
}

LabelSelectors::Handle SelectorOwners::siblings(StringId namespace_name, const Labels& labels,
                                                const Controller* controller) {
  Labels wanted;
  if (auto in = sets_.find(namespace_name); in != sets_.end())
    for (const auto& [name, set] : in->second)
      if (name.first == SelectorOwnerKind::kService && set.selects && all_of(set.labels, labels))
        merge(wanted, set.labels);
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
