// Churn and gradual deletion, which run beside the operations.

#include <algorithm>
#include <utility>

#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

namespace berth::loadgen::scheduler_perf {
namespace {

constexpr int64_t kMostDeletedPerStep = 4096;
constexpr Nanoseconds kMillisecond{1'000'000};

}  // namespace

// The timer that is due first; of equal ones the one that was started first.
PerfLoad::Timer* PerfLoad::earliest() {
  const auto first = std::ranges::min_element(timers_, {}, &Timer::due);
  return first == timers_.end() ? nullptr : &*first;
}

void PerfLoad::tick(Timer& timer, LoadStep& step) {
  step.at = now_ = std::max(now_, timer.due);
  step.measured = measurement_.collects() || (!at_end() && op().measured);
  std::visit([&](auto& one) { work(one, timer.interval); }, timer.work);
  timer.due += timer.interval;
  std::erase_if(timers_, [](const Timer& each) {
    return std::visit([](const auto& one) { return one.is_over(); }, each.work);
  });
}

bool PerfLoad::Churning::is_over() const {
  return !churn->recreate && churn->number > 0 && ticks >= churn->number;
}

void PerfLoad::play(const Churn& churn, LoadStep&) {
  objects_.add_namespace(op().namespace_name, {});
  Churning churning;
  churning.op = &op();
  churning.churn = &churn;
  churning.names.resize(op().churned.size());
  const Nanoseconds interval = churn.interval_ms * kMillisecond;
  timers_.push_back({now_ + interval, interval, std::move(churning)});
  advance();
}

void PerfLoad::work(Churning& churning, Nanoseconds) {
  const PlanOp& op = *churning.op;
  const Churn& churn = *churning.churn;
  const int64_t slot = churn.recreate ? churning.ticks % churn.number : 0;
  for (size_t i = 0; i < op.churned.size(); ++i) {
    AnySample sample = op.churned[i]->any({}, true);
    if (!churn.recreate) {
      objects_.create(op, std::move(sample));
      continue;
    }
    std::vector<std::string>& names = churning.names[i];
    if (names.size() <= static_cast<size_t>(slot)) names.resize(static_cast<size_t>(slot) + 1);
    std::string& name = names[static_cast<size_t>(slot)];
    if (name.empty()) {
      // Upstream's churn continues if the API server rejects a duplicate name.
      name = objects_.create(op, std::move(sample)).value_or("");
    } else {
      objects_.remove(op, sample, std::exchange(name, ""));
    }
  }
  ++churning.ticks;
}

bool PerfLoad::is_selected(const DeletePods& deletion, PodRun& run, int64_t pod) {
  if (deletion.labels.empty()) return true;
  const std::shared_ptr<const PreparedPod> prepared = objects_.prepare(run, pod);
  const model::StringMap own = own_parts(*run.op, pod).labels;
  return std::ranges::all_of(deletion.labels, [&](const auto& wanted) {
    const std::pair<std::string, std::string> label(wanted);
    const bool overridden = !own.empty() && own.front().first == label.first;
    if (overridden) return own.front() == label;
    const model::StringMap& labels = prepared->sample.pod.spec.labels;
    return std::ranges::find(labels, label) != labels.end();
  });
}

bool PerfLoad::delete_next(Deletion& deletion) {
  while (deletion.run < deletion.runs.size()) {
    const auto [index, count] = deletion.runs[deletion.run];
    PodRun& run = created_.run(index);
    if (deletion.pod == count) {
      ++deletion.run;
      deletion.pod = 0;
      continue;
    }
    const int64_t pod = deletion.pod++;
    const auto bit = static_cast<size_t>(pod);
    if (run.deleted.empty()) run.deleted.resize(static_cast<size_t>(run.made));
    if (run.deleted[bit] || !is_selected(*deletion.pods, run, pod)) continue;
    run.deleted[bit] = true;
    const std::shared_ptr<const PreparedPod> prepared = objects_.prepare(run, pod);
    objects_.remove_pod(*prepared, run.op->namespace_name, run.name(prepared->sample.naming, pod),
                        own_parts(*run.op, pod));
    // Deleting the last pod ends the deletion; no further tick is needed.
    if (deletion.pod == count && deletion.run + 1 == deletion.runs.size()) ++deletion.run;
    return true;
  }
  return false;
}

bool PerfLoad::Deletion::is_over() const { return run == runs.size(); }

void PerfLoad::work(Deletion& deletion, Nanoseconds interval) {
  const int64_t most = interval.count() == 0 ? kMostDeletedPerStep : 1;
  for (int64_t i = 0; i < most && delete_next(deletion);) ++i;
}

// Without skipWaitToCompletion the operation lasts until its deletions are done.
void PerfLoad::play(const DeletePods& pods, LoadStep&) {
  if (!std::exchange(current_.begun, true)) {
    // As upstream, takes the pods that exist now; labels are compared when a pod's turn comes.
    Deletion deletion;
    deletion.op = &op();
    deletion.pods = &pods;
    deletion.runs = created_.in_namespace(op().namespace_name);
    const Nanoseconds interval = pods.per_second == 0 ? Nanoseconds(0) : kSecond / pods.per_second;
    if (!deletion.is_over()) timers_.push_back({now_ + interval, interval, std::move(deletion)});
  }
  const bool waits = !pods.skip_wait && std::ranges::any_of(timers_, [&](const Timer& timer) {
    const auto* deletion = std::get_if<Deletion>(&timer.work);
    return deletion != nullptr && deletion->op == &op();
  });
  if (waits) {
    now_ = std::max(now_, earliest()->due);
  } else {
    advance();
  }
}

}  // namespace berth::loadgen::scheduler_perf
