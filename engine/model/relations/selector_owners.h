#pragma once

// Services and controllers: which pods belong together. Source: kube-scheduler plugins/helper
// DefaultSelector.

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/model/objects/objects.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

class SelectorOwners {
 public:
  SelectorOwners(Strings& strings, LabelSelectors& selectors)
      : strings_(strings), selectors_(selectors) {}

  // Whether that changed anything.
  bool put(const SelectorOwner& object);
  bool remove(SelectorOwnerKind kind, std::string_view namespace_name, std::string_view name);
  uint64_t size() const;

  // The selector of a pod and its siblings: the labels that the services which select the pod ask
  // for, together with what its controller does. Everything, if nothing asks for anything.
  LabelSelectors::Handle siblings(StringId namespace_name, const Labels& labels,
                                  const Controller* controller);

 private:
  struct Selected {
    bool selects = false;  // the object has a selector
    Labels labels;         // of services and ReplicationControllers
    LabelSelectors::Handle selector = LabelSelectors::kNothing;  // of the others

    bool operator==(const Selected&) const = default;
  };
  using Name = std::pair<SelectorOwnerKind, std::string>;
  // By name, so that it does not matter in which order objects came.
  using OfNamespace = std::map<Name, Selected, std::less<>>;

  const Selected* find(StringId namespace_name, SelectorOwnerKind kind,
                       const std::string& name) const;

  Strings& strings_;
  LabelSelectors& selectors_;
  boost::unordered_flat_map<StringId, OfNamespace> sets_;
};

}  // namespace berth::model
