#include "engine/config/gates/known_gates.h"

#include <algorithm>

#include "engine/config/gates/gate_tables.h"

namespace berth::config {
namespace {

const GateTable& table_of(KubeVersion version) {
  return version == KubeVersion::k1_34 ? kGates1_34 : kGates1_36;
}

// Calls visit(name) for each name.
template <typename Visit>
void for_each_name(std::string_view names, Visit&& visit) {
  constexpr std::string_view kBetween = " \n";
  for (size_t begin = names.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const size_t end = std::min(names.find_first_of(kBetween, begin), names.size());
    visit(names.substr(begin, end - begin));
    begin = names.find_first_not_of(kBetween, end);
  }
}

bool holds(std::string_view names, std::string_view name) {
  bool found = false;
  for_each_name(names, [&](std::string_view one) { found |= one == name; });
  return found;
}

}  // namespace

std::optional<KnownGate> known_gate(std::string_view name, KubeVersion version) {
  for (const GatesAlike& gates : table_of(version).known)
    if (holds(gates.names, name)) return gates.gate;
  return std::nullopt;
}

bool is_read_by_scheduler(std::string_view name, KubeVersion version) {
  return holds(table_of(version).read, name);
}

std::vector<std::string> known_gate_names(KubeVersion version) {
  std::vector<std::string> names;
  for (const GatesAlike& gates : table_of(version).known)
    for_each_name(gates.names, [&](std::string_view name) { names.emplace_back(name); });
  return names;
}

}  // namespace berth::config
