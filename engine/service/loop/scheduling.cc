#include "engine/service/loop/scheduling.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "engine/runtime/events/report_event.h"

namespace berth::service {
namespace {

constexpr std::string_view kSource = "the API server";

runtime::CoreOptions with_server(runtime::CoreOptions options, runtime::Server& server) {
  options.server = &server;
  return options;
}

}  // namespace

Scheduling::Scheduling(const SchedulingOptions& options, config::Configuration configuration,
                       runtime::Plugins& plugins, Outbox& out, Clocks clocks,
                       runtime::OnReport report)
    : most_under_way_(options.most_under_way),
      clocks_(std::move(clocks)),
      report_(std::move(report)),
      port_(out),
      core_(std::move(configuration), plugins, with_server(options.core, port_),
            [this](const runtime::Report& one) { this->report(one); }),
      out_(out),
      driver_(core_, *this, drive::Pace(drive::ClockKind::kWall),
              {.max_unschedulable = options.core.scheduler.queue.max_unschedulable}) {
  port_.attach(core_);
  core_.has_seen(clocks_.wall());
}

std::optional<Time> Scheduling::turn(std::vector<Item> items,
                                     const std::function<bool()>& input_waits) {
  core_.advance_to(std::max(core_.now(), clocks_.now()));
  for (Item& item : items) std::visit([this](auto& one) { take(one); }, item);
  const std::optional<Time> due = driver_.turn(std::max(core_.now(), clocks_.now()), input_waits);
  out_.send();
  return due;
}

void Scheduling::end() {
  ended_ = true;
  core_.settle();
  out_.send();
}

void Scheduling::take(std::vector<kube::Watched>& changes) {
  if (core_.door().reads_whole()) {
    std::vector<ingest::WholeObject> whole;
    for (kube::Watched& one : changes)
      if (one.whole) whole.push_back(std::move(*one.whole));
    core_.door().keep(whole);
  }
  for (kube::Watched& one : changes) {
    if (auto* pod = std::get_if<model::TemplatePod>(&one.change.object))
      port_.correct(one.change.operation, *pod);
    if (const auto* object = std::get_if<model::VolumeObject>(&one.change.object))
      port_.saw(one.change.operation, *object, std::move(one.version));
    core_.door().apply(one.change, kSource);
  }
}

void Scheduling::take(const runtime::BindingAnswer& answer) {
  in_conflict_ = answer.answer.kind == binding::BindAnswer::Kind::kConflict;
  core_.door().answer({&answer, 1});
  in_conflict_ = false;
}

void Scheduling::take(Word word) {
  switch (word) {
    case Word::kSynced:
      synced_ = true;
      return;
    case Word::kLeading:
      leads_ = true;
      return;
    case Word::kLost:
      lost_ = true;
      return;
    case Word::kEnd:
      ended_ = true;
      return;
    case Word::kDump:
      dumps_ = true;
      return;
  }
}

// Its nomination stays. Source: kube-scheduler framework/preemption prepareCandidateAsync.
void Scheduling::take(const PreemptionFailed& failed) {
  const model::Cluster& cluster = core_.cluster();
  const kube::PodName& name = failed.preemptor;
  const model::PodId pod = cluster.find_pod(name.namespace_name, name.name);
  if (!pod || cluster.text(cluster.pod(pod).uid) != name.uid) return;
  port_.preemption_failed(pod);
  core_.door().activate(pod);
}

void Scheduling::report(const runtime::Report& report) {
  driver_.take(report);
  if (const auto* evicted = std::get_if<runtime::Evicted>(&report))
    port_.preempts(evicted->preemptor, evicted->pod);
  tell_users(report);
  report_(report);
}

// The port tells of victims once they are deleted.
void Scheduling::tell_users(const runtime::Report& report) {
  if (std::holds_alternative<runtime::Evicted>(report)) return;
  if (in_conflict_ && std::holds_alternative<runtime::BindingFailed>(report)) return;
  if (auto event = runtime::event_of(report, core_.cluster())) out_.record(*std::move(event));
}

void Scheduling::decide() { core_.step(std::max(core_.now(), clocks_.now())); }

bool Scheduling::may_decide() {
  return synced_ && leads_ &&
         core_.scheduler().bindings().under_way().size() +
                 core_.scheduler().bindings().binder().size() <
             most_under_way_;
}

}  // namespace berth::service
