#pragma once

// Label selectors (metav1.LabelSelector), parsed once and referred to by handle. Equal selectors
// have the same handle. Source: k8s.io/apimachinery apis/meta/v1 LabelSelectorAsSelector,
// pkg/labels.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/labels.h"

namespace berth::model {

// Handles are dense and stay valid for the life of the table. One thread adds selectors; others may
// match while nothing is added.
class LabelSelectors {
 public:
  using Handle = uint32_t;                  // 0: no selector
  static constexpr Handle kNothing = 1;     // absent selector, matches nothing
  static constexpr Handle kEverything = 2;  // empty selector, matches everything

  explicit LabelSelectors(Strings& strings);

  // The handle of a selector. An invalid selector matches nothing and has a problem().
  Handle of(const std::optional<LabelSelector>& selector);
  // The handle of a label map without validation, as kube-scheduler treats selectors of Services.
  Handle of_labels(const Labels& labels);
  // The handle of the conjunction of two selectors. If one of them matches nothing, so does the
  // result. Requires: both handles are in 1..count().
  Handle both(Handle a, Handle b);

  // True if labels satisfy all requirements. Requires: handle is in 1..count().
  bool matches(Handle handle, const Labels& labels) const;
  bool everything(Handle handle) const;  // true if it has no requirements
  // Empty if the selector is valid, otherwise the problem in kube-scheduler's words.
  std::string_view problem(Handle handle) const { return selectors_[handle - 1].problem; }
  // A (key, value) that the labels of every match contain, for LabelIndex; zeros if there is none.
  std::pair<StringId, StringId> required(Handle handle) const;

  Handle count() const { return static_cast<Handle>(selectors_.size()); }  // handles are 1..count

 private:
  struct Selector {
    bool nothing = false;
    std::vector<LabelTest> tests;  // sorted; all must pass
    std::string problem;
  };

  Handle keep(Selector selector);
  std::string parse(const LabelSelector& source, Selector& selector);

  Strings& strings_;
  std::vector<Selector> selectors_;
  boost::unordered_flat_map<std::string, Handle> handles_;  // by identity
};

}  // namespace berth::model
