#pragma once

// Node selectors (v1.NodeSelector, nodeSelector maps), parsed once and named by handles. Equal
// selectors have one handle. Source: k8s.io/component-helpers nodeaffinity, k8s.io/apimachinery
// labels and fields.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/objects/labels.h"

namespace berth::model {

class NodeSelectors {
 public:
  using Handle = uint32_t;  // 0: no selector

  explicit NodeSelectors(Strings& strings) : strings_(strings) {}

  // All labels must be equal. 0 if the map is empty.
  Handle of_map(const StringMap& labels);
  // Terms ORed. What is wrong with a term makes that term match nothing.
  Handle of_selector(const NodeSelector& selector);
  // One term; `path` stands in front of what is wrong with it ("[2]").
  Handle of_term(const NodeSelectorTerm& term, std::string_view path);

  // Empty if the selector is well-formed; else one text for all that is wrong, each with its path.
  std::string_view problem(Handle handle) const { return selectors_[handle - 1].problem; }

  bool matches(Handle handle, const Labels& labels, StringId node_name) const;

  Handle count() const { return static_cast<Handle>(selectors_.size()); }  // handles are 1..count

 private:
  enum class Op : uint8_t {
    kIn,
    kNotIn,
    kExists,
    kDoesNotExist,
    kGreater,
    kLess,
    kFieldIs,
    kFieldIsNot
  };
  struct Test {
    Op op;
    bool is_name = false;  // of a field test: metadata.name, else a field that no node has
    StringId key = 0;
    int64_t number = 0;
    std::vector<StringId> values;
  };
  struct Selector {
    std::vector<std::vector<Test>> terms;
    std::string problem;
  };

  Handle keep(std::string identity, Selector selector);
  void add_term(Selector& selector, const NodeSelectorTerm& term, const std::string& path);
  std::string label_test(const Requirement& requirement, const std::string& path, Test& test);
  std::string field_test(const Requirement& requirement, const std::string& path, Test& test);
  bool passes(const Test& test, const Labels& labels, StringId node_name) const;

  Strings& strings_;
  std::vector<Selector> selectors_;
  boost::unordered_flat_map<std::string, Handle> handles_;  // by identity
};

}  // namespace berth::model
