#include "cli/log/decision_log.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"
#include "engine/controllers/kubelet/eviction/eviction_manager.h"
#include "engine/explain/numbers/row_numbers.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/events/move_names.h"

namespace berth::cli {
namespace {

// An extender's score counts this often for each point of its weight: kube-scheduler's nodes have
// up to 100 points, an extender gives up to 10.
constexpr int64_t kExtenderScale = 10;

Time machine_time() { return std::chrono::system_clock::now().time_since_epoch(); }

}  // namespace

std::string log_level_problem(const std::string& text) {
  int32_t level = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error == std::errc() && end == text.data() + text.size() && level >= 0) return {};
  return fmt::format("expected a level from 0 to {}, found \"{}\"",
                     std::numeric_limits<int32_t>::max(), text);
}

std::string queue_summary(const queue::SchedulingQueue& queue) {
  using queue::Place;
  return fmt::format("activeQ:{}; backoffQ:{}; unschedulablePods:{}", queue.size(Place::kActive),
                     queue.size(Place::kBackoff) + queue.size(Place::kErrorBackoff),
                     queue.size(Place::kUnschedulable) + queue.size(Place::kGated));
}

DecisionLog::DecisionLog(int level, runtime::Core& core,
                         std::function<void(const std::string&)> write)
    : level_(level), core_(core), write_(std::move(write)), trace_(core.configuration().rules) {
  BERTH_ASSERT(level != 0);
  for (const config::Extender& extender : core.configuration().extenders)
    extender_weights_[extender.url_prefix] = extender.weight;
}

KlogLine DecisionLog::line(std::string_view message, Severity severity, SourcePlace place) {
  return {text_, severity, core_.clock().wall(), message, place};
}

std::string DecisionLog::name_of(model::PodId pod) const { return full_name(core_.cluster(), pod); }

void DecisionLog::begins(const model::PodRecord& pod) {
  ++attempts_;
  pod_ = name_of(pod.id);
  if (level_ >= 4) line("About to try and schedule pod").with("pod", pod_);
  if (level_ >= 3 && !pod.terminating) line("Attempting to schedule pod").with("pod", pod_);
  flush();
  trace_.begin(machine_time());
}

void DecisionLog::ordered() { trace_.snapshot(machine_time()); }

void DecisionLog::searched() { trace_.step(machine_time(), "Computing predicates done"); }

void DecisionLog::ranked() { trace_.step(machine_time(), "Prioritizing done"); }

void DecisionLog::decided(const framework::Decider& decider, const framework::Decision& decision) {
  const Time now = machine_time();
  if (level_ >= 5 && decision.pre_filter)
    line("Status after running PreFilter plugins for pod")
        .with("pod", pod_)
        .with("status", fmt::format("{}", fmt::join(decision.pre_filter->reasons, ", ")));
  if (level_ >= 3 && decision.hint != 0)
    line("OpportunisticBatch provided node hint")
        .with("profile", decider.cycle().profile->scheduler_name())
        .with("pod", pod_)
        .with("hint", core_.cluster().text(decision.hint));
  if (level_ >= 10 && decision.scored) scores(decider);
  const size_t slash = pod_.find('/');
  const std::string fields =
      printable(fmt::format("namespace:{},name:{}", pod_.substr(0, slash), pod_.substr(slash + 1)));
  const std::string trace = trace_.end(now, attempts_, fields, level_ >= 4);
  if (!trace.empty() && level_ >= 2)
    text_ += klog_header(Severity::kInfo, core_.clock().wall(), SourcePlace::here()) + trace;
  flush();
}

// Node by node, in the order of the search. Without Score plugins and extenders kube-scheduler
// scores nothing, and without a plugin that scores the pod each total is 0.
void DecisionLog::scores(const framework::Decider& decider) {
  const framework::SearchResult& found = decider.search_result();
  const auto& hooks = decider.cycle().profile->score;
  if (hooks.empty() && decider.extender_scores().empty()) return;
  const auto each_feasible = [&](auto&& visit) {
    found.for_each_row([&](model::Row row) {
      if (found.refuser[row] == framework::kFeasible) visit(row);
    });
  };
  each_feasible([&](model::Row row) { scored_resources(decider, row); });
  each_feasible([&](model::Row row) {
    for (const framework::HookScores& scores : decider.scores())
      line("Plugin scored node for pod")
          .with("pod", pod_)
          .with("plugin", hooks[scores.hook].point->plugin())
          .with("node", core_.cluster().node_name(row))
          .with("score", scores.final(row) * hooks[scores.hook].weight);
  });
  extender_scores(decider);
  each_feasible([&](model::Row row) {
    line("Calculated node's final score for pod")
        .with("pod", pod_)
        .with("node", core_.cluster().node_name(row))
        .with("score", found.total(row));
  });
}

// Of plugins that compare what is requested with what is allocatable, by the numbers that they
// tell.
void DecisionLog::scored_resources(const framework::Decider& decider, model::Row row) {
  decider.cycle().refresh_scores();
  explain::RowNumbers numbers(core_.cluster(), core_.calls());
  for (const framework::HookScores& scores : decider.scores()) {
    if (scores.raw(row) == BERTH_NOT_SCORED) continue;
    std::vector<int64_t> allocatable, requested;
    for (const host::Item& item : numbers.of_score(decider.cycle(), scores.hook, row))
      for (const host::Fact& fact : item.facts) {
        if (fact.name == "allocatable") allocatable.push_back(fact.number);
        if (fact.name == "requested") requested.push_back(fact.number);
      }
    if (allocatable.empty()) continue;
    line("Listed internal info for allocatable resources, requested resources and score")
        .with("pod", pod_)
        .with("node", core_.cluster().node_name(row))
        .with("resourceAllocationScorer",
              decider.cycle().profile->score[scores.hook].point->plugin())
        .with_json("allocatableResource", fmt::format("[{}]", fmt::join(allocatable, ",")))
        .with_json("requestedResource", fmt::format("[{}]", fmt::join(requested, ",")))
        .with("resourceScore", scores.raw(row));
  }
}

// As the extender answered, before its weight.
void DecisionLog::extender_scores(const framework::Decider& decider) {
  for (const framework::ExtenderScores& scores : decider.extender_scores()) {
    const int64_t weight = extender_weights_.at(scores.extender);
    for (const auto& [row, weighted] : scores.weighted)
      line("Extender scored node for pod")
          .with("pod", pod_)
          .with("extender", scores.extender)
          .with("node", core_.cluster().node_name(row))
          .with("score", weighted / (weight * kExtenderScale));
  }
}

void DecisionLog::take(const output::EvictionResult& answer) {
  if (level_ < 2) return;
  line(answer.dry_run ? "Answered a dry run of a request to evict pod"
                      : "Answered a request to evict pod")
      .with("pod", answer.namespace_name + "/" + answer.name)
      .with("code", answer.code)
      .with("message", answer.message)
      .with("causes", fmt::format("{}", fmt::join(answer.causes, "; ")));
  flush();
}

void DecisionLog::drains(std::string_view node, std::string_view text) {
  if (level_ < 2) return;
  line("kubectl drains a node").with("node", node).with("says", text);
  flush();
}

void DecisionLog::preempted(const runtime::Evicted& victim) {
  if (level_ < 2) return;
  line("Preemptor Pod preempted victim Pod")
      .with("preemptor", name_of(victim.preemptor))
      .with("victim", name_of(victim.pod))
      .with("node", core_.cluster().nodes().name(core_.cluster().pod(victim.pod).slot));
}

// None of kube-scheduler's lines.
void DecisionLog::disrupted(const runtime::Disrupted& by) {
  if (level_ < 2) return;
  line("Pod is evicted")
      .with("pod", name_of(by.pod))
      .with("reason", by.reason)
      .with("message", by.message)
      .with("cause", by.cause);
}

// Kubelets record more events. Pods that they evict or refuse have a line already.
void DecisionLog::recorded(const events::Event& event) {
  const events::EventObject& about = event.regarding;
  const bool is_new = about.kind == "Node" || event.reason == controllers::kubelet::kOomKilled;
  if (level_ < 2 || event.controller != "kubelet" || !is_new) return;
  const std::string in = about.namespace_name.empty() ? "" : about.namespace_name + "/";
  line("Kubelet records an event")
      .with(about.kind == "Node" ? "node" : "pod", in + about.name)
      .with("reason", event.reason)
      .with("note", event.note);
}

void DecisionLog::unable(model::PodId pod, std::string_view why) {
  if (level_ < 2) return;
  line("Unable to schedule pod; no fit; waiting").with("pod", name_of(pod)).with("err", why);
}

void DecisionLog::failed(model::PodId pod, std::string_view why) {
  line("Error scheduling pod; retrying", Severity::kError)
      .with("err", why)
      .with("pod", name_of(pod));
}

void DecisionLog::refused(const runtime::Refused& by) {
  const framework::Decision& decision = *by.decision;
  if (level_ >= 5 && decision.post_filter)
    line("Status after running PostFilter plugins for pod")
        .with("pod", name_of(by.pod))
        .with("status", decision.post_filter->joined_texts());
  if (core_.cluster().nodes().rows() == 0 && level_ >= 2) {
    line("Unable to schedule pod; no nodes are registered to the cluster; waiting")
        .with("pod", name_of(by.pod));
  } else {
    unable(by.pod, decision.event());
  }
}

void DecisionLog::bound(const runtime::Bound& to) {
  Searched searched;
  if (const auto known = searched_.find(to.pod.handle()); known != searched_.end()) {
    searched = known->second;
    searched_.erase(known);
  }
  if (level_ < 2) return;
  line("Successfully bound pod to node")
      .with("pod", name_of(to.pod))
      .with("node", to.node)
      .with("evaluatedNodes", searched.evaluated)
      .with("feasibleNodes", searched.feasible);
  got_node(to.pod);
}

// Without the pods that no profile serves, of which kube-scheduler hears nothing.
void DecisionLog::arrived(const runtime::Arrived& pods) {
  if (level_ < 3) return;
  for (const model::PodId pod : pods.pods)
    if (core_.scheduler().policy().profile_of(core_.cluster().pod(pod)))
      line("Add event for unscheduled pod").with("pod", name_of(pod));
}

// Two informers tell of a pod that gets a node: that of pods without one sees it leave.
void DecisionLog::got_node(model::PodId pod) {
  if (level_ < 3) return;
  line("Add event for scheduled pod").with("pod", name_of(pod));
  line("Delete event for unscheduled pod").with("pod", name_of(pod));
}

void DecisionLog::deleted(model::PodId pod) {
  searched_.erase(pod.handle());
  if (level_ < 3) return;
  const model::PodRecord& record = core_.cluster().pod(pod);
  if (record.state == model::PodState::kBound)
    line("Delete event for scheduled pod").with("pod", name_of(pod));
  else if (core_.scheduler().policy().profile_of(record))
    line("Delete event for unscheduled pod").with("pod", name_of(pod));
}

// The plugins that refused the pod, as klog prints a set: {"A":{},"B":{}}.
std::string DecisionLog::rejectors_of(model::PodId pod) {
  const runtime::QueuePolicy& policy = core_.scheduler().policy();
  std::vector<std::string> names;
  for (const queue::RefuserId by : core_.scheduler().queue().refusers(pod).all())
    names.push_back(klog_quoted(policy.name(by)) + ":{}");
  std::sort(names.begin(), names.end());
  return fmt::format("{{{}}}", fmt::join(names, ","));
}

// The line of the step that puts the pod there, without the cause's own.
void DecisionLog::entered_queue(const Entered& pod, const std::string& name,
                                const std::string& event) {
  if (pod.to == queue::Place::kUnschedulable) return;
  const bool gated = pod.to == queue::Place::kGated && !pod.backs_off;
  line(gated ? "Pod moved to an internal scheduling queue, because the pod is gated"
             : "Pod moved to an internal scheduling queue")
      .with("pod", name)
      .with("event", event)
      .with("queue", runtime::queue_name(pod.to));
}

// Writes nothing yet: the queue is in the middle of an operation, and a reader that went away is an
// exception.
void DecisionLog::entered(const Entered& pod) {
  using queue::MoveCause;
  // kube-scheduler's queueSkip, queueAfterBackoff and queueImmediately.
  const int hint = pod.to == queue::Place::kUnschedulable ? 0 : pod.immediately ? 2 : 1;
  const MoveCause cause = pod.move.cause;
  const std::string name = name_of(pod.pod), event = runtime::move_name(pod.move);
  const std::string moved = "Pod moved to an internal scheduling queue";
  if (level_ >= 5) entered_queue(pod, name, event);
  if (level_ >= 3 && cause == MoveCause::kAttemptFailed)
    line(moved)
        .with("pod", name)
        .with("event", event)
        .with("queue", runtime::queue_name(pod.to))
        .with("schedulingCycle", attempts_)
        .with("hint", hint)
        .with_json("unschedulable plugins", rejectors_of(pod.pod));
  const bool others = cause == MoveCause::kEvent || cause == MoveCause::kTimedOut ||
                      cause == MoveCause::kPluginWoke;
  if (level_ >= 4 && others)
    line(moved)
        .with("pod", name)
        .with("event", event)
        .with("queue", runtime::queue_name(pod.to))
        .with("hint", hint);
  if (level_ >= 5 && cause == MoveCause::kPodUpdate && pod.to != queue::Place::kGated)
    line(moved + " because the Pod is updated")
        .with("pod", name)
        .with("event", event)
        .with("queue", runtime::queue_name(pod.to));
}

void DecisionLog::take(const runtime::Report& report) {
  using namespace runtime;
  std::visit(Match{
                 [&](const Scheduled& to) {
                   searched_[to.pod.handle()] = {to.decision->evaluated, to.decision->feasible};
                 },
                 [&](const Bound& to) { bound(to); },
                 [&](const Refused& by) { refused(by); },
                 [&](const Failed& by) { failed(by.pod, by.decision->message); },
                 [&](const BindingFailed& by) {
                   searched_.erase(by.pod.handle());
                   by.refused ? unable(by.pod, by.message) : failed(by.pod, by.message);
                 },
                 [&](const Skipped& one) {
                   if (level_ >= 3)
                     line("Skip schedule deleting pod").with("pod", name_of(one.pod));
                 },
                 [&](const Arrived& pods) { arrived(pods); },
                 [&](const Evicted& victim) { preempted(victim); },
                 [&](const Disrupted& by) { disrupted(by); },
                 [&](const Recorded& one) { recorded(*one.event); },
                 [&](const BoundByAnother& to) { got_node(to.pod); },
                 [&](const Finished& with) {
                   if (level_ >= 2)
                     line("Containers of pod ended")
                         .with("pod", name_of(with.pod))
                         .with("phase", with.exit_code == 0 ? "Succeeded" : "Failed")
                         .with("exitCode", with.exit_code);
                 },
                 [&](const Deleted& one) { deleted(one.pod); },
                 [](const auto&) {},
             },
             report);
  flush();
}

void DecisionLog::end() {
  flush();
  if (level_ < 2) return;
  line("Dump of scheduling queue").with("summary", queue_summary(core_.scheduler().queue()));
  flush();
}

void DecisionLog::flush() {
  if (text_.empty()) return;
  write_(text_);
  text_.clear();
}

}  // namespace berth::cli
