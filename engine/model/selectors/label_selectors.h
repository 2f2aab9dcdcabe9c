#pragma once

// Label selectors (metav1.LabelSelector), parsed once and named by handles. Equal selectors have
// one handle. Source: k8s.io/apimachinery apis/meta/v1 LabelSelectorAsSelector, pkg/labels.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/labels.h"

namespace berth::model {

class LabelSelectors {
 public:
  using Handle = uint32_t;                  // 0: no selector
  static constexpr Handle kNothing = 1;     // of an absent selector: matches nothing
  static constexpr Handle kEverything = 2;  // of an empty one

  explicit LabelSelectors(Strings& strings);

  // Of a selector in which something is wrong, one that matches nothing and has a problem.
  Handle of(const std::optional<LabelSelector>& selector);
  // A map in which nothing is checked, as kube-scheduler takes those of Services.
  Handle of_labels(const Labels& labels);
  // Matches what both match. Nothing stays nothing.
  Handle both(Handle a, Handle b);

  bool matches(Handle handle, const Labels& labels) const;
  bool everything(Handle handle) const;  // there is no requirement
  // Empty if the selector is well-formed; else what is wrong, as kube-scheduler words it.
  std::string_view problem(Handle handle) const { return selectors_[handle - 1].problem; }
  // A label that all that match have: what an index over selectors goes by. Zeros: there is none.
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
