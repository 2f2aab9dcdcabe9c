#pragma once

// Services and controllers, which define the pods that belong together. Source: kube-scheduler
// plugins/helper DefaultSelector.

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/model/objects/objects.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

// One thread. Retains the strings and selectors of its objects. Objects in a namespace without a
// Namespace object are kept like any other.
class SelectorOwners {
 public:
  SelectorOwners(Strings& strings, LabelSelectors& selectors)
      : strings_(strings), selectors_(selectors) {}

  // Add, replace or remove an object. Return true if that changed anything.
  bool put(const SelectorOwner& object);
  bool remove(SelectorOwnerKind kind, std::string_view namespace_name, std::string_view name);
  uint64_t size() const;  // objects of all kinds

  // The selector of a pod's siblings: the labels required by all services that select the pod,
  // together with the selector of its controller. Matches everything if there are neither.
  // `controller`: the pod's, may be null; other kinds than those of SelectorOwnerKind do not count.
  LabelSelectors::Handle siblings(StringId namespace_name, const Labels& labels,
                                  const Controller* controller);
  // False: nothing of this namespace is an owner, and siblings() matches everything.
  bool any_in(StringId namespace_name) const { return sets_.contains(namespace_name); }

 private:
  struct Selected {
    bool selects = false;  // the object has a selector
    Labels labels;         // of Services and ReplicationControllers
    LabelSelectors::Handle selector = LabelSelectors::kNothing;  // of ReplicaSets and StatefulSets

    bool operator==(const Selected&) const = default;
  };
  using Name = std::pair<SelectorOwnerKind, std::string>;
  struct OfNamespace {
    std::map<Name, Selected> owners;
    // Services by the first label of their selectors, so that a pod is compared with those alone
    // that its labels may satisfy. Selectors without a label add nothing.
    std::map<std::pair<StringId, StringId>, std::map<std::string, const Selected*>> services;
  };
  static void index(OfNamespace& in, const Name& name, const Selected& selected, bool add);

  void retain(const Selected& selected);
  void release(const Selected& selected);
  const Selected* find(StringId namespace_name, SelectorOwnerKind kind,
                       const std::string& name) const;

  Strings& strings_;
  LabelSelectors& selectors_;
  boost::unordered_flat_map<StringId, OfNamespace> sets_;
};

}  // namespace berth::model
