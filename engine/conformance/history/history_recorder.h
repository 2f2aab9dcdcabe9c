#pragma once

// Writes down what attempts do, and what binding cycles do that ended after their pods had waited
// in Permit.
//
// Reports and calls of plugins name their pod. They belong to the attempt of that pod that is being
// made; or, if the pod waited when they came, to a binding cycle that goes on, which begins with
// the first of them.

#include <map>
#include <vector>

#include "engine/binding/placement_observer.h"
#include "engine/conformance/history/history_record.h"
#include "engine/runtime/core.h"

namespace berth::conformance {

class HistoryRecorder final : public binding::PlacementObserver {
 public:
  // Takes the core's reports from now on. To be called once; the core lives as long.
  void attach(runtime::Core& core);

  // Makes the pod's attempt, and what becomes of its binding.
  Attempt make_attempt(model::PodId pod);
  // Binding cycles that ended since the last call.
  std::vector<Attempt> take_finished();

  void called(const binding::PlacementCall& call) override;

 private:
  Attempt* of(model::PodId pod);
  Attempt& begin_finished(model::PodId pod);

  template <typename Other>
  void on(const Other&) {}  // nothing of it is recorded
  void on(const runtime::Scheduled& report);
  void on(const runtime::PermitWaiting& report);
  void on(const runtime::Refused& report);
  void on(const runtime::Failed& report);
  void on(const runtime::Skipped& report);
  void on(const runtime::Bound& report);
  void on(const runtime::BindingFailed& report);
  void on(const runtime::Nominated& report);
  void on(const runtime::Announced& report);
  void on(const runtime::Evicted& report);

  runtime::Core* core_ = nullptr;
  Attempt* current_ = nullptr;                // that is being made
  std::map<model::PodId, uint32_t> waiting_;  // with their numbers of attempts
  std::vector<Attempt> finished_;
  model::PodId finishing_;  // of the last of them, as long as it goes on
};

}  // namespace berth::conformance
