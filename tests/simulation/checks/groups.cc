#include "tests/simulation/checks/groups.h"

#include "tests/simulation/checks/placeable.h"
#include "tests/simulation/world/draws.h"

namespace berth::simulation {
namespace {

using tests::brute::Objects;
using Pods = std::vector<const model::Pod*>;

bool place_somewhere(Dice& dice, const model::Pod& pod, Objects& objects) {
  const std::vector<std::string> nodes = nodes_for(pod, objects);
  if (!nodes.empty()) objects.place(pod, dice.one_of(nodes));
  return !nodes.empty();
}

bool fits(Dice& dice, Pods group, size_t members, Pods others, Objects objects) {
  dice.shuffle(group);
  dice.shuffle(others);
  others.resize(static_cast<size_t>(dice.number(0, static_cast<int64_t>(others.size()))));
  for (const model::Pod* other : others) place_somewhere(dice, *other, objects);
  size_t placed = 0;
  for (const model::Pod* pod : group) placed += place_somewhere(dice, *pod, objects);
  return placed >= members;
}

}  // namespace

std::string group_of(const model::Pod& pod) {
  const std::string* group = tests::brute::find(pod.spec.labels, kGroupLabel);
  return group == nullptr ? std::string() : *group;
}

bool always_fits(const Pods& group, size_t members, const Pods& others, const Objects& objects) {
  constexpr int kOrders = 12;
  if (group.size() < members) return false;
  Dice dice(group.size());
  for (int i = 0; i < kOrders; ++i)
    if (!fits(dice, group, members, others, objects)) return false;
  return true;
}

}  // namespace berth::simulation
