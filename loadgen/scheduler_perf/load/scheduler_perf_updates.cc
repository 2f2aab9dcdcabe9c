// updateAny: replaces nodes and pods, at a rate, while timers run beside it.

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// The containers get the resources that containers of the same names have in `wanted`.
void take_resources(const std::vector<model::Container>& wanted,
                    std::vector<model::Container>& containers) {
  for (model::Container& container : containers) {
    const auto same = std::ranges::find(wanted, container.name, &model::Container::name);
    if (same == wanted.end()) continue;
    container.requests = same->requests;
    container.limits = same->limits;
  }
}

}  // namespace

// Upstream updates one object at each tick of its clock, the first one after an interval.
void PerfLoad::play(const UpdateAny& objects, LoadStep& step) {
  const int64_t per_second = objects.per_second;
  if (per_second == 0) {
    for (const int64_t end = end_of_step(); current_.done < end;) update_next(objects);
  } else if (current_.done < op().count) {
    const Nanoseconds due = current_.began + (current_.done + 1) * kSecond / per_second;
    const Timer* timer = earliest();
    if (timer != nullptr && timer->due <= due) {
      now_ = std::max(now_, timer->due);
      return;
    }
    step.at = now_ = std::max(now_, due);
    update_next(objects);
  }
  if (current_.done == op().count) advance();
}

// An update replaces the object. Nodes of createNodes lose the hostname label unless the template
// has it, as upstream.
void PerfLoad::update_next(const UpdateAny& objects) {
  const int64_t number = current_.done++;
  AnySample sample = op().any(number);
  auto* wanted = std::get_if<PodSample>(&sample);
  if (wanted == nullptr) return objects_.update_node(std::get<NodeSample>(std::move(sample)));
  const std::string name = wanted->naming.text;
  UpdatedPod pod{std::move(*wanted), {}};
  if (objects.resize) {
    const std::vector<model::Container> resources = std::move(pod.sample.pod.spec.containers);
    // Mostly the pod of the same number.
    pod = created_.current(op(), name, number);
    take_resources(resources, pod.sample.pod.spec.containers);
  }
  objects_.update_pod(pod, op().namespace_name, name);
  created_.update(op().namespace_name, name, std::move(pod));
}

}  // namespace berth::loadgen::scheduler_perf
