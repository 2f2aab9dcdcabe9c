#include "engine/explain/change/tried_labels.h"

#include <algorithm>
#include <set>

#include "engine/base/assert.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/names.h"

namespace berth::explain {
namespace {

using model::Attribute;
using model::Labels;
using model::StringId;

bool reads(const model::NodeSelectorTerm& term, std::string_view key) {
  return std::ranges::any_of(term.match_expressions,
                             [&](const model::Requirement& one) { return one.key == key; });
}

bool affinity_reads(const model::PodTemplate& pod, std::string_view key) {
  const auto& required = pod.spec.affinity.node_required;
  return required && std::ranges::any_of(required->terms, [&](const model::NodeSelectorTerm& term) {
           return reads(term, key);
         });
}

}  // namespace

std::vector<TriedLabels::Proposal> TriedLabels::proposals(std::span<const model::ColumnId> inputs,
                                                          model::Row row,
                                                          const model::PodRecord& pod) {
  std::vector<Proposal> all;
  const Keys keys = lacking(inputs, row);
  for (const StringId key : keys) propose({key}, row, pod, all);
  if (keys.size() > 1) propose(keys, row, pod, all);
  return all;
}

// Ascending, as labels have them.
TriedLabels::Keys TriedLabels::lacking(std::span<const model::ColumnId> inputs,
                                       model::Row row) const {
  const Labels& labels = cluster_.nodes().node(cluster_.nodes().slot_of(row)).labels;
  std::set<StringId> keys;
  for (const model::ColumnId column : inputs) {
    if (column == 0) continue;
    const model::ColumnInfo& info = cluster_.catalog().info(column);
    const bool topology =
        info.attribute == Attribute::kNodeHasLabel || info.attribute == Attribute::kNodeDomain;
    if (topology && model::label_value(labels, info.key) == 0) keys.insert(info.key);
  }
  return {keys.begin(), keys.end()};
}

// Each node has a value of its own.
bool TriedLabels::has_own_values(StringId key) const {
  return cluster_.text(key) == model::kHostnameLabel;
}

TriedLabels::Known& TriedLabels::known(const Keys& keys) {
  const auto [at, fresh] = known_.try_emplace(keys);
  if (!fresh) return at->second;
  std::set<std::vector<std::string_view>> seen;
  std::vector<std::pair<std::vector<std::string_view>, Labels>> found;
  for (model::Row row = 0; row < cluster_.nodes().rows(); ++row) {
    const Labels& labels = cluster_.nodes().node(cluster_.nodes().slot_of(row)).labels;
    Labels values;
    std::vector<std::string_view> texts;
    for (const StringId key : keys) {
      if (has_own_values(key)) continue;
      const StringId value = model::label_value(labels, key);
      if (value == 0) break;
      values.emplace_back(key, value);
      texts.push_back(cluster_.text(value));
    }
    const auto shared = std::ranges::count_if(keys, [&](StringId k) { return !has_own_values(k); });
    const bool complete = std::ssize(values) == shared && shared != 0;
    if (complete && seen.insert(texts).second) found.emplace_back(texts, std::move(values));
    if (found.size() == kMostValues) break;
  }
  std::ranges::sort(found, {}, &decltype(found)::value_type::first);
  for (auto& [texts, values] : found) at->second.values.push_back(std::move(values));
  return at->second;
}

void TriedLabels::propose(const Keys& keys, model::Row row, const model::PodRecord& pod,
                          std::vector<Proposal>& to) {
  const Known& of_keys = known(keys);
  if (of_keys.failures >= kMostFailures && !of_keys.kept) return;
  const model::PodTemplate& t = cluster_.templates()[pod.pod_template];
  const StringId own = cluster_.strings().find(cluster_.node_name(row));
  std::vector<Labels> others = of_keys.values;
  others.emplace_back();
  for (const Labels& values : others) {
    Proposal proposal;
    for (const StringId key : keys) {
      const StringId value = model::label_value(values, key);
      proposal.labels.emplace_back(key, value != 0 ? value : own);
      proposal.judged |= affinity_reads(t, cluster_.text(key));
      for (const auto& [wanted, text] : t.spec.node_selector)
        if (wanted == cluster_.text(key))
          proposal.labels.back().second = cluster_.strings().intern_counted(text);
    }
    const auto same = [&](const Proposal& one) { return one.labels == proposal.labels; };
    if (std::ranges::none_of(to, same)) to.push_back(std::move(proposal));
  }
}

TriedLabels::Keys TriedLabels::keys_of(const Labels& labels) {
  Keys keys;
  for (const auto& [key, value] : labels) keys.push_back(key);
  return keys;
}

void TriedLabels::kept(const Proposal& proposal) {
  Known& of_keys = known(keys_of(proposal.labels));
  of_keys.kept = true;
  const auto same = [&](const Labels& values) {
    return std::ranges::all_of(values, [&](const auto& one) {
      return model::label_value(proposal.labels, one.first) == one.second;
    });
  };
  const auto at = std::ranges::find_if(of_keys.values, same);
  if (at != of_keys.values.end()) std::rotate(of_keys.values.begin(), at, at + 1);
}

void TriedLabels::failed(const Proposal& last) { ++known(keys_of(last.labels)).failures; }

void TriedLabels::add(model::Row row, const Labels& labels) {
  BERTH_ASSERT(added_.empty() && !labels.empty());
  slot_ = cluster_.nodes().slot_of(row);
  Labels all = cluster_.nodes().node(slot_).labels;
  all.insert(all.end(), labels.begin(), labels.end());
  std::ranges::sort(all);
  former_ = cluster_.relabel(slot_, std::move(all));
  added_ = labels;
}

void TriedLabels::put_back() {
  if (added_.empty()) return;
  cluster_.relabel(slot_, std::move(former_));
  former_.clear();
  added_.clear();
}

}  // namespace berth::explain
