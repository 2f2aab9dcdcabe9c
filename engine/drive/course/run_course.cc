#include "engine/drive/course/run_course.h"

#include <variant>

namespace berth::drive {

output::QueueSizes queue_sizes(const runtime::Core& core) {
  using queue::Place;
  const queue::SchedulingQueue& queue = core.scheduler().queue();
  const runtime::BindingCycles& bindings = core.scheduler().bindings();
  output::QueueSizes sizes;
  sizes.active = queue.size(Place::kActive);
  sizes.backoff = queue.size(Place::kBackoff) + queue.size(Place::kErrorBackoff);
  sizes.unschedulable = queue.size(Place::kUnschedulable);
  sizes.gated = queue.size(Place::kGated);
  sizes.permit = bindings.permits().size();
  sizes.binding =
      bindings.binder().size() + bindings.pre_bind_waits().size() + bindings.under_way().size();
  return sizes;
}

void RunCourse::sample(const runtime::Core& core) {
  output::QueueSizes sizes = queue_sizes(core);
  sizes.evicted = preempted_ + disrupted_;
  queues_.add(core.now(), sizes);
}

void RunCourse::look(const runtime::Core& core) {
  recovery_.look(core.now(), queue_sizes(core).coming(), core.pods_leave());
}

void RunCourse::take(const runtime::Report& report, const runtime::Core& core) {
  if (std::holds_alternative<runtime::Evicted>(report)) ++preempted_;
  if (const auto* disrupted = std::get_if<runtime::Disrupted>(&report)) {
    disrupted_ += !disrupted->terminates_already;
    recovery_.evicted(core.now(), queue_sizes(core).coming());
  }
  if (!recovery_.open()) return;
  if (std::holds_alternative<runtime::Arrived>(report)) recovery_.arrived();
  if (std::holds_alternative<runtime::Bound>(report)) look(core);
}

}  // namespace berth::drive
