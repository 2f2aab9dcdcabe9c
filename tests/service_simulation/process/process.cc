#include "tests/service_simulation/process/process.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tests/runtime/folder.h"
#include "tests/simulation/report_text.h"

namespace berth::service_simulation {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr Time kEndLimit = seconds(20);  // as cli/serve/service.cc

runtime::Plugins& shipped_plugins() {
  static tests::PluginFolder folder;
  static runtime::Plugins found = [] {
    folder.add_shipped_but("");
    return folder.discover();
  }();
  return found;
}

config::Configuration shipped_configuration() {
  return config::parse(
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"})",
      "config");
}

bool is_write(const kube::Request& request) { return request.method != kube::Method::kGet; }

// Of which there are many, and which say little.
bool is_told(const kube::Request& request, const kube::Answer* answer) {
  const auto is = [&](std::string_view text) { return request.path.find(text) != text.npos; };
  if (!is_write(request) || is("/events")) return false;
  return !is("/leases/") || (answer != nullptr && !answer->ok());
}

std::string words_of(const kube::Request& request) {
  return std::string(kube::method_name(request.method)) + " " +
         request.path.substr(0, request.path.find('?'));
}

std::string words_of(const kube::Answer& answer) {
  switch (answer.fate) {
    case kube::Answer::Fate::kAnswered:
      return std::to_string(answer.status);
    case kube::Answer::Fate::kNotSent:
      return "not sent";
    case kube::Answer::Fate::kLost:
      break;
  }
  return "lost";
}

}  // namespace

Process::Process(Surroundings around, ProcessSettings settings)
    : around_(std::move(around)),
      settings_(std::move(settings)),
      dice_(mix(settings_.seed)),
      loop_(around_.world, [this] { look(); }),
      begun_(loop_.now()),
      network_(around_.world, loop_, around_.server, settings_.network),
      gate_(network_, loop_, gate_calls()),
      link_(
          gate_, loop_, [this](std::function<void()> call) { post(std::move(call)); },
          [this](const std::string& words) { say(words); }, inbox_, link_options()),
      scheduling_(
          scheduling_options(), shipped_configuration(), shipped_plugins(), link_,
          {.now = [this] { return loop_.now() - begun_; }, .wall = [this] { return loop_.wall(); }},
          [this](const runtime::Report& one) { report(one); }) {
  say("starts");
  post([this] { link_.start(scheduling_.core().door().reads_whole()); });
}

Process::~Process() { loop_.end(); }

service::LinkOptions Process::link_options() const {
  service::LinkOptions options;
  if (settings_.elects) {
    options.lease.emplace();
    options.lease->identity = settings_.name;
    options.lease->seed = mix(settings_.seed + 1);
  }
  options.qps = settings_.qps;
  options.burst = settings_.burst;
  options.writes.host = "host";
  options.writes.sender.seed = mix(settings_.seed + 2);
  options.seed = mix(settings_.seed + 3);
  return options;
}

service::SchedulingOptions Process::scheduling_options() const {
  service::SchedulingOptions options;
  options.core.scheduler.decide.seed = settings_.seed;
  if (settings_.bind_batch != 0) options.core.scheduler.bind_batch = settings_.bind_batch;
  options.core.binding_thread = false;
  options.core.audits = runtime::AuditPace::kEveryStep;
  options.most_under_way = settings_.most_under_way;
  return options;
}

Gate::Calls Process::gate_calls() {
  return {.sent =
              [this](const kube::Request& request) {
                if (is_told(request, nullptr)) say("-> " + words_of(request));
                around_.sent(settings_.name, request);
              },
          .answered = [this](const kube::Request& request, const kube::Answer& answer, Time took,
                             bool streamed) { answered(request, answer, took, streamed); }};
}

void Process::answered(const kube::Request& request, const kube::Answer& answer, Time took,
                       bool streamed) {
  using Fate = kube::Answer::Fate;
  Marks& marks = around_.marks;
  if (streamed && answer.fate != Fate::kAnswered) marks.hit(Mark::kLostWatch);
  if (!is_write(request)) return;
  if (is_told(request, &answer)) say("<- " + words_of(answer) + " " + words_of(request));
  if (answer.fate == Fate::kLost) marks.hit(Mark::kLostAnswer);
  if (answer.status == 500) marks.hit(Mark::kErrorAnswer);
  if (answer.status == 409) marks.hit(Mark::kConflictAnswer);
  if (answer.status == 429) marks.hit(Mark::kTooManyAnswer);
  if (took >= seconds(1)) marks.hit(Mark::kLateAnswer);
}

// Threads take turns: a call that crosses from one to the other comes a moment later, in order.
void Process::post(std::function<void()> call) {
  posted_ = std::max(posted_, loop_.now() + microseconds(dice_.number(0, 2000)));
  loop_.at(posted_, std::move(call));
}

void Process::say(const std::string& words) { around_.trace.add(settings_.name + " " + words); }

void Process::report(const runtime::Report& one) {
  using namespace runtime;
  const auto* evicted = std::get_if<Evicted>(&one);
  if (evicted != nullptr) around_.marks.hit(Mark::kEviction);
  follow(one);
  const bool is_batch =
      std::holds_alternative<BindingBegins>(one) || std::holds_alternative<BindingEnds>(one);
  if (!is_batch) say("  " + simulation::text_of(one, scheduling_.core().cluster()));
}

void Process::follow(const runtime::Report& one) {
  using namespace runtime;
  const model::PodId pod = pod_of(one);
  if (!pod) return;
  const model::Cluster& cluster = scheduling_.core().cluster();
  const std::string name(cluster.text(cluster.pod(pod).name));
  if (const auto* to = std::get_if<Scheduled>(&one)) assumed_[name] = to->node;
  if (std::holds_alternative<Bound>(one)) assumed_.erase(name);
  if (!std::holds_alternative<BoundByAnother>(one)) return;
  const auto at = assumed_.extract(name);
  if (!at.empty()) silent_.insert(at.mapped());
}

void Process::look() {
  if (!over_ && inbox_.waits()) plan(loop_.now() + microseconds(dice_.number(0, 3000)));
}

void Process::plan(Time when) {
  if (turn_ != 0 && turn_at_ <= when) return;
  loop_.cancel(turn_);
  turn_at_ = when;
  turn_ = loop_.at(when, [this] { turn(); });
}

void Process::turn() {
  turn_ = 0;
  // Now and then it is said that more waits, so that it interrupts the tries.
  const std::optional<Time> due =
      scheduling_.turn(inbox_.take(), [this] { return dice_.chance(5); });
  if (scheduling_.lost()) {
    around_.marks.hit(Mark::kLeaseLost);
    return end(1);
  }
  if (scheduling_.ended()) return finish();
  if (due) plan(std::max(begun_ + *due, loop_.now() + microseconds(dice_.number(0, 1000))));
}

void Process::finish() {
  over_ = true;
  scheduling_.end();
  post([this] { link_.finish(kEndLimit, [this] { end(0); }); });
}

void Process::end(int status) {
  over_ = true;
  say("ends with status " + std::to_string(status));
  around_.ended();
}

void Process::terminate() {
  say("is asked to end");
  loop_.after({}, [this] { inbox_.put(service::Word::kEnd); });
}

Process::Waiting Process::waiting(const std::string& pod) const {
  const model::Cluster& cluster = scheduling_.core().cluster();
  const runtime::Scheduler& scheduler = scheduling_.core().scheduler();
  Waiting waiting{.words = "does not know it", .refused_by = {}};
  cluster.pods().for_each([&](const model::PodRecord& record) {
    if (cluster.text(record.name) != pod) return;
    const auto place = static_cast<int>(scheduler.queue().place(record.id));
    waiting.words = "has it in place " + std::to_string(place);  // queue/place.h
    if (place == static_cast<int>(queue::Place::kNone)) return;
    waiting.words += ", refused by";
    for (const queue::RefuserId by : scheduler.queue().refusers(record.id).all()) {
      waiting.refused_by.push_back(scheduler.policy().name(by));
      waiting.words += " " + waiting.refused_by.back();
    }
  });
  return waiting;
}

std::string Process::unfinished() const {
  using kube::WriteKind;
  for (const WriteKind kind : {WriteKind::kRead, WriteKind::kBinding, WriteKind::kVolume,
                               WriteKind::kStatus, WriteKind::kEviction, WriteKind::kEvent}) {
    const kube::WriteCounts& counts = link_.writes().counts(kind);
    if (counts.queued + counts.under_way != 0)
      return "a write waits: " + std::string(kube::write_kind_name(kind));
  }
  const auto& scheduler = scheduling_.core().scheduler();
  if (scheduler.bindings().under_way().size() != 0) return "a binding is not answered";
  if (scheduler.bindings().binder().size() != 0) return "a binding was not sent";
  if (scheduling_.leads() && scheduling_.core().has_active()) return "a pod is not tried";
  if (inbox_.waits()) return "the inbox is not empty";
  return {};
}

}  // namespace berth::service_simulation
