#pragma once

// An environment for plugin instances without a model: a few strings and columns, and a log that
// records its lines.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/host/instance/services.h"

namespace berth::host {

class FakeModel final : public ModelServices {
 public:
  uint32_t intern(std::string_view text) override {
    if (broken) throw std::runtime_error("no more strings");
    const uint32_t id = find(text);
    if (id != 0) return id;
    strings_.emplace_back(text);
    return static_cast<uint32_t>(strings_.size());
  }
  uint32_t find(std::string_view text) const override { return number(strings_, text); }
  std::string_view text(uint32_t id) const override {
    return id == 0 ? std::string_view() : strings_[id - 1];
  }
  uint32_t string_count() const override { return static_cast<uint32_t>(strings_.size() + 1); }

  uint32_t find_column(std::string_view id) override {
    if (id.starts_with("node.label:") && number(columns_, id) == 0) columns_.emplace_back(id);
    return number(columns_, id);
  }
  std::string_view column_id(uint32_t column) override {
    return column == 0 || column > columns_.size() ? std::string_view() : columns_[column - 1];
  }
  bool knows_column(std::string_view id) override {
    return id == "node.label:*" || find_column(id) != 0;
  }
  bool is_node_dictionary(std::string_view id) override { return id == "node.taints"; }

  uint32_t selector_count() const override { return static_cast<uint32_t>(selectors.size()); }
  uint32_t match_column(uint32_t selector) override { return selector == 1 ? 3 : 0; }
  std::string selector_problem(uint32_t) const override { return "it is odd"; }
  uint32_t add_selector(const model::NodeSelector& selector) override {
    selectors.push_back(selector);
    return selector_count();
  }
  uint32_t add_selector_term(const model::NodeSelectorTerm& term) override {
    return add_selector({{term}});
  }
  uint32_t add_label_selector(const model::LabelSelector& selector) override {
    label_selectors.push_back(selector);
    return static_cast<uint32_t>(label_selectors.size());
  }
  std::string label_selector_problem(uint32_t selector) const override {
    const auto& labels = label_selectors[selector - 1].match_labels;
    return labels.empty() || labels[0].first != "odd" ? "" : "it is odd";
  }

  std::vector<model::NodeSelector> selectors;
  std::vector<model::LabelSelector> label_selectors;
  bool broken = false;

 private:
  static uint32_t number(const std::vector<std::string>& texts, std::string_view text) {
    const auto found = std::find(texts.begin(), texts.end(), text);
    return found == texts.end() ? 0 : static_cast<uint32_t>(found - texts.begin() + 1);
  }

  std::vector<std::string> strings_ = {"node-1", "node-2"};
  std::vector<std::string> columns_ = {"node.name", "node.ports", "node.taints", "pod.priority"};
};

class FakeLog final : public LogServices {
 public:
  uint32_t level() const override { return BERTH_LOG_INFO; }
  void write(uint32_t level, std::string_view plugin, std::string_view text) override {
    lines.push_back(std::to_string(level) + " " + std::string(plugin) + ": " + std::string(text));
  }
  std::vector<std::string> lines;
};

class FakeBindings final : public BindingServices {
 public:
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) override {
    for (size_t i = 0; i < pods.size(); ++i) written.emplace_back(pods[i], nodes[i]);
    return good;
  }
  std::vector<std::pair<uint64_t, uint32_t>> written;
  bool good = true;
};

struct FakeEnvironment {
  FakeModel model;
  FakeLog log;
  FakeBindings bindings;
  HookTable hooks;
  Environment environment{model, &bindings, log, hooks};
  CallContext worker;
};

}  // namespace berth::host
