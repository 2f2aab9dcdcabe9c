#include "bench/macro/measure/meter/work_trace.h"

namespace berth::bench {

WorkTrace::WorkTrace(runtime::Core& core, Trace* trace) : core_(core), trace_(trace) {
  if (trace_ == nullptr) return;
  logs_.push_back(trace_->add_thread());
  for (size_t i = 0; i < core_.scheduler().decisions().other_calls().size(); ++i)
    logs_.push_back(trace_->add_thread());
}

void WorkTrace::log_calls(bool yes) {
  core_.calls().log_calls(yes ? logs_[0] : nullptr);
  const auto& others = core_.scheduler().decisions().other_calls();
  for (size_t i = 0; i < others.size(); ++i) others[i]->log_calls(yes ? logs_[i + 1] : nullptr);
}

void WorkTrace::note(const model::PodRecord& pod, runtime::PodOutcome outcome) {
  outcome_ = runtime::outcome_name(outcome);
  namespace_ = core_.cluster().text(pod.namespace_name);
  name_ = core_.cluster().text(pod.name);
}

}  // namespace berth::bench
