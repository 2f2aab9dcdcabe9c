#pragma once

// Node selectors (v1.NodeSelector and nodeSelector maps), parsed once and referred to by handle.
// Equal selectors have the same handle. Sources: k8s.io/component-helpers nodeaffinity,
// k8s.io/apimachinery labels and fields.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/columns/interned.h"
#include "engine/model/objects/labels.h"

namespace berth::model {

// Handles are dense. A selector is there while it is retained, and until the next `collect`; its
// handle is used again then. Templates retain theirs, and configurations for good. One thread adds
// selectors; others may match while nothing is added.
class NodeSelectors {
 public:
  using Handle = uint32_t;  // 0: no selector

  explicit NodeSelectors(Strings& strings) : strings_(strings) {}

  // A nodeSelector map: all labels must be equal. Returns 0 if it is empty.
  Handle of_map(const StringMap& labels);
  // ORed terms. A term that is invalid or empty matches nothing, and so does a selector without
  // terms. Problems of terms are kept, see problem().
  Handle of_selector(const NodeSelector& selector);
  // A single term. `path` precedes its problems ("[2]").
  Handle of_term(const NodeSelectorTerm& term, std::string_view path);

  // Empty if the selector is valid, otherwise one text with all problems and their paths.
  std::string_view problem(Handle handle) const { return selectors_[handle].problem; }

  // True if a node with these labels and this name matches. Requires: contains(handle).
  bool matches(Handle handle, const Labels& labels, StringId node_name) const;

  // The names of the only nodes that can match, some of them twice, where every term asks for the
  // node's name, as in the pods of a DaemonSet. Nothing: a node of any name may match. Requires:
  // contains(handle).
  std::optional<std::vector<StringId>> names(Handle handle) const;

  bool contains(Handle handle) const { return selectors_.contains(handle); }
  size_t count() const { return selectors_.count(); }
  void retain(Handle handle) { selectors_.retain(handle); }
  void release(Handle handle) { selectors_.release(handle); }
  // Retires selectors without references, and releases their strings.
  void collect();

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
    bool is_name = false;  // a field test of metadata.name; otherwise the field does not exist
    StringId key = 0;
    int64_t number = 0;
    std::vector<StringId> values;
  };
  struct Selector {
    std::vector<std::vector<Test>> terms;  // retain their strings
    std::string problem;
  };

  Handle keep(std::string identity, Selector selector);
  template <typename Visit>
  static void for_each_string(const Selector& selector, Visit&& visit);
  void add_term(Selector& selector, const NodeSelectorTerm& term, const std::string& path);
  std::string label_test(const Requirement& requirement, const std::string& path, Test& test);
  std::string field_test(const Requirement& requirement, const std::string& path, Test& test);
  bool passes(const Test& test, const Labels& labels, StringId node_name) const;

  Strings& strings_;
  Interned<Selector> selectors_;
};

}  // namespace berth::model
