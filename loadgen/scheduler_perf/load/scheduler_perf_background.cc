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

bool PerfLoad::is_over(const Timer& timer) const {
  if (timer.deletion) return timer.deletion->run == timer.deletion->runs.size();
  const Op& source = *timer.churn->op->op;
  return !source.recreate && source.number > 0 && timer.churn->ticks >= source.number;
}

void PerfLoad::tick(Timer& timer, LoadStep& step) {
  step.at = now_ = std::max(now_, timer.due);
  step.measured = collecting_ || (at_ < plan_.ops.size() && op().measured);
  if (timer.churn) {
    tick_churn(*timer.churn, step);
  } else if (timer.interval.count() == 0) {
    for (int64_t i = 0; i < kMostDeletedPerStep && delete_next(*timer.deletion, step);) ++i;
  } else {
    delete_next(*timer.deletion, step);
  }
  timer.due += timer.interval;
  std::erase_if(timers_, [&](const Timer& each) { return is_over(each); });
}

void PerfLoad::start_churn(LoadStep& step) {
  add_namespace(op().namespace_name, {}, step);
  Timer timer;
  timer.interval = op().op->interval_ms * kMillisecond;
  timer.due = now_ + timer.interval;
  timer.churn = std::make_unique<Churn>();
  timer.churn->op = &op();
  timer.churn->names.resize(op().churned.size());
  timers_.push_back(std::move(timer));
  advance();
}

void PerfLoad::tick_churn(Churn& churn, LoadStep& step) {
  const Op& source = *churn.op->op;
  const int64_t slot = source.recreate ? churn.ticks % source.number : 0;
  for (size_t i = 0; i < churn.op->churned.size(); ++i) {
    AnySample sample = churn.op->churned[i]->any({}, true);
    if (!source.recreate) {
      create(*churn.op, std::move(sample), step);
      continue;
    }
    std::vector<std::string>& names = churn.names[i];
    if (names.size() <= static_cast<size_t>(slot)) names.resize(static_cast<size_t>(slot) + 1);
    std::string& name = names[static_cast<size_t>(slot)];
    if (name.empty()) {
      // Upstream's churn continues if the API server rejects a duplicate name.
      name = create(*churn.op, std::move(sample), step).value_or("");
    } else {
      remove(*churn.op, sample, std::exchange(name, ""), step);
    }
  }
  ++churn.ticks;
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
std::unique_ptr<PerfLoad::Deletion> PerfLoad::list_pods() const {
  auto deletion = std::make_unique<Deletion>();
  deletion->op = &op();
  for (size_t i = 0; i < runs_.size(); ++i)
    if (runs_[i].op->namespace_name == op().namespace_name)
      deletion->runs.emplace_back(i, runs_[i].made);
  return deletion;
}

bool PerfLoad::is_selected(const PlanOp& deletion, Run& run, int64_t pod, LoadStep& step) {
  if (deletion.op->labels.empty()) return true;
  const std::shared_ptr<const Prepared> prepared = prepared_of(run, pod, step);
  const model::StringMap own = own_of(*run.op, pod).labels;
  return std::ranges::all_of(deletion.op->labels, [&](const auto& wanted) {
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
    if (run.deleted[bit] || !is_selected(*deletion.op, run, pod, step)) continue;
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

// Without skipWaitToCompletion the operation lasts until its deletions are done.
void PerfLoad::delete_pods(LoadStep&) {
  if (!begun_) {
    begun_ = true;
    Timer timer;
    timer.interval = op().op->per_second == 0 ? Nanoseconds(0) : kSecond / op().op->per_second;
    timer.due = now_ + timer.interval;
    timer.deletion = list_pods();
    if (!is_over(timer)) timers_.push_back(std::move(timer));
  }
  const bool waits = !op().op->skip_wait && std::ranges::any_of(timers_, [&](const Timer& timer) {
    return timer.deletion && timer.deletion->op == &op();
  });
  if (waits) {
    now_ = std::max(now_, earliest()->due);
  } else {
    advance();
  }
}

}  // namespace berth::loadgen::scheduler_perf
