#include "bench/macro/measure/read_load.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace berth::bench {

using ingest::BatchKind;
using loadgen::LoadStep;
using loadgen::Nanoseconds;

LoadLines::LoadLines(loadgen::Load& load, bool by_wall_clock)
    : load_(load), by_wall_clock_(by_wall_clock), output_(loadgen::watch_output(text_)) {}

size_t LoadLines::read(std::span<uint8_t> out) {
  while (!ready())
    if (!write_next()) return 0;
  const size_t size = std::min(out.size(), text_.bytes().size() - at_);
  std::memcpy(out.data(), text_.bytes().data() + at_, size);
  at_ += size;
  return size;
}

// False: the load is over.
bool LoadLines::write_next() {
  keep_drains();
  text_.clear();
  at_ = 0;
  planned_.clear();
  if (!load_.next(step_)) return false;
  new_ = true;
  for (size_t pod = 0; pod < step_.pods.size(); ++pod)
    planned_.emplace(
        std::string(step_.pods.namespace_of(pod)) + '/' + std::string(step_.pods.names[pod]),
        step_.planned[pod]);
  output_->write(step_);
  return true;
}

void LoadLines::keep_drains() {
  if (step_.drained.empty()) return;
  copy_times(drains_);
  std::ranges::move(step_.drained, std::back_inserter(drains_.drained));
  step_.drained.clear();
}

bool LoadLines::take_drains(LoadStep& step) {
  if (drains_.drained.empty()) return false;
  step = std::exchange(drains_, {});
  return true;
}

void LoadLines::copy_times(LoadStep& to) const {
  to.at = time();
  to.measured = step_.measured;
  to.closed_loop = step_.closed_loop;
  to.timed = step_.timed;
}

Nanoseconds LoadLines::time() const {
  const bool ends = step_.timed && !by_wall_clock_ && !step_.planned.empty();
  return ends ? step_.planned.back() : step_.at;
}

Nanoseconds LoadLines::planned(std::string_view namespace_name, std::string_view pod) const {
  const auto at = planned_.find(std::string(namespace_name) + '/' + std::string(pod));
  return at == planned_.end() ? step_.at : at->second;
}

ReadLoad::ReadLoad(std::unique_ptr<loadgen::Load> load, bool workloads, bool by_wall_clock)
    : load_(std::move(load)),
      lines_(*load_, by_wall_clock),
      creation_([] { return std::vector<model::Node>(); }, true),
      stream_(lines_, diagnostics_, true, false, &creation_,
              ingest::validation_by(kDefaultKubeVersion)) {
  creation_.follow_nodes();
  if (workloads) creation_.play_workloads();
}

// Reads the next batch that is a step of its own; false: there is none.
bool ReadLoad::read() {
  while (stream_.next(batch_)) switch (batch_.kind) {
      case BatchKind::kTemplates:
      case BatchKind::kCluster:
      case BatchKind::kEvents:
      case BatchKind::kPods:
        return true;
      case BatchKind::kTime:  // that of the load's step
      case BatchKind::kNote:
      case BatchKind::kBindings:
      case BatchKind::kEnd:
        break;
    }
  return false;
}

bool ReadLoad::next(LoadStep& step) {
  if (!held_) held_ = read();
  step.clear();
  if (lines_.take_drains(step)) return true;
  if (!std::exchange(held_, false)) return false;
  lines_.copy_times(step);
  step.awaits_pods = lines_.step().awaits_pods && lines_.is_new();
  fill(step);
  return true;
}

void ReadLoad::fill(LoadStep& step) {
  switch (batch_.kind) {
    case BatchKind::kTemplates:
      step.retired_templates = std::move(batch_.retired_templates);
      step.templates = std::move(batch_.templates);
      return;
    case BatchKind::kCluster:
      step.cluster = std::move(batch_.changes);
      return;
    case BatchKind::kEvents:
      step.events = std::move(batch_.changes);
      return;
    default:
      step.pods = std::move(batch_.pods);
      return plan(step);
  }
}

void ReadLoad::plan(LoadStep& step) const {
  for (size_t pod = 0; pod < step.pods.size(); ++pod)
    step.planned.push_back(lines_.planned(step.pods.namespace_of(pod), step.pods.names[pod]));
}

}  // namespace berth::bench
