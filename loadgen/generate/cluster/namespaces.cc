#include "loadgen/generate/cluster/namespaces.h"

#include <algorithm>

#include "engine/base/draw.h"
#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/generate/names.h"

namespace berth::loadgen {
namespace {

constexpr char kNameLabel[] = "kubernetes.io/metadata.name";

}  // namespace

Namespaces::Namespaces(const std::vector<NamespaceSpec>& entries) : entries_(entries) {
  for (const NamespaceSpec& entry : entries) {
    first_.push_back(static_cast<uint32_t>(names_.size()));
    for (uint64_t i = 0; i < entry.count; ++i)
      names_.push_back(numbered_name(entry.name, entry.count, i));
  }
}

uint32_t Namespaces::choose(uint32_t entry, uint64_t bits) const {
  const uint64_t count = entries_[entry].count;
  return first_[entry] + static_cast<uint32_t>(count == 1 ? 0 : below(bits, count));
}

uint32_t Namespaces::in_turn(uint32_t entry, uint64_t index) const {
  return static_cast<uint32_t>(first_[entry] + index % entries_[entry].count);
}

model::Namespace Namespaces::now(uint64_t number) const {
  const auto entry = std::ranges::upper_bound(first_, static_cast<uint32_t>(number)) - 1;
  model::Namespace object = {names_[number],
                             entries_[static_cast<size_t>(entry - first_.begin())].labels};
  loadgen::set_label(object.labels, kNameLabel, object.name);
  const auto changed = labels_.find(number);
  if (changed != labels_.end())
    for (const auto& [key, value] : changed->second) loadgen::set_label(object.labels, key, value);
  return object;
}

void Namespaces::set_label(uint64_t number, const std::string& key, const std::string& value) {
  loadgen::set_label(labels_[number], key, value);
}

model::Namespace Namespaces::other(const std::string& name) { return {name, {{kNameLabel, name}}}; }

}  // namespace berth::loadgen
