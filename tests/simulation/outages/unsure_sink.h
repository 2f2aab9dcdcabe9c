#pragma once

// The sink of bindings in a simulation of outages. It refuses some, answers some later, and of some
// the answer is lost: then the pod is bound, and the server tells of it later.

#include <string>
#include <vector>

#include "engine/binding/binding_sink.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "tests/simulation/outages/outage_marks.h"
#include "tests/simulation/world/draws.h"

namespace berth::simulation {

class UnsureSink final : public binding::BindingSink {
 public:
  UnsureSink(Dice& dice, const Rates& rates, OutageMarks& marks)
      : dice_(dice), rates_(rates), marks_(marks) {}
  void attach(runtime::Core& core, played::ApiServer& api) {
    core_ = &core;
    api_ = &api;
  }
  // From now on each binding is accepted at once.
  void heal() { healed_ = true; }
  // Answers some bindings, and tells of some pods: of all once it is healed.
  void catch_up();

  binding::BindAnswer bind(const binding::Binding& one) override;

 private:
  struct Bound {
    model::PodId pod;
    std::string node;
  };

  void tell(const Bound& one);
  // Takes some of the entries out.
  template <typename Entry>
  std::vector<Entry> some_of(std::vector<Entry>& entries);

  Dice& dice_;
  const Rates& rates_;
  OutageMarks& marks_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* api_ = nullptr;
  bool healed_ = false;
  std::vector<runtime::BindingAnswer> unanswered_;
  std::vector<Bound> untold_;
};

}  // namespace berth::simulation
