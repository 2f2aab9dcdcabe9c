#include "engine/conformance/history/history_run.h"
#include "engine/base/time.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/history/history_json.h"
#include "engine/conformance/history/history_record.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::conformance {
namespace {

using document::Value;
constexpr Time kTick = std::chrono::milliseconds(1);
constexpr Time kSecond = std::chrono::seconds(1);
// Searches of smaller clusters look at all nodes, and histories of those do not count them.
constexpr size_t kCountedNodes = 100;

Time time_of(Value seconds) {
  constexpr double kPerSecond = 1000;
  const std::optional<double> number = seconds.as_double();
  if (!number || *number < 0) throw Error(seconds.place(), "expected seconds, from 0");
  return std::chrono::milliseconds(std::llround(*number * kPerSecond));
}

bool has_finalizers(Value pod) { return pod.find("metadata").find("finalizers").size() != 0; }

size_t nodes_among(Value objects) {
  size_t nodes = 0;
  for (Value object : objects.elements()) nodes += text_of(object, "kind") == "Node";
  return nodes;
}

}  // namespace

std::optional<HistoryForm> history_form(Value root) {
  if (!root.find("history").present() || !root.find("popFromBackoff").present())
    return std::nullopt;
  return root.find("objects").present() ? HistoryForm::kScheduler : HistoryForm::kQueue;
}

void HistoryRun::run(Value root) {
  counts_ = nodes_among(root.find("objects")) >= kCountedNodes;
  for (Value object : root.find("objects").elements()) add_object(object);
  writer_.key("history");
  writer_.StartArray();
  for (Value one : root.find("history").elements()) {
    writer_.StartObject();
    step(one);
    writer_.EndObject();
  }
  writer_.EndArray();
}

void HistoryRun::add_object(Value object) {
  if (text_of(object, "kind") == "Pod")
    return server_.add_pod(decoded(object, ingest::decode_pod), has_finalizers(object));
  if (const auto read = object_of(object)) server_.apply(model::modified(*read));
}

void HistoryRun::step(Value step) {
  const std::string op = text_of(step, "op");
  writer_.member("op", op);
  move_clock(op);
  if (op == "advance") {
    advance(step);
  } else if (op == "schedule") {
    schedule(step);
  } else if (op == "pop" && form_ == HistoryForm::kQueue) {
    pop();
  } else if (op == "attempt" && form_ == HistoryForm::kQueue) {
    attempt(step);
  } else if (!change_pod(op, step) && !answer_permit(op, step) && !change_cluster(op, step)) {
    throw Error(step.place(), "a history has no step \"" + op + "\"");
  }
  writer_.member("at", seconds(core_.now()));
  writer_.array_if("finished", recorder_.take_finished(),
                   [&](const Attempt& one) { write_attempt(writer_, one, false); });
  const SchedulerState state = state_of(core_);
  form_ == HistoryForm::kQueue ? write_queue(writer_, state) : write_state(writer_, state);
}

void HistoryRun::move_clock(const std::string& op) {
  const bool moves = form_ == HistoryForm::kQueue ? op == "addPod" : op != "advance";
  if (moves) core_.advance_to(core_.now() + kTick);
}

bool HistoryRun::change_pod(const std::string& op, Value step) {
  const Value object = step.find("object");
  const std::string name = text_of(step, "name");
  if (op == "addPod") {
    server_.add_pod(decoded(object, ingest::decode_pod), has_finalizers(object));
  } else if (op == "updatePod") {
    server_.update_pod(decoded(object, ingest::decode_pod), has_finalizers(object));
  } else if (op == "deletePod") {
    // Histories of the queue know no grace periods.
    const Value grace = step.find("grace");
    server_.delete_pod(name, form_ == HistoryForm::kQueue ? std::optional(Time{})
                             : grace.present()            ? std::optional(time_of(grace))
                                                          : std::nullopt);
  } else if (op == "finishPod") {
    server_.finish_pod(name);
  } else if (op == "setNominated") {
    server_.set_nominated_node(name, text_of(step, "node"));
  } else if (op == "failBind") {
    order_binding(step, binding::BindAnswer::Kind::kFailed);
  } else if (op == "loseBind") {
    const Value seen = step.find("seen");
    const bool is_seen = seen.is(document::Kind::kBoolean) && seen.as_bool();
    order_binding(
        step, is_seen ? binding::BindAnswer::Kind::kLostSeen : binding::BindAnswer::Kind::kLost);
  } else {
    return false;
  }
  return true;
}

// About a pod that does not wait, a plugin's answer does nothing.
bool HistoryRun::answer_permit(const std::string& op, Value step) {
  if (op != "allow" && op != "reject") return false;
  const auto [namespace_name, name] = split_name(step.find("name"));
  const model::PodId pod = core_.cluster().find_pod(namespace_name, name);
  if (op == "allow") {
    core_.door().allow(pod, text_of(step, "plugin"));
  } else {
    core_.door().reject(pod, text_of(step, "plugin"), text_of(step, "message"));
  }
  return true;
}

void HistoryRun::order_binding(Value step, binding::BindAnswer::Kind kind) {
  bindings_.order(text_of(step, "name"), {kind, text_of(step, "message")});
}

bool HistoryRun::change_cluster(const std::string& op, Value step) {
  if (op == "deleteNode") {
    model::Node gone;
    gone.name = text_of(step, "name");
    server_.apply(model::deleted(std::move(gone)));
    return true;
  }
  if (op == "deletePDB") {
    model::DisruptionBudget gone;
    std::tie(gone.namespace_name, gone.name) = split_name(step.find("name"));
    server_.apply(model::deleted(std::move(gone)));
    return true;
  }
  if (op == "deleteObject") {
    const auto gone = object_of(step.find("object"));
    if (!gone) return false;
    server_.apply(model::deleted(*gone));
    return true;
  }
  if (!op.starts_with("add") && !op.starts_with("update")) return false;
  const auto object = object_of(step.find("object"));
  if (!object) return false;
  server_.apply(model::modified(*object));
  return true;
}

// Asks before the clock moves, and again after it, whether a pod can be popped.
void HistoryRun::schedule(Value step) {
  const int64_t most = step.find("n").as_int64().value_or(std::numeric_limits<int64_t>::max());
  std::vector<Attempt> attempts;
  for (int64_t made = 0; made < most && core_.has_work(); ++made) {
    if (made != 0) core_.advance_to(core_.now() + kTick);
    const std::optional<model::PodId> pod = core_.pop();
    if (!pod) break;
    attempts.push_back(recorder_.make_attempt(*pod));
  }
  writer_.array_if("attempts", attempts,
                   [&](const Attempt& one) { write_attempt(writer_, one, counts_); });
}

void HistoryRun::advance(Value step) {
  if (form_ == HistoryForm::kScheduler)
    return core_.advance_to(core_.now() + time_of(step.find("seconds")));
  const std::string text = text_of(step, "name");
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0)
    throw Error(step.place(), "the name of an advance is a number of seconds");
  for (int64_t i = 0; i < count; ++i) flush_each_second();
}

// The recorded queue was flushed each second since the beginning, whatever the clock's fraction.
void HistoryRun::flush_each_second() {
  core_.advance_to(core_.now() + kSecond);
  queue::SchedulingQueue& queue = core_.scheduler().queue();
  queue.flush_backoff(core_.now());
  const Time passed = ++seconds_ * kSecond;
  if (passed % queue::SchedulingQueue::kFlushUnschedulableEvery == Time{})
    queue.flush_unschedulable(core_.now());
}

void HistoryRun::pop() {
  const std::optional<model::PodId> pod = core_.pop();
  if (!pod) return;
  popped_ = *pod;
  writer_.member("pod", full_name(core_.cluster(), *pod));
  writer_.member("attempts", core_.scheduler().queue().attempts(*pod));
}

void HistoryRun::attempt(Value step) {
  if (!core_.cluster().pods().contains(popped_))
    throw Error(step.place(), "no pod was popped, or it is gone");
  // The recorded node was drawn among the best.
  framework::Decider& decider = core_.scheduler().decisions().decider();
  decider.prefer(core_.cluster().strings().find(text_of(step, "node")));
  const Attempt made = recorder_.make_attempt(popped_);
  decider.prefer(0);
  popped_ = {};
  writer_.member("pod", made.pod);
  writer_.member("result", made.result);
  writer_.member_if("node", made.node);
  writer_.texts_if("plugins", made.plugins);
}

}  // namespace berth::conformance
