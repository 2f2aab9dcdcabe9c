#pragma once

// The model as plugins may ask it: string ids, columns, selectors, counts of pods.

#include "engine/host/instance/services.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

class ModelBridge final : public host::ModelServices {
 public:
  explicit ModelBridge(model::Cluster& cluster) : cluster_(cluster) {}

  model::Cluster& cluster() { return cluster_; }

  uint32_t intern(std::string_view text) override { return cluster_.strings().intern(text); }
  uint32_t find(std::string_view text) const override { return cluster_.strings().find(text); }
  std::string_view text(uint32_t id) const override { return cluster_.text(id); }
  uint32_t string_count() const override { return cluster_.strings().size(); }

  uint32_t find_column(std::string_view id) override { return cluster_.find_column(id); }
  std::string_view column_id(uint32_t column) override;
  bool knows_column(std::string_view id) override;
  bool is_node_dictionary(std::string_view id) override;

  uint32_t selector_count() const override { return cluster_.selectors().count(); }
  uint32_t match_column(uint32_t selector) override;
  std::string selector_problem(uint32_t selector) const override {
    return std::string(cluster_.selectors().problem(selector));
  }
  uint32_t add_selector(const model::NodeSelector& selector) override {
    return cluster_.selectors().of_selector(selector);
  }
  uint32_t add_selector_term(const model::NodeSelectorTerm& term) override {
    return cluster_.selectors().of_term(term, "");
  }
  uint32_t add_label_selector(const model::LabelSelector& selector) override {
    return cluster_.label_selectors().of(selector);
  }
  std::string label_selector_problem(uint32_t selector) const override {
    return std::string(cluster_.label_selectors().problem(selector));
  }
  const void* other_service(std::string_view id) override;

 private:
  model::Cluster& cluster_;
};

}  // namespace berth::framework
