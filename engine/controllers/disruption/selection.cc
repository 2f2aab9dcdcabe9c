#include "engine/controllers/disruption/selection.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::controllers {
namespace {

template <typename Row>
Selection::Position take_row(std::vector<Row>& rows, std::vector<Selection::Position>& free) {
  if (free.empty()) {
    rows.emplace_back();
    return static_cast<Selection::Position>(rows.size() - 1);
  }
  const Selection::Position row = free.back();
  free.pop_back();
  return row;
}

template <typename Row>
void free_row(std::vector<Row>& rows, std::vector<Selection::Position>& free,
              Selection::Position row) {
  rows[row] = Row();
  free.push_back(row);
}

}  // namespace

Selection::Namespace& Selection::enter(model::StringId namespace_name) {
  const auto [at, added] = namespaces_.try_emplace(namespace_name);
  if (added) strings_.retain(namespace_name);
  return at->second;
}

void Selection::leave(model::StringId namespace_name) {
  const auto at = namespaces_.find(namespace_name);
  if (!at->second.budgets.empty() || !at->second.pods.empty()) return;
  namespaces_.erase(at);
  strings_.release(namespace_name);
}

Selection::Position Selection::put_budget(std::string_view namespace_name, std::string_view name,
                                          const std::optional<model::LabelSelector>& selector) {
  const model::LabelSelectors::Handle wanted = selectors_.of(selector);
  if (const auto known = find_budget(namespace_name, name)) {
    if (budgets_[*known].selector == wanted) return *known;
    selectors_.retain(wanted);
    select_nothing(*known);
    select(*known, wanted);
    selectors_.release(wanted);
    return *known;
  }
  const model::StringId in = strings_.intern_counted(namespace_name);
  const Position budget = take_row(budgets_, free_budgets_);
  budgets_[budget].namespace_name = in;
  budgets_[budget].name = name;
  enter(in).budgets.emplace(name, budget);
  select(budget, wanted);
  return budget;
}

void Selection::remove_budget(Position budget) {
  select_nothing(budget);
  const model::StringId in = budgets_[budget].namespace_name;
  namespaces_.at(in).budgets.erase(budgets_[budget].name);
  free_row(budgets_, free_budgets_, budget);
  leave(in);
}

std::optional<Selection::Position> Selection::find_budget(std::string_view namespace_name,
                                                          std::string_view name) const {
  const auto in = namespaces_.find(strings_.find(namespace_name));
  if (in == namespaces_.end()) return std::nullopt;
  const auto at = in->second.budgets.find(name);
  if (at == in->second.budgets.end()) return std::nullopt;
  return at->second;
}

void Selection::select(Position budget, model::LabelSelectors::Handle selector) {
  Namespace& space = namespaces_.at(budgets_[budget].namespace_name);
  selectors_.retain(selector);
  budgets_[budget].selector = selector;
  space.by_label[selectors_.required(selector)].push_back(budget);
  for (const Position pod : space.pods)
    if (selectors_.matches(selector, pods_[pod].labels)) attach(pod, budget);
}

void Selection::select_nothing(Position budget) {
  const model::LabelSelectors::Handle selector = budgets_[budget].selector;
  Namespace& space = namespaces_.at(budgets_[budget].namespace_name);
  for (const Position pod : space.pods)
    if (selectors_.matches(selector, pods_[pod].labels)) detach(pod, budget);
  const auto at = space.by_label.find(selectors_.required(selector));
  std::erase(at->second, budget);
  if (at->second.empty()) space.by_label.erase(at);
  selectors_.release(selector);
}

void Selection::attach(Position pod, Position budget) {
  std::vector<Position>& known = pods_[pod].budgets;
  const auto by_name = [&](Position a, Position b) { return budgets_[a].name < budgets_[b].name; };
  known.insert(std::ranges::upper_bound(known, budget, by_name), budget);
  count(pods_[pod], budget, 1);
}

void Selection::detach(Position pod, Position budget) {
  count(pods_[pod], budget, -1);
  std::erase(pods_[pod].budgets, budget);
}

void Selection::attach_all(Position pod) {
  const Namespace& space = namespaces_.at(pods_[pod].namespace_name);
  const auto of_label = [&](const Label& label) {
    const auto at = space.by_label.find(label);
    if (at == space.by_label.end()) return;
    for (const Position budget : at->second)
      if (selectors_.matches(budgets_[budget].selector, pods_[pod].labels)) attach(pod, budget);
  };
  of_label({});
  for (const Label& label : pods_[pod].labels) of_label(label);
}

void Selection::detach_all(Position pod) {
  for (const Position budget : pods_[pod].budgets) count(pods_[pod], budget, -1);
  pods_[pod].budgets.clear();
}

void Selection::count(const Pod& pod, Position budget, int32_t times) {
  Counts& counts = budgets_[budget].counts;
  counts.pods += times;
  if (pod.ready && !pod.terminating) counts.healthy += times;
  BERTH_ASSERT(counts.pods >= counts.healthy && counts.healthy >= 0);
  if (pod.owner == kNone) return;
  auto at =
      std::ranges::lower_bound(counts.owners, pod.owner, {}, &std::pair<Position, int32_t>::first);
  if (at == counts.owners.end() || at->first != pod.owner)
    at = counts.owners.insert(at, {pod.owner, 0});
  at->second += times;
  BERTH_ASSERT(at->second >= 0);
  if (at->second == 0) counts.owners.erase(at);
}

Selection::Position Selection::put_pod(const PodView& view) {
  BERTH_ASSERT(view.labels != nullptr);
  const std::optional<Position> known = find_pod(view.namespace_name, view.name);
  const Position position = known ? *known : take_row(pods_, free_pods_);
  if (!known) {
    strings_.retain(view.name);
    pods_[position].namespace_name = view.namespace_name;
    pods_[position].name = view.name;
    enter(view.namespace_name).pods.insert(position);
    by_name_.emplace(key(view.namespace_name, view.name), position);
  }
  Pod& pod = pods_[position];
  const bool moves = !known || pod.labels != *view.labels;
  for (const Position budget : pod.budgets) count(pod, budget, -1);
  const Position former_owner = pod.owner;
  pod.owner = acquire_owner(view.owner);
  release_owner(former_owner);
  pod.ready = view.ready;
  pod.terminating = view.terminating;
  for (const Position budget : pod.budgets) count(pod, budget, 1);
  if (!moves) return position;
  detach_all(position);
  retain(strings_, *view.labels);
  release(strings_, pod.labels);
  pod.labels = *view.labels;
  attach_all(position);
  return position;
}

void Selection::remove_pod(Position position) {
  Pod& pod = pods_[position];
  const model::StringId in = pod.namespace_name, name = pod.name;
  detach_all(position);
  release_owner(pod.owner);
  release(strings_, pod.labels);
  by_name_.erase(key(in, name));
  namespaces_.at(in).pods.erase(position);
  free_row(pods_, free_pods_, position);
  strings_.release(name);
  leave(in);
}

std::optional<Selection::Position> Selection::find_pod(model::StringId namespace_name,
                                                       model::StringId name) const {
  const auto at = by_name_.find(key(namespace_name, name));
  if (at == by_name_.end()) return std::nullopt;
  return at->second;
}

std::optional<Selection::Position> Selection::find_selected(Position budget,
                                                            std::string_view name) const {
  const auto pod = find_pod(budgets_[budget].namespace_name, strings_.find(name));
  if (!pod || std::ranges::find(pods_[*pod].budgets, budget) == pods_[*pod].budgets.end())
    return std::nullopt;
  return pod;
}

std::string Selection::identity(const model::Controller& owner) {
  std::string text;
  for (const std::string* part : {&owner.api_version, &owner.kind, &owner.name, &owner.uid})
    (text += *part) += '\0';
  return text;
}

Selection::Position Selection::acquire_owner(const model::Controller* owner) {
  if (owner == nullptr) return kNone;
  const auto [at, added] = by_identity_.try_emplace(identity(*owner), kNone);
  if (added) {
    at->second = take_row(owners_, free_owners_);
    owners_[at->second].owner = *owner;
  }
  ++owners_[at->second].pods;
  return at->second;
}

void Selection::release_owner(Position owner) {
  if (owner == kNone || --owners_[owner].pods != 0) return;
  by_identity_.erase(identity(owners_[owner].owner));
  free_row(owners_, free_owners_, owner);
}

std::string_view Selection::first_pod(Position budget, Position owner) const {
  std::optional<std::string_view> first;
  for (const Position position : namespaces_.at(budgets_[budget].namespace_name).pods) {
    const Pod& pod = pods_[position];
    if (pod.owner != owner || std::ranges::find(pod.budgets, budget) == pod.budgets.end()) continue;
    const std::string_view name = strings_.text(pod.name);
    if (!first || name < *first) first = name;
  }
  BERTH_ASSERT(first);
  return *first;
}

}  // namespace berth::controllers
