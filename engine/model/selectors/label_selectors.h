#pragma once

// Label selectors (metav1.LabelSelector), parsed once and referred to by handle. Equal selectors
// have the same handle. Source: k8s.io/apimachinery apis/meta/v1 LabelSelectorAsSelector,
// pkg/labels.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/columns/interned.h"
#include "engine/model/objects/labels.h"

namespace berth::model {

// Handles are dense. A selector is there while it is retained, and until the next `collect`; its
// handle is used again then. Services and controllers retain theirs, and configurations for good.
// Terms retain nothing: the cluster forgets them before it collects. One thread adds selectors;
// others may match while nothing is added.
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
  // result. Requires: contains() of both.
  Handle both(Handle a, Handle b);

  // True if labels satisfy all requirements. Requires: contains(handle).
  bool matches(Handle handle, const Labels& labels) const;
  bool everything(Handle handle) const;  // true if it has no requirements
  // Empty if the selector is valid, otherwise the problem in kube-scheduler's words.
  std::string_view problem(Handle handle) const { return selectors_[handle].problem; }
  // As kubectl writes it: "app=web,tier in (a,b),!test"; "<none>" and "<all>" for those that match
  // nothing and everything. Requires: contains(handle).
  std::string words(Handle handle) const;
  // A (key, value) that the labels of every match contain, for LabelIndex; zeros if there is none.
  std::pair<StringId, StringId> required(Handle handle) const;

  bool contains(Handle handle) const { return selectors_.contains(handle); }
  size_t count() const { return selectors_.count(); }
  void retain(Handle handle) { selectors_.retain(handle); }
  void release(Handle handle) { selectors_.release(handle); }
  // Retires selectors without references, and releases their strings.
  void collect();

 private:
  struct Selector {
    bool nothing = false;
    std::vector<LabelTest> tests;  // sorted; all must pass; retain their strings
    std::string problem;
  };

  Handle keep(Selector selector);
  std::string parse(const LabelSelector& source, Selector& selector);

  Strings& strings_;
  Interned<Selector> selectors_;
};

}  // namespace berth::model
