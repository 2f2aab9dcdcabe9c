#include "engine/cli/results/pod_results.h"

#include "engine/model/cluster/pod_name.h"

namespace berth::cli {
namespace {

const char* queue_name(queue::Place place) {
  switch (place) {
    case queue::Place::kActive:
      return "active";
    case queue::Place::kBackoff:
    case queue::Place::kErrorBackoff:
      return "backoff";
    case queue::Place::kUnschedulable:
      return "unschedulable";
    case queue::Place::kGated:
      return "gated";
    default:
      return "";
  }
}

}  // namespace

void PodResults::arrive(model::PodId pod) {
  if (!index_.emplace(pod.handle(), records_.size()).second) return;
  const model::PodRecord& known = core_.cluster().pod(pod);
  Record record;
  record.pod = pod;
  record.namespace_name = core_.cluster().text(known.namespace_name);
  record.name = core_.cluster().text(known.name);
  record.arrived = core_.now();
  records_.push_back(std::move(record));
}

PodResults::Record* PodResults::find(model::PodId pod) {
  const auto at = index_.find(pod.handle());
  return at == index_.end() ? nullptr : &records_[at->second];
}

PodResults::Text PodResults::text(std::string_view of) {
  if (of.empty()) return 0;
  const auto [at, added] = text_ids_.emplace(of, static_cast<Text>(texts_.size()));
  if (added) texts_.emplace_back(of);
  return at->second;
}

void PodResults::tried(Record& record, Kind kind, std::string_view message,
                       const framework::Refusers* refused_by) {
  record.kind = kind;
  record.tried = core_.now();
  record.message = text(message);
  record.node = 0;
  record.bound.reset();
  record.scores.clear();
  record.refused_by.clear();
  if (refused_by != nullptr) {
    for (const std::string& plugin : refused_by->plugins) record.refused_by.push_back(text(plugin));
    for (const std::string& plugin : refused_by->pending) record.refused_by.push_back(text(plugin));
  }
  record.attempts = core_.cluster().pod(record.pod).attempts;
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  if (!record.queued && queue.place(record.pod) != queue::Place::kNone)
    record.queued = queue.first_active_at(record.pod);
}

void PodResults::on(const runtime::Scheduled& to) {
  Record* record = find(to.pod);
  if (record == nullptr) return;
  tried(*record, Kind::kScheduled, {}, nullptr);
  record->node = text(to.node);
  if (scores_ != nullptr) record->scores = scores_->take();
}

void PodResults::on(const runtime::Evicted& from) {
  if (Record* record = find(from.preemptor)) ++record->victims;
  Record* victim = find(from.pod);
  if (victim == nullptr) return;
  victim->evicted_by = text(full_name(core_.cluster(), from.preemptor));
}

// Also of a pod whose binding counted as failed, because the answer was lost.
void PodResults::on(const runtime::Bound& to) {
  Record* record = find(to.pod);
  if (record == nullptr) return;
  record->kind = Kind::kScheduled;
  record->node = text(to.node);
  record->message = 0;
  record->refused_by.clear();
  record->bound = core_.now();
}

void PodResults::on(const runtime::BindingFailed& by) {
  Record* record = find(by.pod);
  if (record == nullptr) return;
  framework::Refusers refusers;
  refusers.plugins = by.refused_by;
  const std::optional<Time> tried_at = record->tried;
  tried(*record, by.refused ? Kind::kUnschedulable : Kind::kFailed, by.message, &refusers);
  record->tried = tried_at;
}

void PodResults::take(const runtime::Report& report) {
  using namespace runtime;
  const auto mark = [&](model::PodId pod, Kind kind, std::string_view message) {
    Record* record = find(pod);
    if (record == nullptr) return;
    record->kind = kind;
    record->message = text(message);
  };
  std::visit(Match{
                 [&](const Arrived& now) {
                   for (const model::PodId pod : now.pods) arrive(pod);
                 },
                 [&](const Ignored& by) { mark(by.pod, Kind::kIgnored, by.message); },
                 [&](const Gated& by) {
                   mark(by.pod, Kind::kGated, by.message);
                   if (Record* record = find(by.pod)) record->refused_by.assign(1, text(by.plugin));
                 },
                 [&](const Skipped& one) { mark(one.pod, Kind::kTerminating, {}); },
                 [&](const Scheduled& to) { on(to); },
                 [&](const Refused& by) {
                   if (Record* record = find(by.pod))
                     tried(*record, Kind::kUnschedulable, by.decision->event(),
                           &by.decision->refused_by);
                 },
                 [&](const Failed& by) {
                   if (Record* record = find(by.pod))
                     tried(*record, Kind::kFailed, by.decision->message, nullptr);
                 },
                 [&](const Evicted& from) { on(from); },
                 [&](const Bound& to) { on(to); },
                 [&](const BindingFailed& by) { on(by); },
                 [](const auto&) {},
             },
             report);
}

// The same names and rules as the counts of the summary.
const char* PodResults::outcome(const Record& record, bool gone) const {
  switch (record.kind) {
    case Kind::kScheduled:
      return "scheduled";
    case Kind::kIgnored:
      return "ignored";
    case Kind::kTerminating:
      return "deleted";
    case Kind::kUntried:
      return gone ? "deleted" : "untried";
    case Kind::kUnschedulable:
      return gone ? "deleted" : "unschedulable";
    case Kind::kFailed:
      return gone ? "deleted" : "failed";
    case Kind::kGated:
      return gone ? "deleted" : "gated";
  }
  return "";
}

void PodResults::add_queue(const Record& record, output::PodResult& result) const {
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  const queue::Place place = queue.place(record.pod);
  result.queue = queue_name(place);
  if (core_.cluster().pod(record.pod).state == model::PodState::kPermitWaiting)
    result.queue = "permit";
  if (result.queue == "backoff") result.backoff_until = queue.backoff_until(record.pod);
  if (!result.queued && place != queue::Place::kNone)
    result.queued = queue.first_active_at(record.pod);
  const model::StringId nominated = core_.cluster().pod(record.pod).nominated_node;
  if (record.kind != Kind::kScheduled) result.nominated_node = core_.cluster().text(nominated);
}

output::PodResult PodResults::result(const Record& record) const {
  const bool gone = !core_.cluster().pods().contains(record.pod);
  output::PodResult result;
  result.namespace_name = record.namespace_name;
  result.name = record.name;
  result.outcome = outcome(record, gone);
  result.node = texts_[record.node];
  result.message = texts_[record.message];
  for (const Text plugin : record.refused_by) result.refused_by.push_back(texts_[plugin]);
  result.evicted_by = texts_[record.evicted_by];
  result.victims = record.victims;
  result.gone = gone;
  result.attempts = record.attempts;
  result.arrived = record.arrived;
  result.queued = record.queued;
  result.tried = record.tried;
  result.bound = record.bound;
  result.scores = record.scores;
  if (!gone) add_queue(record, result);
  return result;
}

void PodResults::write(ByteSink& sink) const {
  constexpr size_t kPiece = size_t{1} << 16;
  std::string lines;
  for (const Record& record : records_) {
    lines += output::to_json_line(result(record));
    if (lines.size() < kPiece) continue;
    sink.write(lines);
    lines.clear();
  }
  if (!lines.empty()) sink.write(lines);
}

}  // namespace berth::cli
