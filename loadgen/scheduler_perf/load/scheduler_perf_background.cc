// Churn and gradual deletion, which run beside the operations.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

namespace berth::loadgen::scheduler_perf {
namespace {

constexpr int64_t kMostDeletedPerStep = 4096;
constexpr Nanoseconds kMillisecond{1'000'000};

// Where names of the operation's budgets are taken.
std::string budgets_of(const PlanOp& op) { return op.namespace_name + "/poddisruptionbudgets"; }

}  // namespace

// The timer that is due first; of equal ones the one that was started first.
PerfLoad::Timer* PerfLoad::earliest() {
  const auto first = std::ranges::min_element(timers_, {}, &Timer::due);
  return first == timers_.end() ? nullptr : &*first;
}

void PerfLoad::tick(Timer& timer, LoadStep& step) {
  step.at = now_ = std::max(now_, timer.due);
  step.measured = collecting_ || (at_ < plan_.ops.size() && op().measured);
  std::visit([&](auto& one) { work(one, timer.interval, step); }, timer.work);
  timer.due += timer.interval;
  std::erase_if(timers_, [](const Timer& each) {
    return std::visit([](const auto& one) { return one.is_over(); }, each.work);
  });
}

bool PerfLoad::Churning::is_over() const {
  return !churn->recreate && churn->number > 0 && ticks >= churn->number;
}

void PerfLoad::play(const Churn& churn, LoadStep& step) {
  add_namespace(op().namespace_name, {}, step);
  Churning churning;
  churning.op = &op();
  churning.churn = &churn;
  churning.names.resize(op().churned.size());
  const Nanoseconds interval = churn.interval_ms * kMillisecond;
  timers_.push_back({now_ + interval, interval, std::move(churning)});
  advance();
}

void PerfLoad::work(Churning& churning, Nanoseconds, LoadStep& step) {
  const PlanOp& op = *churning.op;
  const Churn& churn = *churning.churn;
  const int64_t slot = churn.recreate ? churning.ticks % churn.number : 0;
  for (size_t i = 0; i < op.churned.size(); ++i) {
    AnySample sample = op.churned[i]->any({}, true);
    if (!churn.recreate) {
      create(op, std::move(sample), step);
      continue;
    }
    std::vector<std::string>& names = churning.names[i];
    if (names.size() <= static_cast<size_t>(slot)) names.resize(static_cast<size_t>(slot) + 1);
    std::string& name = names[static_cast<size_t>(slot)];
    if (name.empty()) {
      // Upstream's churn continues if the API server rejects a duplicate name.
      name = create(op, std::move(sample), step).value_or("");
    } else {
      remove(op, sample, std::exchange(name, ""), step);
    }
  }
  ++churning.ticks;
}

std::optional<std::string> PerfLoad::create(const PlanOp& op, AnySample sample, LoadStep& step) {
  if (auto* node = std::get_if<NodeSample>(&sample)) {
    if (!take_name(node->naming, "node")) return std::nullopt;
    return add_node(std::move(*node), false, step);
  }
  if (auto* space = std::get_if<model::Namespace>(&sample)) {
    std::string name = space->name;
    add_namespace(name, std::move(space->labels), step);
    return name;
  }
  if (auto* sampled = std::get_if<SelectorOwnerSample>(&sample)) {
    sampled->owner.name = numbered_name(sampled->naming, next_object_++);
    sampled->owner.namespace_name = op.namespace_name;
    std::string name = sampled->owner.name;
    add(std::move(sampled->owner), step);
    return name;
  }
  if (auto* sampled = std::get_if<DisruptionBudgetSample>(&sample)) {
    if (!take_name(sampled->naming, budgets_of(op))) return std::nullopt;
    sampled->budget.name = numbered_name(sampled->naming, next_object_++);
    sampled->budget.namespace_name = op.namespace_name;
    std::string name = sampled->budget.name;
    add(std::move(sampled->budget), step);
    return name;
  }
  if (auto* sampled = std::get_if<StorageSample>(&sample))
    return create_storage(op, std::move(*sampled), step);
  if (auto* pod = std::get_if<PodSample>(&sample)) {
    if (!take_name(pod->naming, op.namespace_name)) return std::nullopt;
    std::string name = numbered_name(pod->naming, next_pod_++);
    const std::shared_ptr<const Prepared> prepared = prepare(std::move(*pod), step);
    add_pod(*prepared, op.namespace_name, name, {}, step);
    return name;
  }
  return std::string();
}

void PerfLoad::remove(const PlanOp& op, const AnySample& sample, const std::string& name,
                      LoadStep& step) {
  if (std::holds_alternative<NodeSample>(sample)) {
    fixed_names_.erase("node/" + name);
    step.events.push_back(model::deleted_node(name));
  } else if (std::holds_alternative<model::Namespace>(sample)) {
    namespaces_.erase(name);
    step.events.push_back(model::deleted(model::Namespace{name, {}}));
  } else if (const auto* sampled = std::get_if<SelectorOwnerSample>(&sample)) {
    step.events.push_back(
        model::deleted(model::SelectorOwner{sampled->owner.kind, name, op.namespace_name, {}}));
  } else if (std::holds_alternative<DisruptionBudgetSample>(sample)) {
    fixed_names_.erase(budgets_of(op) + "/" + name);
    model::DisruptionBudget budget;
    budget.name = name;
    budget.namespace_name = op.namespace_name;
    step.events.push_back(model::deleted(std::move(budget)));
  } else if (const auto* stored = std::get_if<StorageSample>(&sample)) {
    remove_storage(op, *stored, name, step);
  } else if (const auto* pod = std::get_if<PodSample>(&sample)) {
    remove_pod(*prepare(*pod, step), op.namespace_name, name, {}, step);
  }
}

void PerfLoad::remove_pod(const Prepared& pod, const std::string& namespace_name,
                          const std::string& name, Own own, LoadStep& step) {
  if (!pod.stays) {
    fixed_names_.erase(namespace_name + "/" + name);
    step.events.push_back(model::deleted_pod(namespace_name, name));
    return;
  }
  ingest::TemplatePod terminating;
  terminating.template_id = pod.entry.id;
  terminating.spec = pod.entry.spec;
  terminating.namespace_name = namespace_name;
  terminating.name = name;
  terminating.labels = std::move(own.labels);
  terminating.claims = std::move(own.claims);
  terminating.terminating = true;
  step.events.push_back(model::modified(std::move(terminating)));
}

// As upstream, takes the pods that exist now; labels are compared when a pod's turn comes.
PerfLoad::Deletion PerfLoad::list_pods(const DeletePods& pods) const {
  Deletion deletion;
  deletion.op = &op();
  deletion.pods = &pods;
  for (size_t i = 0; i < runs_.size(); ++i)
    if (runs_[i].op->namespace_name == op().namespace_name)
      deletion.runs.emplace_back(i, runs_[i].made);
  return deletion;
}

bool PerfLoad::is_selected(const DeletePods& deletion, Run& run, int64_t pod, LoadStep& step) {
  if (deletion.labels.empty()) return true;
  const std::shared_ptr<const Prepared> prepared = prepared_of(run, pod, step);
  const model::StringMap own = own_of(*run.op, pod).labels;
  return std::ranges::all_of(deletion.labels, [&](const auto& wanted) {
    const std::pair<std::string, std::string> label(wanted);
    const bool overridden = !own.empty() && own.front().first == label.first;
    if (overridden) return own.front() == label;
    const model::StringMap& labels = prepared->sample.pod.spec.labels;
    return std::ranges::find(labels, label) != labels.end();
  });
}

bool PerfLoad::delete_next(Deletion& deletion, LoadStep& step) {
  while (deletion.run < deletion.runs.size()) {
    const auto [index, count] = deletion.runs[deletion.run];
    Run& run = runs_[index];
    if (deletion.pod == count) {
      ++deletion.run;
      deletion.pod = 0;
      continue;
    }
    const int64_t pod = deletion.pod++;
    const auto bit = static_cast<size_t>(pod);
    if (run.deleted.empty()) run.deleted.resize(static_cast<size_t>(run.made));
    if (run.deleted[bit] || !is_selected(*deletion.pods, run, pod, step)) continue;
    run.deleted[bit] = true;
    const std::shared_ptr<const Prepared> prepared = prepared_of(run, pod, step);
    const std::string name =
        numbered_name(prepared->sample.naming, run.first + static_cast<uint64_t>(pod));
    remove_pod(*prepared, run.op->namespace_name, name, own_of(*run.op, pod), step);
    // Deleting the last pod ends the deletion; no further tick is needed.
    if (deletion.pod == count && deletion.run + 1 == deletion.runs.size()) ++deletion.run;
    return true;
  }
  return false;
}

bool PerfLoad::Deletion::is_over() const { return run == runs.size(); }

void PerfLoad::work(Deletion& deletion, Nanoseconds interval, LoadStep& step) {
  const int64_t most = interval.count() == 0 ? kMostDeletedPerStep : 1;
  for (int64_t i = 0; i < most && delete_next(deletion, step);) ++i;
}

// Without skipWaitToCompletion the operation lasts until its deletions are done.
void PerfLoad::play(const DeletePods& pods, LoadStep&) {
  if (!begun_) {
    begun_ = true;
    Deletion deletion = list_pods(pods);
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
