#include "cli/what_if/script_source.h"

#include <algorithm>
#include <utility>

namespace berth::cli {
namespace {

Time later(Time from, Time by) { return by > Time::max() - from ? Time::max() : from + by; }

}  // namespace

ScriptSource::ScriptSource(std::unique_ptr<drive::WorkSource> input, const Script& script,
                           Time standstill, const KnownObjects& objects, runtime::Core& core,
                           OnStep on_step)
    : input_(std::move(input)),
      script_(script),
      standstill_(standstill),
      objects_(objects),
      core_(core),
      on_step_(std::move(on_step)) {}

// Nothing: when the input stands still.
std::optional<Time> ScriptSource::due() const {
  const Step& step = script_.steps[next_];
  if (step.begins == Step::Begins::kAt) return step.time;
  const Time after = step.begins == Step::Begins::kAfter ? step.time : Time{};
  if (next_ != 0 && last_) return later(*last_, after);
  return input_ended_ ? std::optional(later(standstill_, after)) : std::nullopt;
}

// Input of the same moment comes first.
bool ScriptSource::step_is_next() const {
  if (!has_step()) return false;
  const std::optional<Time> at = due();
  if (input_ended_ || !at) return input_ended_;
  const ingest::Batch* batch = held_->stream;
  const bool waits = batch != nullptr && batch->kind == ingest::BatchKind::kTime;
  return core_.now() > *at || (waits && Time(batch->at) > *at);
}

// Time passes first.
void ScriptSource::give(Time due, drive::Work& work) {
  work = {};
  work.stream = &batch_;
  if (core_.now() < due) {
    batch_.kind = ingest::BatchKind::kTime;
    batch_.at = due.count();
    return;
  }
  StepChanges made = objects_.changes_of(script_.steps[next_]);
  on_step_(next_, made);
  batch_.kind = ingest::BatchKind::kEvents;
  batch_.changes = std::move(made.changes);
  last_ = due;
  ++next_;
}

bool ScriptSource::next(drive::Work& work) {
  // The settings hold from the beginning of the run.
  while (has_step() && script_.steps[next_].verb == Verb::kConfigure) on_step_(next_++, {});
  if (!held_ && !input_ended_) {
    drive::Work read;
    if (input_->next(read))
      held_ = read;
    else
      input_ended_ = true;
  }
  if (step_is_next()) {
    give(*due(), work);
    return true;
  }
  if (input_ended_) return false;
  work = *std::exchange(held_, std::nullopt);
  return true;
}

}  // namespace berth::cli
