#include "engine/conformance/history/history_recorder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/model/cluster/pod_name.h"

namespace berth::conformance {
namespace {

// Cuts a text as the API does with the message of an event.
std::string cut(std::string text) {
  constexpr size_t kMost = 1024;
  constexpr std::string_view kEnd = " ...";
  if (text.size() > kMost) text = text.substr(0, kMost - kEnd.size()) + std::string(kEnd);
  return text;
}

// The plugins of which calls are recorded.
bool is_scripted(std::string_view plugin) {
  constexpr std::array<std::string_view, 3> kScripted = {"First", "Second", "Third"};
  return std::find(kScripted.begin(), kScripted.end(), plugin) != kScripted.end();
}

std::string_view point_of(const binding::PlacementCall& call) {
  switch (call.point) {
    case binding::PlacementCall::Point::kReserve:
      return "reserve";
    case binding::PlacementCall::Point::kUnreserve:
      return "unreserve";
    case binding::PlacementCall::Point::kPermit:
      return "permit";
    case binding::PlacementCall::Point::kPreBind:
      return "preBind";
    case binding::PlacementCall::Point::kPostBind:
      return "postBind";
  }
  return {};
}

// Empty for points that give none.
std::string answer_of(const binding::PlacementCall& call) {
  using Point = binding::PlacementCall::Point;
  if (call.point == Point::kUnreserve || call.point == Point::kPostBind) return {};
  switch (call.code) {
    case BERTH_SUCCESS:
      return " success";
    case BERTH_WAIT:
      return " wait " +
             std::to_string(std::chrono::duration_cast<std::chrono::seconds>(call.timeout).count());
    case BERTH_UNSCHEDULABLE:
      return " unschedulable";
    case BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE:
      return " unresolvable";
    default:
      return " error";
  }
}

void sort_lists(Attempt& attempt) {
  for (auto* list : {&attempt.plugins, &attempt.victims, &attempt.cleared})
    std::sort(list->begin(), list->end());
}

void take_search(Attempt& to, const framework::Decision& decision) {
  to.searched = true;
  to.evaluated = decision.evaluated;
  to.feasible = decision.feasible;
  to.next = decision.next_start;
}

}  // namespace

void HistoryRecorder::attach(runtime::Core& core) {
  core_ = &core;
  core.report_to([this](const runtime::Report& report) {
    std::visit([this](const auto& one) { on(one); }, report);
  });
}

Attempt HistoryRecorder::make_attempt(model::PodId pod) {
  Attempt attempt;
  attempt.at = core_->now();
  attempt.id = pod;
  attempt.pod = full_name(core_->cluster(), pod);
  attempt.attempts = core_->scheduler().queue().attempts(pod);
  current_ = &attempt;
  finishing_ = {};
  core_->attempt(pod);
  core_->settle();
  current_ = nullptr;
  finishing_ = {};
  sort_lists(attempt);
  return attempt;
}

std::vector<Attempt> HistoryRecorder::take_finished() {
  finishing_ = {};
  for (Attempt& one : finished_) sort_lists(one);
  return std::exchange(finished_, {});
}

Attempt& HistoryRecorder::begin_finished(model::PodId pod) {
  const model::Cluster& cluster = core_->cluster();
  Attempt& begun = finished_.emplace_back();
  begun.at = core_->now();
  begun.id = pod;
  begun.pod = full_name(cluster, pod);
  begun.attempts = waiting_[pod];
  begun.node = cluster.nodes().name(cluster.pod(pod).slot);
  waiting_.erase(pod);
  finishing_ = pod;
  return begun;
}

// Null: the pod is neither tried nor does its binding cycle go on.
Attempt* HistoryRecorder::of(model::PodId pod) {
  if (waiting_.contains(pod)) return &begin_finished(pod);
  if (finishing_ && finishing_ == pod) return &finished_.back();
  return current_ != nullptr && current_->id == pod ? current_ : nullptr;
}

void HistoryRecorder::called(const binding::PlacementCall& call) {
  Attempt* to = of(call.pod);
  if (to == nullptr) return;
  // An attempt that fails from here on had found a node, which no report of its failure names.
  if (to->node.empty() && call.point == binding::PlacementCall::Point::kReserve)
    to->node = call.node;
  if (!is_scripted(call.plugin)) return;
  to->calls.push_back(std::string(call.plugin) + " " + std::string(point_of(call)) + " " + to->pod +
                      " " + std::string(call.node) + answer_of(call));
}

void HistoryRecorder::on(const runtime::Scheduled& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = "scheduled";
    to->node = report.node;
    take_search(*to, *report.decision);
  }
}

void HistoryRecorder::on(const runtime::PermitWaiting& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = "waiting";
    waiting_[report.pod] = to->attempts;
  }
}

void HistoryRecorder::on(const runtime::Refused& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = "unschedulable";
    to->plugins = report.decision->refused_by.plugins;
    for (const std::string& plugin : report.decision->refused_by.pending)
      to->plugins.push_back(plugin);
    to->message = cut(report.decision->event());
    to->node.clear();
    take_search(*to, *report.decision);
  }
}

void HistoryRecorder::on(const runtime::Failed& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = "error";
    to->message = cut(report.decision->event());
    take_search(*to, *report.decision);
  }
}

void HistoryRecorder::on(const runtime::Skipped& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = "skipped";
    to->message = "skip schedule deleting pod: " + to->pod;
  }
}

void HistoryRecorder::on(const runtime::Bound& report) {
  Attempt* to = of(report.pod);
  // A binding whose answer was lost is a failure, although the pod is bound.
  if (to != nullptr && to->message.empty()) to->result = "scheduled";
}

void HistoryRecorder::on(const runtime::BindingFailed& report) {
  if (Attempt* to = of(report.pod)) {
    to->result = report.refused ? "unschedulable" : "error";
    to->plugins = report.refused_by;
    to->message = cut(std::string(report.message));
    if (report.refused) to->node.clear();
  }
}

void HistoryRecorder::on(const runtime::Nominated& report) {
  if (Attempt* to = of(report.pod)) {
    to->nominated = std::string(report.node);
  } else if (current_ != nullptr) {
    current_->cleared.push_back(full_name(core_->cluster(), report.pod));
  }
}

void HistoryRecorder::on(const runtime::Announced& report) {
  if (Attempt* to = of(report.pod)) to->nominated = std::string(report.node);
}

void HistoryRecorder::on(const runtime::Evicted& report) {
  if (Attempt* to = of(report.preemptor))
    to->victims.push_back(full_name(core_->cluster(), report.pod));
}

}  // namespace berth::conformance
