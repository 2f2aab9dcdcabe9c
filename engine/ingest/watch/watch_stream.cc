#include "engine/ingest/watch/watch_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text/go_duration.h"
#include "engine/ingest/admission/namespaces/namespace_rules.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/stream/write/waiting_pod.h"
#include "engine/ingest/validation/read_kinds.h"
#include "engine/ingest/validation/validate_new.h"
#include "engine/ingest/workloads/read_pod.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

// Ten years: the clocks of a run reach further.
constexpr int64_t kLatest = int64_t{87'600} * 3'600 * 1'000'000'000;

}  // namespace

std::optional<bool> begins_like_watch(std::string_view beginning) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  constexpr size_t kLongestKey = sizeof("\"object\"") - 1;
  // False if the text ends in blanks.
  const auto skip_blanks = [&] {
    beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
    return !beginning.empty();
  };
  if (beginning.starts_with(kByteOrderMark)) beginning.remove_prefix(kByteOrderMark.size());
  if (!skip_blanks()) return std::nullopt;
  if (beginning.front() != '{') return false;
  beginning.remove_prefix(1);
  if (!skip_blanks()) return std::nullopt;
  if (beginning.starts_with("\"type\"") || beginning.starts_with("\"object\"")) return true;
  if (beginning.size() < kLongestKey && beginning.front() == '"' &&
      beginning.find('"', 1) == std::string_view::npos)
    return std::nullopt;
  return false;
}

WatchStream::WatchStream(ByteSource& source, Diagnostics& diagnostics, bool strict,
                         bool keep_rejected, Creation* creation, Validation validation)
    : source_(source),
      diagnostics_(diagnostics),
      strict_(strict),
      keep_rejected_(keep_rejected),
      creation_(creation),
      validation_(validation),
      texts_(source, kMaxEvent),
      inspector_(remarks_) {}

bool WatchStream::next(Batch& batch) {
  while (made_.empty()) {
    if (ended_) return false;
    switch (texts_.next(pods_.size() == 0)) {
      case EventTexts::Next::kText:
        take_text();
        break;
      case EventTexts::Next::kWait:
        pods_.hand_on(made_);
        break;
      case EventTexts::Next::kEnd:
        pods_.hand_on(made_);
        append_batch(made_, BatchKind::kEnd);
        ended_ = true;
        break;
    }
  }
  batch = std::move(made_.front());
  made_.pop_front();
  return true;
}

void WatchStream::make(BatchKind kind, Change change) {
  pods_.hand_on(made_);
  Batch& batch = append_batch(made_, kind);
  batch.lines = {texts_.line()};
  batch.changes.push_back(std::move(change));
}

Error WatchStream::placed(const Error& error) const {
  Place place = error.place();
  place.file = source_.name();
  place.line = texts_.line() + std::max(place.line, 1u) - 1;
  return {std::move(place), error.message()};
}

void WatchStream::report(const Error& error) {
  Error located = placed(error);
  if (strict_) throw located;
  diagnostics_.report(std::move(located));
}

// `event`: absent if it cannot be read. `error`: the first about it. What is no pod is named by the
// error alone.
void WatchStream::reject(Value event, const Error& error) {
  const std::string_view kind = event.find("object").find("kind").text();
  if (!kind.empty() && kind != "Pod") return;
  ++rejected_pods_;
  if (keep_rejected_) rejected_.push_back(rejected_pod(event.find("object"), placed(error).what()));
}

void WatchStream::reject(std::vector<RejectedPod> pods, const Diagnostics& found) {
  rejected_pods_ += pods.size();
  if (!keep_rejected_) return;
  for (RejectedPod& pod : pods) {
    const auto fault = std::ranges::find_if(
        found.kept(), [&](const Error& error) { return pod.message == error.what(); });
    if (fault != found.kept().end()) pod.message = placed(*fault).what();
    rejected_.push_back(std::move(pod));
  }
}

void WatchStream::take_text() {
  if (texts_.too_long()) {
    const Error error("the event has more than " + std::to_string(kMaxEvent) + " bytes");
    reject({}, error);
    return report(error);
  }
  Diagnostics found;
  const document::Document document =
      document::Document::parse(texts_.text(), source_.name(), found);
  if (found.count() == 0 && document.roots().size() == 1) {
    take_event(document.roots()[0], found);
  } else if (found.count() == 0) {
    found.report(Error("expected one JSON object a line"));
  }
  if (found.count() == 0) return;
  reject(document.roots().size() == 1 ? document.roots()[0] : Value(), found.kept().front());
  for (const Error& error : found.kept()) report(error);
}

void WatchStream::take_event(Value event, Diagnostics& found) {
  const std::string_view type = event.find("type").text();
  const Value object = event.find("object");
  if (const Value time = event.find("time"); time.present() && !take_time(time, found)) return;
  if (type == "BOOKMARK") return pods_.hand_on(made_);
  if (type == "ADDED") return take(Operation::kAdded, object, found);
  if (type == "MODIFIED") return take(Operation::kModified, object, found);
  if (type == "DELETED") return take(Operation::kDeleted, object, found);
  if (type == "ERROR") return take_api_error(object);
  Place place = event.place();
  place.field = "type";
  found.report(Error(std::move(place),
                     "expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, with an object"));
}

// False after reporting that it is none.
bool WatchStream::take_time(Value time, Diagnostics& found) {
  const std::optional<int64_t> at = parse_duration(time.text());
  if (!at || *at < 0 || *at > kLatest) {
    Place place = time.place();
    place.field = "time";
    found.report(Error(std::move(place),
                       "expected a time of the run from 0s to 87600h, such as 90s or 1h15m"));
    return false;
  }
  pods_.hand_on(made_);
  append_batch(made_, BatchKind::kTime).at = *at;
  scene_ = false;
  return true;
}

bool WatchStream::check_version(Value object, Diagnostics& found) const {
  const std::string_view kind = object.find("kind").text();
  if (!validates(Operation::kAdded, kind) || !object.find("metadata").find("uid").text().empty())
    return true;
  const Value version = object.find("apiVersion");
  const auto problem = version_problem(kind, version.text());
  if (problem) found.report(Error((version.present() ? version : object).place(), *problem));
  if (problem || kind == "Pod" || kind == "Node" || kind == kKubeletConfiguration ||
      find_kind(kind) == nullptr)
    return !problem;
  Faults faults(found);
  validate_new_metadata(object, kind, nullptr, faults);
  return faults.none();
}

// Reports an ERROR event, whose object is a Status, in the API server's words.
void WatchStream::take_api_error(Value status) {
  const std::string_view message = status.find("message").text();
  const std::string_view reason = status.find("reason").text();
  std::string text = "the API server reports an error of the watch: ";
  text += message.empty() ? "no message" : message;
  if (!reason.empty()) text += " (" + std::string(reason) + ")";
  text += "; later changes of the cluster are missing: list the objects and watch again";
  Place place = status.place();
  place.field = "object";
  report(Error(std::move(place), std::move(text)));
}

void WatchStream::take(Operation type, Value object, Diagnostics& found) {
  if (!object.is(Kind::kObject)) {
    Place place = object.place();
    place.field = "object";
    return found.report(Error(std::move(place), "expected a Kubernetes object"));
  }
  if (visit_ && type != Operation::kDeleted) visit_(object);
  const std::string_view kind = object.find("kind").text();
  if (type == Operation::kAdded && !check_version(object, found)) return;
  if (type == Operation::kAdded && creation_ != nullptr && take_manifest(object, found)) return;
  if (type != Operation::kAdded && creation_ != nullptr && change_policy(type, object, found))
    return;
  if (creation_ != nullptr && take_workload_change(type, object, found)) return;
  if (kind == "Pod") return take_pod(type, object, found);
  if (is_object(kind, object.find("apiVersion").text())) return take_other(type, object, found);
  // Kinds are the input's; so many of them are named.
  constexpr size_t kMostKinds = 100;
  const bool named = remarks_.unread_kinds.size() < kMostKinds;
  if (named || remarks_.unread_kinds.contains(std::string(kind)))
    return inspector_.count_unread(object, kind, object.find("apiVersion").text(),
                                   std::string(kind), texts_.line());
  ++remarks_.unread_kinds["of other kinds"];
}

// A workload without a UID is a manifest, whose pods were made when it was added.
bool WatchStream::take_workload_change(Operation type, Value object, Diagnostics& found) {
  const std::string kind(object.find("kind").text());
  const std::string_view version = object.find("apiVersion").text();
  const Value metadata = object.find("metadata");
  if (type == Operation::kAdded || !workload_kind(kind, version) ||
      !object.find("spec").find("template").present() || !metadata.find("uid").text().empty())
    return false;
  std::string space(metadata.find("namespace").text());
  if (space.empty()) space = "default";
  const std::string name(metadata.find("name").text());
  if (!creation_->plays_workloads()) {
    remarks_.changed_workloads.add((type == Operation::kModified ? "MODIFIED " : "DELETED ") +
                                   kind + " " + space + "/" + name);
    return false;
  }
  if (type == Operation::kDeleted) {
    happen(creation_->remove_workload(kind, space, name));
  } else {
    ObjectReader reader(found, Defaults::kApiServer, Workloads::kMixed, validation_);
    reader.add(object);
    Objects objects = reader.take();
    for (Change& change : creation_->change_workloads(objects, source_.name(), found))
      happen(std::move(change));
    remarks_.changed_workloads.add(objects.remarks.changed_workloads);
    remarks_.unplayed_workloads.add(objects.remarks.unplayed_workloads);
    remarks_.workloads_beyond_quotas.add(objects.remarks.workloads_beyond_quotas);
  }
  return !selector_owner_kind(kind, version);
}

void WatchStream::put(Change change) {
  const auto* object = std::get_if<model::VolumeObject>(&change.object);
  const bool happens = (object != nullptr && waits(*object)) ||
                       std::holds_alternative<model::EvictionRequest>(change.object);
  if (!scene_ || happens || change.operation != Operation::kAdded) return happen(std::move(change));
  make(BatchKind::kCluster, std::move(change));
}

// Collects remarks from ADDED events only, so that each object is counted once.
template <typename Object>
void WatchStream::inspect(Value value, const Object& object, Operation type) {
  if constexpr (requires { inspector_.inspect_again(value, object); })
    if (type == Operation::kModified) inspector_.inspect_again(value, object);
  if (type != Operation::kAdded) return;
  const size_t fields = remarks_.unknown_fields.size();
  inspector_.inspect(value, object, texts_.line());
  if (strict_ && remarks_.unknown_fields.size() != fields)
    throw remarks_.unknown_fields[fields].first;
}

void WatchStream::keep(WholeObject object) {
  object.line = texts_.line();
  whole_.push_back(std::move(object));
}

std::vector<WholeObject> WatchStream::take_whole(uint32_t last_line) {
  const auto end = std::ranges::find_if(
      whole_, [&](const WholeObject& object) { return object.line > last_line; });
  std::vector<WholeObject> taken(std::make_move_iterator(whole_.begin()),
                                 std::make_move_iterator(end));
  whole_.erase(whole_.begin(), end);
  return taken;
}

void WatchStream::happen(Change change) {
  scene_ = false;
  make(BatchKind::kEvents, std::move(change));
}

bool WatchStream::take_manifest(Value object, Diagnostics& found) {
  const std::string_view kind = object.find("kind").text();
  const std::string_view version = object.find("apiVersion").text();
  if (kind == "Pod" || (is_object(kind, version) && !workload_kind(kind, version))) return false;
  ObjectReader reader(found, Defaults::kApiServer, Workloads::kMixed, validation_);
  reader.add(object);
  Objects objects = reader.take();
  if (objects.workloads.empty() && objects.rejected == 0 && objects.policies.size() == 0 &&
      objects.remarks.cron_jobs.count == 0)
    return false;
  if (keeps_whole_)
    for (const Workload& workload : objects.workloads) keep(whole_template(object, workload));
  creation_->create(objects, source_.name(), found);
  if (strict_ && !objects.remarks.unknown_fields.empty())
    throw placed(objects.remarks.unknown_fields.front().first);
  for (Remarks::Field& field : objects.remarks.unknown_fields) field.first = placed(field.first);
  for (auto& [written, first] : objects.remarks.near_kinds) first = placed(first);
  remarks_.add(objects.remarks);
  reject(std::move(objects.rejected_pods), found);
  for (Change& other : objects.others) put(std::move(other));
  for (model::Pod& pod : objects.pods) {
    if (pod.bound()) scene_ = false;  // it is created there, and does not run yet
    hand_on(Operation::kAdded, std::move(pod));
  }
  return true;
}

// Policies that changed or went hold for the pods that follow.
bool WatchStream::change_policy(Operation type, Value object, Diagnostics& found) {
  constexpr std::array<std::string_view, 4> kPolicies = {"PriorityClass", "RuntimeClass",
                                                         "LimitRange", "ResourceQuota"};
  if (std::ranges::find(kPolicies, object.find("kind").text()) == kPolicies.end()) return false;
  ObjectReader reader(found);
  reader.add(object);
  Objects objects = reader.take();
  if (type == Operation::kDeleted) {
    creation_->remove(objects.policies);
  } else {
    creation_->create(objects, source_.name(), found);
  }
  return true;
}

void WatchStream::take_pod(Operation type, Value object, Diagnostics& found) {
  std::optional<model::Pod> pod = validates(type, "Pod")
                                      ? decode_new_pod(object, found, validation_)
                                      : decode_pod(object, found);
  if (!pod) {
    if (type == Operation::kAdded) inspector_.inspect_fields(object, "Pod", texts_.line());
    return;
  }
  inspect(object, *pod, type);
  if (keeps_whole_ && type != Operation::kDeleted) keep(whole_pod(object, *pod));
  std::vector<model::VolumeObject> claims;
  if (creation_ != nullptr && type == Operation::kDeleted)
    creation_->remove_pod(pod->namespace_name, pod->name);
  if (creation_ != nullptr && type != Operation::kDeleted) {
    if (type == Operation::kAdded && creation_->admits()) remarks_.without_priority = {};
    const PodAsked asked = read_asked(object, Defaults::kApiServer);
    const bool again = type == Operation::kModified;
    if (const auto why = creation_->admit(*pod, asked, again))
      return found.report(Error(object.place(), *why));
    std::vector<std::string> refused;
    claims = creation_->claims_for(*pod, asked, again, &refused);
    for (std::string& why : refused) found.report(Error(object.place(), std::move(why)));
    creation_->put(*pod);
  }
  for (model::VolumeObject& claim : claims) put(model::added(std::move(claim)));
  hand_on(type, std::move(*pod));
}

void WatchStream::hand_on(Operation type, model::Pod pod) {
  const bool is_added = type == Operation::kAdded;
  if (is_added && waits(pod)) {
    scene_ = false;
    pods_.add(std::move(pod), texts_.line(), &made_);
    if (pods_.size() == kPodsTogether) pods_.hand_on(made_);
    return;
  }
  if (type == Operation::kModified && pod.finished()) {
    Change change = model::finished_pod(std::move(pod.namespace_name), std::move(pod.name));
    std::get<TemplatePod>(change.object).phase = pod.phase;
    return happen(std::move(change));
  }
  if (type == Operation::kDeleted)
    return happen(model::deleted_pod(std::move(pod.namespace_name), std::move(pod.name)));
  const bool of_cluster = is_added && (scene_ || !pod.bound() || pod.finished());
  Change change{type, TemplatePod::of(std::move(pod))};
  of_cluster ? make(BatchKind::kCluster, std::move(change)) : happen(std::move(change));
}

void WatchStream::take_other(Operation type, Value object, Diagnostics& found) {
  const std::string_view kind = object.find("kind").text();
  std::optional<model::Object> made =
      decode_object(object, kind, found, Defaults::kApiServer,
                    type == Operation::kDeleted ? Validation::kNone : validation_);
  if (!made) {
    if (type == Operation::kAdded) inspector_.inspect_fields(object, kind, texts_.line());
    return;
  }
  if (const auto* node = std::get_if<model::Node>(&*made)) {
    inspect(object, *node, type);
    if (keeps_whole_ && type != Operation::kDeleted) keep(whole_node(object, *node));
  } else if (const auto* budget = std::get_if<model::DisruptionBudget>(&*made)) {
    inspect(object, *budget, type);
  } else if (const auto* other = std::get_if<model::ControllerObject>(&*made)) {
    inspect(object, *other, type);
  } else if (std::holds_alternative<model::EvictionRequest>(*made) && type != Operation::kAdded) {
    return found.report(Error(object.place(), "an Eviction is asked for once, with type ADDED"));
  }
  if (creation_ != nullptr)
    if (const auto why = tell_creation(type, object, *made))
      return found.report(Error(object.place(), *why));
  put({type, std::move(*made)});
}

std::optional<std::string> WatchStream::tell_creation(Operation type, Value object,
                                                      model::Object& made) {
  const bool is_deleted = type == Operation::kDeleted;
  if (const auto* node = std::get_if<model::Node>(&made)) {
    is_deleted ? creation_->remove_node(node->name) : creation_->put_node(*node);
  } else if (std::holds_alternative<model::Namespace>(made)) {
    Policies policies;
    policies.namespaces.push_back(namespace_rules(object));
    is_deleted ? creation_->remove(policies) : creation_->put(policies);
  } else if (auto* storage = std::get_if<model::VolumeObject>(&made)) {
    is_deleted ? creation_->remove(*storage) : creation_->put(*storage);
    if (type == Operation::kAdded) return creation_->admit(*storage);
  }
  return std::nullopt;
}

}  // namespace berth::ingest
