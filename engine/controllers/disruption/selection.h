#pragma once

// Which pods the budgets select, and the counts of them that the statuses of the budgets are made
// of. A change of a pod costs the budgets of its namespace that ask for one of its labels; a change
// of a selector costs the pods of the namespace.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/columns/strings.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/objects.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::controllers {

// The parts of a pod that a budget reads. The pointers are valid during the call that gets them.
struct PodView {
  model::StringId namespace_name = 0, name = 0;
  const model::Labels* labels = nullptr;     // never null
  const model::Controller* owner = nullptr;  // null: nothing controls the pod
  bool ready = false;                        // condition Ready is True
  bool terminating = false;                  // it has a deletion timestamp
  // The transition of the condition DisruptionTarget, if that is True, if it is not the kubelet's
  // (reason TerminationByKubelet), and if the pod neither terminates nor is finished.
  std::optional<Time> disrupted_since;
};

// Positions of budgets and of pods are used again when they are removed. Retains the names and
// labels of pods, and the selectors; what is left at the end stays retained, since the stores may
// have ended before. One thread.
class Selection {
 public:
  using Position = uint32_t;

  struct Counts {
    int32_t pods = 0;
    int32_t healthy = 0;  // ready, and not terminating
    // The number of pods that each owner has, in order of owners.
    std::vector<std::pair<Position, int32_t>> owners;
  };

  Selection(model::Strings& strings, model::LabelSelectors& selectors)
      : strings_(strings), selectors_(selectors) {}
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  // Adds a budget, or replaces the selector of the one of this name.
  Position put_budget(std::string_view namespace_name, std::string_view name,
                      const std::optional<model::LabelSelector>& selector);
  void remove_budget(Position budget);
  std::optional<Position> find_budget(std::string_view namespace_name, std::string_view name) const;
  const Counts& counts(Position budget) const { return budgets_[budget].counts; }
  // Empty if the selector is valid. One that is not selects nothing.
  std::string_view problem(Position budget) const {
    return selectors_.problem(budgets_[budget].selector);
  }

  Position put_pod(const PodView& pod);  // adds it, or replaces the one of this name
  void remove_pod(Position pod);
  std::optional<Position> find_pod(model::StringId namespace_name, model::StringId name) const;
  // The pod of the budget's namespace with this name, if the budget selects it.
  std::optional<Position> find_selected(Position budget, std::string_view name) const;
  // The budgets that select the pod, in order of their names.
  const std::vector<Position>& budgets_of(Position pod) const { return pods_[pod].budgets; }
  bool is_healthy(Position pod) const { return pods_[pod].ready && !pods_[pod].terminating; }
  bool is_terminating(Position pod) const { return pods_[pod].terminating; }
  model::StringId namespace_of(Position pod) const { return pods_[pod].namespace_name; }
  model::StringId name_of(Position pod) const { return pods_[pod].name; }

  const model::Controller& owner(Position owner) const { return owners_[owner].owner; }
  // The name of the first pod, in order of names, that the budget selects and the owner controls.
  // Requires: there is one. Costs the pods of the namespace.
  std::string_view first_pod(Position budget, Position owner) const;

 private:
  static constexpr Position kNone = UINT32_MAX;
  using Label = std::pair<model::StringId, model::StringId>;

  struct Budget {
    model::StringId namespace_name = 0;
    std::string name;
    model::LabelSelectors::Handle selector = model::LabelSelectors::kNothing;
    Counts counts;
  };
  struct Pod {
    model::StringId namespace_name = 0, name = 0;
    model::Labels labels;
    Position owner = kNone;
    bool ready = false, terminating = false;
    std::vector<Position> budgets;
  };
  struct Owner {
    model::Controller owner;
    uint32_t pods = 0;
  };
  struct Namespace {
    std::map<std::string, Position, std::less<>> budgets;
    std::map<Label, std::vector<Position>> by_label;  // that they require; zeros: none
    boost::unordered_flat_set<Position> pods;
  };

  static uint64_t key(model::StringId namespace_name, model::StringId name) {
    return uint64_t{namespace_name} << 32 | name;
  }
  static std::string identity(const model::Controller& owner);
  Namespace& enter(model::StringId namespace_name);
  void leave(model::StringId namespace_name);
  // A budget selects nothing before and after these.
  void select(Position budget, model::LabelSelectors::Handle selector);
  void select_nothing(Position budget);
  void attach(Position pod, Position budget);
  void detach(Position pod, Position budget);
  void attach_all(Position pod);
  void detach_all(Position pod);
  // Adds the pod to the counts of the budget `times` times, 1 or -1.
  void count(const Pod& pod, Position budget, int32_t times);
  Position acquire_owner(const model::Controller* owner);
  void release_owner(Position owner);

  model::Strings& strings_;
  model::LabelSelectors& selectors_;
  std::vector<Budget> budgets_;
  std::vector<Pod> pods_;
  std::vector<Owner> owners_;
  std::vector<Position> free_budgets_, free_pods_, free_owners_;
  boost::unordered_flat_map<model::StringId, Namespace> namespaces_;
  boost::unordered_flat_map<uint64_t, Position> by_name_;         // of pods
  boost::unordered_flat_map<std::string, Position> by_identity_;  // of owners
};

}  // namespace berth::controllers
