#pragma once

// Retires what pods and nodes left behind: names, templates, shapes and slots that nothing refers
// to any more, and what hooks keep by them.
//
// Forgetting states costs an evaluation of all nodes for each template that is in use, hence the
// thresholds: of shapes, of nodes, and of memory, which a few shapes take in a large cluster. At
// most about half of that memory is unused.

#include <memory>
#include <vector>

#include "engine/binding/binder.h"
#include "engine/framework/hooks/profile.h"
#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

class Decisions;
class SecondOpinion;

class Retirement {
 public:
  using Profiles = std::vector<std::unique_ptr<framework::Profile>>;

  // All of it outlives the retirement. `always`: before every event, and not once it is worth it.
  // To be made after the plugins' `init`: shapes stay if a plugin asked for ids that depend on
  // them, which are valid for its life.
  // `opinion`: keeps states of other settings; may be null.
  Retirement(model::Cluster& cluster, binding::Binder& binder, const Profiles& profiles,
             Decisions& decisions, SecondOpinion* opinion, bool always);

  // To be called where nothing but rows of the pod table refers to what pods brought.
  void collect();

 private:
  bool shapes_are_due() const;

  model::Cluster& cluster_;
  binding::Binder& binder_;
  const Profiles& profiles_;
  Decisions& decisions_;
  SecondOpinion* opinion_;
  bool always_;
  bool shapes_stay_;
};

}  // namespace berth::runtime
