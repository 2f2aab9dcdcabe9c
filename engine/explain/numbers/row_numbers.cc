#include "engine/explain/numbers/row_numbers.h"

#include <algorithm>
#include <utility>

#include "engine/base/text/joined.h"

namespace berth::explain {

std::vector<host::Item> RowNumbers::of_filter(const framework::DecisionContext& context,
                                              size_t filter, model::Row row,
                                              const framework::ChangedRow* changed) {
  row_ = row;
  state_ = context.filter_states()[filter];
  std::vector<host::Item> items = filters_.numbers(context, filter, row, changed, *this);
  add_domains(items);
  return items;
}

// Plugins count by the codes of domains. People ask for their names.
void RowNumbers::add_domains(std::vector<host::Item>& items) const {
  const auto counts_by_domain = [&](model::ColumnId column) {
    if (column == 0) return false;
    const model::Attribute attribute = cluster_.catalog().info(column).attribute;
    return attribute == model::Attribute::kNodeCount || attribute == model::Attribute::kNodeCarried;
  };
  if (std::ranges::none_of(state_->inputs, counts_by_domain)) return;
  const model::Labels& labels = cluster_.nodes().node(cluster_.nodes().slot_of(row_)).labels;
  for (host::Item& item : items) {
    const std::string_view name = item.name;
    const size_t blank = name.rfind(' ');
    const std::string_view key = blank == name.npos ? name : name.substr(blank + 1);
    const model::StringId value = model::label_value(labels, cluster_.strings().find(key));
    if (value == 0) continue;
    host::Fact domain;
    domain.name = "domain";
    domain.kind = host::Fact::Kind::kText;
    domain.text = cluster_.text(value);
    item.facts.insert(item.facts.begin(), std::move(domain));
  }
}

std::vector<host::Item> RowNumbers::of_score(const framework::DecisionContext& context,
                                             size_t score, model::Row row) {
  const auto& hook = context.profile->score[score];
  row_ = row;
  state_ = context.score_states()[score];
  std::vector<host::Item> items;
  if (state_->failed) return items;
  const uint32_t position =
      hook.bound.over_dictionary() ? hook.bound.space_column().values<uint32_t>()[row] : row;
  hook.bound.gather(*state_, {&position, 1}, nullptr, columns_);
  berth_call one = framework::BoundHook::call(columns_, 1, state_, context.ran(hook));
  // After a failure there are no items.
  static_cast<void>(hook.point->numbers(calls_, one, *this, items));
  add_domains(items);
  return items;
}

std::string RowNumbers::term(uint32_t term) {
  if (term == 0 || term > cluster_.terms().count()) return {};
  return words(cluster_, term);
}

host::SomePods RowNumbers::pods(uint32_t column, uint64_t element) {
  if (column >= state_->inputs.size() || state_->inputs[column] == 0) return {};
  return pods_.of(state_->inputs[column], row_, element);
}

std::string words(const model::Cluster& cluster, model::TermId term) {
  const model::PodTerm& of = cluster.terms()[term];
  std::string text = cluster.label_selectors().words(of.selector);
  const std::string names =
      joined(of.namespaces, ", ", [&](model::StringId name) { return cluster.text(name); });
  if (!names.empty())
    text += (of.namespaces.size() == 1 ? " in namespace " : " in namespaces ") + names;
  if (of.namespace_selector == model::LabelSelectors::kNothing) return text;
  text += names.empty() ? " in " : " and in ";
  if (of.namespace_selector == model::LabelSelectors::kEverything) return text + "every namespace";
  return text + "namespaces with " + cluster.label_selectors().words(of.namespace_selector);
}

}  // namespace berth::explain
