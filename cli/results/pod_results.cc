#include "cli/results/pod_results.h"

#include "engine/model/cluster/pod_name.h"

namespace berth::cli {
namespace {

const char* result_queue(queue::Place place) {
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

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

constexpr const char* kRejected = "rejected";
// Kubelets alone give this reason, and evict or refuse pods without a condition.
constexpr std::string_view kByKubelet = "TerminationByKubelet";

}  // namespace

// The same names and rules as the counts of the summary.
const char* PodResults::outcome_name(Kind kind, bool gone) {
  switch (kind) {
    case Kind::kScheduled:
      return "scheduled";
    case Kind::kIgnored:
      return "ignored";
    case Kind::kSkipped:
      return "deleted";
    case Kind::kBoundByAnother:
      return "bound_by_another";
    case Kind::kPlacedBefore:
      return "placed_before";
    case Kind::kAlreadyPlaced:
      return "already_placed";
    case Kind::kFinished:
      return "finished";
    case Kind::kTerminating:
      return "terminating";
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

// With the pods that were turned away among them.
void PodResults::arrive(std::span<const model::PodId> pods) {
  auto next = at_door_.begin();
  const auto add_until = [&](size_t position) {
    for (; next != at_door_.end() && next->position <= position; ++next)
      add(next->record, next->name);
  };
  for (size_t i = 0; i < pods.size(); ++i) {
    add_until(i);
    arrive(pods[i]);
  }
  add_until(SIZE_MAX);
  at_door_.clear();
}

void PodResults::arrive(model::PodId pod) {
  if (index_.contains(pod.handle())) return;
  const model::PodRecord& known = core_.cluster().pod(pod);
  Record record;
  record.pod = pod;
  record.namespace_name = texts_.id(core_.cluster().text(known.namespace_name));
  record.arrived = core_.now();
  add(record, core_.cluster().text(known.name));
}

void PodResults::add(Record record, std::string_view name) {
  if (record.pod) index_[record.pod.handle()] = static_cast<uint32_t>(records_.size());
  record.name_at = names_.size();
  names_ += name;
  records_.push_back(record);
  if (scores_ != nullptr) node_scores_.emplace_back();
}

PodResults::Record* PodResults::find(model::PodId pod) {
  const auto at = index_.find(pod.handle());
  return at == index_.end() ? nullptr : &records_[at->second];
}

std::string_view PodResults::name_of(size_t record) const {
  const size_t begin = records_[record].name_at;
  const size_t end = record + 1 == records_.size() ? names_.size() : records_[record + 1].name_at;
  return std::string_view(names_).substr(begin, end - begin);
}

void PodResults::tried(Record& record, Kind kind, std::string_view message,
                       const framework::Refusers* refused_by) {
  record.kind = kind;
  record.from_batch = false;
  record.tried = core_.now();
  record.message = texts_.id(message);
  record.node = 0;
  record.bound = kNever;
  if (scores_ != nullptr) node_scores_[static_cast<size_t>(&record - records_.data())].clear();
  std::string plugins;
  if (refused_by != nullptr) {
    for (const std::string& plugin : refused_by->plugins) plugins += plugin + "\n";
    for (const std::string& plugin : refused_by->pending) plugins += plugin + "\n";
  }
  record.refused_by = texts_.id(plugins);
  record.attempts = core_.cluster().pod(record.pod).attempts;
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  if (record.queued == kNever && queue.place(record.pod) != queue::Place::kNone)
    record.queued = queue.first_active_at(record.pod).value_or(kNever);
}

void PodResults::on(const runtime::TurnedAway& pod) {
  using Why = runtime::TurnedAway::Why;
  const Text namespace_name = texts_.id(pod.namespace_name);
  if (pod.why == Why::kRejected) {
    rejected_.push_back({namespace_name, texts_.id(pod.name), texts_.id(pod.message), core_.now()});
    return;
  }
  Record record;
  record.pod = pod.pod;
  record.namespace_name = namespace_name;
  record.node = texts_.id(pod.node);
  record.arrived = core_.now();
  record.kind = pod.why == Why::kPlaced     ? Kind::kAlreadyPlaced
                : pod.why == Why::kFinished ? Kind::kFinished
                                            : Kind::kTerminating;
  if (pod.position == 0) return add(record, pod.name);
  at_door_.push_back({pod.position, record, std::string(pod.name)});
}

void PodResults::on(const runtime::Scheduled& to) {
  Record* record = find(to.pod);
  if (record == nullptr) return;
  tried(*record, Kind::kScheduled, {}, nullptr);
  record->node = texts_.id(to.node);
  record->from_batch = framework::from_batch(core_.cluster(), *to.decision);
  if (scores_ != nullptr)
    node_scores_[static_cast<size_t>(record - records_.data())] = scores_->take();
}

void PodResults::on(const runtime::Evicted& from) {
  if (const Record* record = find(from.preemptor))
    victims_[static_cast<uint32_t>(record - records_.data())].push_back(
        texts_.id(full_name(core_.cluster(), from.pod)));
  Record* victim = find(from.pod);
  if (victim == nullptr) return;
  victim->evicted_by = texts_.id(full_name(core_.cluster(), from.preemptor));
}

void PodResults::on(const runtime::Disrupted& by) {
  Record* const known = find(by.pod);
  Record& record = known != nullptr ? *known : add_placed(by.pod);
  record.evicted_because = texts_.id(std::string(by.reason) + ": " + std::string(by.message));
  record.evicted_for = texts_.id(by.cause);
  record.fails = !by.has_condition || by.reason == kByKubelet;
}

PodResults::Record& PodResults::add_placed(model::PodId pod) {
  const model::PodRecord& known = core_.cluster().pod(pod);
  Record record;
  record.pod = pod;
  record.namespace_name = texts_.id(core_.cluster().text(known.namespace_name));
  record.kind = Kind::kPlacedBefore;
  if (known.placed()) record.node = texts_.id(core_.cluster().nodes().name(known.slot));
  add(record, core_.cluster().text(known.name));
  return records_.back();
}

void PodResults::on(const runtime::Finished& with) {
  if (const Record* record = find(with.pod))
    ends_[static_cast<uint32_t>(record - records_.data())] = {with.exit_code, core_.now()};
}

// Also of a pod whose binding counted as failed, because the answer was lost.
void PodResults::on(const runtime::Bound& to) {
  Record* record = find(to.pod);
  if (record == nullptr) return;
  record->kind = Kind::kScheduled;
  record->node = texts_.id(to.node);
  record->message = 0;
  record->refused_by = 0;
  record->bound = core_.now();
}

void PodResults::on(const runtime::BoundByAnother& to) {
  Record* record = find(to.pod);
  if (record == nullptr) return;
  record->kind = Kind::kBoundByAnother;
  record->node = texts_.id(to.node);
  record->message = 0;
  record->refused_by = 0;
}

void PodResults::on(const runtime::BindingFailed& by) {
  Record* record = find(by.pod);
  if (record == nullptr) return;
  framework::Refusers refusers;
  refusers.plugins = by.refused_by;
  const Time tried_at = record->tried;
  tried(*record, by.refused ? Kind::kUnschedulable : Kind::kFailed, by.message, &refusers);
  record->tried = tried_at;
}

void PodResults::on(const runtime::Gated& by) {
  Record* record = find(by.pod);
  if (record == nullptr) return;
  record->kind = Kind::kGated;
  record->message = texts_.id(by.message);
  record->refused_by = texts_.id(by.plugin + "\n");
}

void PodResults::take(const runtime::Report& report) {
  using namespace runtime;
  const auto mark = [&](model::PodId pod, Kind kind, std::string_view message) {
    Record* record = find(pod);
    if (record == nullptr) return;
    record->kind = kind;
    record->message = texts_.id(message);
  };
  std::visit(Match{
                 [&](const Arrived& now) { arrive(now.pods); },
                 [&](const TurnedAway& pod) { on(pod); },
                 [&](const Ignored& by) { mark(by.pod, Kind::kIgnored, by.message); },
                 [&](const Gated& by) { on(by); },
                 [&](const Skipped& one) { mark(one.pod, Kind::kSkipped, {}); },
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
                 [&](const Disrupted& by) { on(by); },
                 [&](const Finished& with) { on(with); },
                 [&](const Bound& to) { on(to); },
                 [&](const BoundByAnother& to) { on(to); },
                 [&](const BindingFailed& by) { on(by); },
                 [](const auto&) {},
             },
             report);
}

void PodResults::add_queue(const Record& record, output::PodResult& result) const {
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  const queue::Place place = queue.place(record.pod);
  result.queue = result_queue(place);
  const bool in_permit = core_.scheduler().bindings().permits().contains(record.pod);
  if (in_permit) result.queue = "permit";
  if (in_permit || core_.scheduler().bindings().pre_bind_waits().contains(record.pod))
    result.outcome = "held";
  if (result.queue == "backoff") result.backoff_until = queue.backoff_until(record.pod);
  if (!result.queued && place != queue::Place::kNone)
    result.queued = queue.first_active_at(record.pod);
  const model::PodRecord& pod = core_.cluster().pod(record.pod);
  if (!pod.placed()) result.nominated_node = core_.cluster().text(pod.nominated_node);
}

output::PodResult PodResults::result(size_t index) const {
  const Record& record = records_[index];
  const bool gone = record.pod && !core_.cluster().pods().contains(record.pod);
  const auto time = [](Time at) { return at == kNever ? std::nullopt : std::optional(at); };
  output::PodResult result;
  result.namespace_name = texts_[record.namespace_name];
  result.name = name_of(index);
  result.outcome = outcome_name(record.kind, gone);
  result.node = texts_[record.node];
  result.message = texts_[record.message];
  result.refused_by = split_lines(texts_[record.refused_by]);
  result.evicted_by = texts_[record.evicted_by];
  result.evicted_because = texts_[record.evicted_because];
  result.evicted_for = texts_[record.evicted_for];
  if (const auto victims = victims_.find(static_cast<uint32_t>(index)); victims != victims_.end())
    for (const Text victim : victims->second) result.victims.push_back(texts_[victim]);
  result.gone = gone;
  result.failed = gone && record.fails;
  result.terminating = record.pod && !gone && core_.cluster().pod(record.pod).terminating;
  if (const auto end = ends_.find(static_cast<uint32_t>(index)); end != ends_.end()) {
    result.exit_code = end->second.exit_code;
    result.finished = end->second.at;
  }
  result.attempts = record.attempts;
  result.arrived = time(record.arrived);
  result.queued = time(record.queued);
  result.tried = time(record.tried);
  result.bound = time(record.bound);
  if (scores_ != nullptr) result.scores = node_scores_[index];
  result.from_batch = record.from_batch;
  if (record.pod && !gone) add_queue(record, result);
  return result;
}

output::PodResult PodResults::result(const Rejected& pod) const {
  output::PodResult result;
  result.namespace_name = texts_[pod.namespace_name];
  result.name = texts_[pod.name];
  result.outcome = kRejected;
  result.message = texts_[pod.message];
  result.arrived = pod.arrived;
  return result;
}

template <typename Add>
void PodResults::each(const std::vector<ingest::RejectedPod>& unread, Add&& add) const {
  for (size_t i = 0; i < records_.size(); ++i) add(result(i));
  for (const Rejected& pod : rejected_) add(result(pod));
  for (const ingest::RejectedPod& pod : unread) {
    output::PodResult result;
    result.namespace_name = pod.namespace_name;
    result.name = pod.name;
    result.outcome = kRejected;
    result.message = pod.message;
    add(result);
  }
}

std::vector<output::PodResult> PodResults::all(
    const std::vector<ingest::RejectedPod>& unread) const {
  std::vector<output::PodResult> results;
  each(unread, [&](output::PodResult result) { results.push_back(std::move(result)); });
  return results;
}

void PodResults::write(ByteSink& sink, const std::vector<ingest::RejectedPod>& unread,
                       const std::vector<output::DrainResult>& drains) const {
  constexpr size_t kPiece = size_t{1} << 16;
  std::string lines;
  const auto add = [&](const auto& one) {
    lines += output::to_json_line(one);
    if (lines.size() < kPiece) return;
    sink.write(lines);
    lines.clear();
  };
  each(unread, add);
  for (const output::EvictionResult& answer : evictions_) add(answer);
  for (const output::DrainResult& drain : drains) add(drain);
  if (!lines.empty()) sink.write(lines);
}

}  // namespace berth::cli
