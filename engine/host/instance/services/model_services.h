#pragma once

// The parts of the model that plugins can ask for: string ids, columns, selectors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/cluster/cluster.h"

namespace berth::host {

// "; did you mean node.label:example.com/rack?" for an id of a column or a family that is much like
// one that there is; else empty.
std::string column_meant(std::string_view typed);

// Answers the services of plugins from one cluster, which outlives it. On the thread that owns the
// model, except where a function says otherwise.
class ModelServices {
 public:
  explicit ModelServices(model::Cluster& cluster) : cluster_(cluster) {}

  // For services with a table of their own, such as the counts.
  model::Cluster& cluster() const { return cluster_; }

  // String ids; 0 is absent.
  uint32_t intern(std::string_view text) { return cluster_.strings().intern(text); }
  // The string stays from now on: ids that a plugin has are never given to another text.
  uint32_t find(std::string_view text) {
    const uint32_t id = cluster_.strings().find(text);
    if (id != 0) cluster_.strings().pin(id);
    return id;
  }
  std::string_view text(uint32_t id) const {  // any thread; id < string_count()
    return cluster_.text(id);
  }
  uint32_t string_count() const { return cluster_.strings().size(); }  // any thread; ids are below

  // Makes the member of a family if it does not exist yet; 0: no such column.
  uint32_t find_column(std::string_view id) {
    const uint32_t column = cluster_.find_column(id);
    if (column == 0) unknown_column_ = id;
    return column;
  }
  // Returns a clause about the last unknown column that the plugin asked for since the previous
  // call, for the message of a failed call. Empty if there was none. Forgets it.
  std::string take_unknown_column();
  // The id of the column with this number; empty: no such column. Valid as long as the cluster.
  std::string_view column_id(uint32_t column);
  // True if `id` is the id of a column, or of a family ("node.label:*").
  bool knows_column(std::string_view id);
  // True if `id` names a flat dictionary column of nodes, so that a hook may run over its codes
  // (berth_hook.space).
  bool is_node_dictionary(std::string_view id);

  // Node selectors by handle; 0 is no selector.
  bool has_selector(uint32_t selector) const { return cluster_.selectors().contains(selector); }
  // The id of the column node.matches:SELECTOR. Requires: has_selector(selector).
  uint32_t match_column(uint32_t selector);
  // The errors of a selector, in kube-scheduler's words; nothing if it is valid.
  [[nodiscard]] std::optional<std::string> selector_problem(uint32_t selector) const {
    return optional_text(cluster_.selectors().problem(selector));
  }
  // Selectors of configurations stay for good.
  uint32_t add_selector(const model::NodeSelector& selector) {
    return kept(cluster_.selectors(), cluster_.selectors().of_selector(selector));
  }
  uint32_t add_selector_term(const model::NodeSelectorTerm& term) {
    return kept(cluster_.selectors(), cluster_.selectors().of_term(term, ""));
  }

  // Label selectors by handle.
  uint32_t add_label_selector(const model::LabelSelector& selector) {
    return kept(cluster_.label_selectors(), cluster_.label_selectors().of(selector));
  }
  [[nodiscard]] std::optional<std::string> label_selector_problem(uint32_t selector) const {
    return optional_text(cluster_.label_selectors().problem(selector));
  }

 private:
  static std::optional<std::string> optional_text(std::string_view problem) {
    if (problem.empty()) return std::nullopt;
    return std::string(problem);
  }
  template <typename Table>
  static uint32_t kept(Table& table, uint32_t handle) {
    table.retain(handle);
    return handle;
  }

  model::Cluster& cluster_;
  std::string unknown_column_;  // that was asked for last
};

}  // namespace berth::host
