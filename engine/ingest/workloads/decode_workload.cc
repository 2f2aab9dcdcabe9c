#include "engine/ingest/workloads/decode_workload.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "engine/base/text/characters.h"
#include "engine/ingest/admission/pods/complete_pod.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/validation/read_kinds.h"
#include "engine/ingest/validation/validate_new.h"
#include "engine/ingest/volumes/decode_volumes.h"
#include "engine/ingest/workloads/decode_job.h"
#include "engine/ingest/workloads/matching.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/ingest/workloads/read_pod.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

struct KindRow {
  WorkloadKind kind;
  std::string_view name;
  std::string_view api_version;
};
constexpr uint64_t kMostPercent = 100;
constexpr KindRow kKinds[] = {
    {WorkloadKind::kDeployment, "Deployment", "apps/v1"},
    {WorkloadKind::kReplicaSet, "ReplicaSet", "apps/v1"},
    {WorkloadKind::kReplicationController, "ReplicationController", "v1"},
    {WorkloadKind::kStatefulSet, "StatefulSet", "apps/v1"},
    {WorkloadKind::kDaemonSet, "DaemonSet", "apps/v1"},
    {WorkloadKind::kJob, "Job", "batch/v1"},
};

const KindRow& row_of(WorkloadKind kind) {
  return *std::ranges::find(kKinds, kind, &KindRow::kind);
}

// Adds ranges as a Job's status has them: 1,3-5,7. What is no range is passed over.
void add_ranges(std::string_view text, std::vector<std::pair<uint64_t, uint64_t>>& ranges) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    uint64_t first = 0, last = 0;
    const char* end = one.data() + one.size();
    auto [at, error] = std::from_chars(one.data(), end, first);
    if (error != std::errc()) continue;
    last = first;
    if (at != end && *at == '-') std::from_chars(at + 1, end, last);
    if (last >= first) ranges.emplace_back(first, last);
  }
}

// The reference to the owner that controls the object; absent if none does.
Value controlling_owner(Value object) {
  for (const Value owner : object.find("metadata").find("ownerReferences").elements()) {
    const Value controls = owner.find("controller");
    if (controls.is(Kind::kBoolean) && controls.as_bool()) return owner;
  }
  return {};
}

class Decoder {
 public:
  Decoder(Value value, WorkloadKind kind, const WorkloadOptions& options, Diagnostics& diagnostics)
      : value_(value),
        spec_value_(value.find("spec")),
        template_value_(spec_value_.find("template")),
        options_(options),
        faults_(diagnostics) {
    result_.kind = kind;
  }

  std::optional<Workload> run() {
    const FieldReader in = object_reader(value_, faults_);
    const FieldReader metadata = in.object("metadata");
    const FieldReader spec = in.object("spec");
    identify(in, metadata);
    read_template(spec);
    read_count(spec);
    if (options_.validation != Validation::kNone)
      validate_new_metadata(value_, workload_kind_name(result_.kind), nullptr, faults_);
    validate(spec);
    if (faults_.none()) complete();
    if (faults_.none()) admit();
    if (!faults_.none()) return std::nullopt;
    return std::move(result_);
  }

 private:
  void identify(const FieldReader& in, const FieldReader& metadata);
  void required(std::string_view field);
  void read_template(const FieldReader& spec);
  void read_count(const FieldReader& spec);
  void read_job(const FieldReader& spec);
  void read_job_status(const FieldReader& status);
  model::RolloutShare share(const FieldReader& in, Value at, std::string_view field);
  void read_rollout(const FieldReader& spec);
  void read_claims(const FieldReader& spec);
  // The number in a field of `at`, which `in` reads.
  uint64_t count(const FieldReader& in, Value at, std::string_view field, uint64_t absent);
  void complete();
  void set_job_labels(model::StringMap& labels) const;
  void validate(const FieldReader& spec);
  void validate_selector(const FieldReader& spec);
  void validate_generated_selector(const FieldReader& spec);
  // True if a fault of this field was reported, so that rules about it may be consequences.
  bool has_fault(Value field) const {
    return field.present() && !faults_.none() && faults_.touches(field.path());
  }
  void admit();

  Value value_, spec_value_, template_value_;
  const WorkloadOptions& options_;
  Faults faults_;
  Workload result_;
  bool manual_selector_ = false;  // of a Job: no label is made for its selector
};

void Decoder::identify(const FieldReader& in, const FieldReader& metadata) {
  const KindRow& row = row_of(result_.kind);
  result_.name = object_name(in, metadata, Defaults::kApiServer, row.name) + options_.number;
  result_.namespace_name = namespace_of(metadata, Defaults::kApiServer);
  result_.controller = {std::string(row.api_version), std::string(row.name), result_.name,
                        metadata.text("uid")};
  result_.made_here = result_.controller.uid.empty();
  if (result_.made_here)
    result_.controller.uid = made_uid(row.name, result_.namespace_name, result_.name);
}

// Reports that a field of the spec is missing; the spec itself may be.
void Decoder::required(std::string_view field) {
  if (spec_value_.present()) return faults_.report(spec_value_, "Required value", field);
  faults_.report(value_, "Required value", "spec." + std::string(field));
}

void Decoder::read_template(const FieldReader& spec) {
  if (!spec.has("template")) return required("template");
  const FieldReader pod_template = spec.object("template");
  result_.pod.namespace_name = result_.namespace_name;
  read_pod_spec(pod_template, Defaults::kApiServer, result_.pod);
  const FieldReader pod_spec = pod_template.object("spec");
  if (pod_template.faultless() && result_.pod.spec.containers.empty())
    faults_.report(template_value_, "Required value", "spec.containers");
  if (options_.validation != Validation::kNone)
    validate_new_template(template_value_, result_.pod, options_.validation, faults_);
  const std::string policy = pod_spec.text("restartPolicy");
  const Value at = template_value_.find("spec").find("restartPolicy");
  if (result_.kind == WorkloadKind::kJob) {
    if (policy != "OnFailure" && policy != "Never")
      faults_.report(at.present() ? at : template_value_,
                     "Required value: valid values: \"OnFailure\", \"Never\"",
                     at.present() ? "" : "spec.restartPolicy");
  } else if (!policy.empty() && policy != "Always") {
    faults_.report(
        at, "Unsupported value: " + document::to_json(at) + ": supported values: \"Always\"");
  }
}

uint64_t Decoder::count(const FieldReader& in, Value at, std::string_view field, uint64_t absent) {
  const std::optional<int32_t> number = in.integer32(field);
  if (!number) return absent;
  if (*number >= 0) return static_cast<uint64_t>(*number);
  faults_.report(at.find(field), "Invalid value: " + std::to_string(*number) +
                                     ": must be greater than or equal to 0");
  return absent;
}

void Decoder::read_job(const FieldReader& spec) {
  const bool has_completions = spec.has("completions");
  const uint64_t parallelism = count(spec, spec_value_, "parallelism", 1);
  const uint64_t completions = count(spec, spec_value_, "completions", 1);
  const std::string mode = spec.text("completionMode");
  const Value at = spec_value_.find("completionMode");
  if (!mode.empty() && mode != "Indexed" && mode != "NonIndexed")
    faults_.report(at, "Unsupported value: " + document::to_json(at) +
                           ": supported values: \"Indexed\", \"NonIndexed\"");
  result_.job.indexed = mode == "Indexed";
  if (result_.job.indexed && !has_completions)
    spec.missing("completions", "Required value: when completion mode is Indexed");
  result_.pods = has_completions ? std::min(parallelism, completions) : parallelism;
  result_.parallelism = parallelism;
  if (has_completions) result_.job.completions = completions;
  result_.job.suspended = spec.boolean("suspend");
  if (result_.job.suspended) result_.pods = 0;
  result_.not_played = read_job_end(spec, spec_value_, result_.job);
}

// A live Job is not begun again.
void Decoder::read_job_status(const FieldReader& status) {
  const auto count = [&](std::string_view field) {
    return static_cast<uint64_t>(std::max(status.integer32(field).value_or(0), 0));
  };
  result_.job.succeeded = count("succeeded");
  result_.job.failed = count("failed");
  for (const char* field : {"completedIndexes", "failedIndexes"})
    add_ranges(status.text(field), result_.job.over_indices);
  std::ranges::sort(result_.job.over_indices);
  status.each("conditions", [&](const FieldReader& condition) {
    constexpr std::string_view kOver[] = {"Complete", "Failed", "SuccessCriteriaMet",
                                          "FailureTarget"};
    if (condition.text("status") == "True" &&
        std::ranges::find(kOver, condition.text("type")) != std::end(kOver)) {
      result_.pods = 0;
      result_.job.over = true;
    }
  });
}

// A quarter of the replicas unless it says otherwise.
model::RolloutShare Decoder::share(const FieldReader& in, Value at, std::string_view field) {
  const Value value = at.find(field);
  if (value.is(Kind::kNumber)) return {count(in, at, field, 0), false};
  model::RolloutShare share;
  const std::string_view text = value.is(Kind::kString) ? value.as_string() : std::string_view();
  if (text.ends_with('%')) std::from_chars(text.data(), text.data() + text.size() - 1, share.value);
  share.value = std::min(share.value, kMostPercent);
  return share;
}

// A Deployment that recreates its pods removes the former ones first.
void Decoder::read_rollout(const FieldReader& spec) {
  model::Rollout& rollout = result_.rollout;
  rollout.paused = spec.boolean("paused");
  const FieldReader strategy = spec.object("strategy");
  rollout.recreates = strategy.text("type") == "Recreate";
  if (rollout.recreates) return;
  const Value at = spec_value_.find("strategy").find("rollingUpdate");
  rollout.surge = share(strategy.object("rollingUpdate"), at, "maxSurge");
  rollout.unavailable = share(strategy.object("rollingUpdate"), at, "maxUnavailable");
  const model::RolloutShare& surge = rollout.surge;
  result_.surge = surge.percent ? (result_.pods * surge.value + 99) / 100 : surge.value;
}

void Decoder::read_count(const FieldReader& spec) {
  std::string_view field = "replicas";
  if (spec_value_.present()) result_.size = document::to_json(spec_value_).size();
  if (result_.kind == WorkloadKind::kDaemonSet) return;
  if (result_.kind == WorkloadKind::kJob) {
    field = "parallelism";
    read_job(spec);
    read_job_status(object_reader(value_, faults_).object("status"));
  } else {
    result_.pods = count(spec, spec_value_, field, 1);
  }
  const bool rolls = result_.kind == WorkloadKind::kDeployment;
  if (rolls) read_rollout(spec);
  if (rolls || result_.kind == WorkloadKind::kStatefulSet)
    result_.min_ready_seconds =
        static_cast<int64_t>(count(spec, spec_value_, "minReadySeconds", 0));
  if (result_.kind == WorkloadKind::kStatefulSet) {
    result_.first_ordinal = static_cast<int64_t>(
        count(spec.object("ordinals"), spec_value_.find("ordinals"), "start", 0));
    result_.parallel = spec.text("podManagementPolicy") == "Parallel";
    read_claims(spec);
  }
  if (result_.pods <= options_.room || !faults_.none()) return;
  faults_.report(spec_value_.find(field),
                 "asks for " + std::to_string(result_.pods) + " pods, and " +
                     std::to_string(kMostExpanded) +
                     " are made of the manifests of one input at most; berth-loadgen makes more");
}

// A claim template replaces the volume of its name.
void Decoder::read_claims(const FieldReader& spec) {
  spec.each("volumeClaimTemplates",
            [&](const FieldReader& in) { result_.claims.push_back(read_claim_template(in)); });
  if (result_.claims.empty()) return;
  std::vector<model::PodVolume>& volumes = result_.pod.spec.volumes;
  volumes.clear();
  spec.object("template").object("spec").each("volumes", [&](const FieldReader& in) {
    const std::string name = in.text("name");
    if (std::ranges::find(result_.claims, name, &model::PersistentVolumeClaim::name) !=
        result_.claims.end())
      return;
    if (auto volume = read_pod_volume(in)) volumes.push_back(std::move(*volume));
  });
}

// Labels that the controller gives all of its pods.
void Decoder::complete() {
  model::StringMap& labels = result_.pod.spec.labels;
  const std::string hash = template_hash(template_value_);
  result_.revision = hash;
  switch (result_.kind) {
    case WorkloadKind::kDeployment: {
      const std::string name = result_.name + "-" + hash;
      set_label(labels, "pod-template-hash", hash);
      result_.controller = {"apps/v1", "ReplicaSet", name,
                            made_uid("ReplicaSet", result_.namespace_name, name)};
      break;
    }
    case WorkloadKind::kStatefulSet:
      set_label(labels, "controller-revision-hash", result_.name + "-" + hash);
      break;
    case WorkloadKind::kDaemonSet:
      set_label(labels, "controller-revision-hash", hash);
      set_label(labels, "pod-template-generation", "1");
      break;
    case WorkloadKind::kJob:
      if (!manual_selector_) set_job_labels(labels);
      break;
    case WorkloadKind::kReplicaSet:
    case WorkloadKind::kReplicationController:
      break;
  }
}

void Decoder::set_job_labels(model::StringMap& labels) const {
  for (const char* prefix : {"", "batch.kubernetes.io/"}) {
    set_label(labels, std::string(prefix) + "controller-uid", result_.controller.uid);
    set_label(labels, std::string(prefix) + "job-name", result_.name);
  }
}

// The API server compares the selector with the labels that the manifest gives.
void Decoder::validate_selector(const FieldReader& spec) {
  const std::string kind(row_of(result_.kind).name);
  model::LabelSelector selector;
  if (result_.kind == WorkloadKind::kReplicationController) {
    selector.match_labels = spec.string_map("selector");
    if (selector.match_labels.empty()) return;  // the template's labels are its selector
  } else {
    if (!spec.has("selector")) return required("selector");
    selector = *read_label_selector(spec, "selector");
  }
  if (has_fault(spec_value_.find("selector"))) return;
  const bool all = selector.match_labels.empty() && selector.match_expressions.empty();
  if (all && result_.kind != WorkloadKind::kJob) {
    return faults_.report(spec_value_.find("selector"),
                          "Invalid value: {}: empty selector is invalid for " + lower(kind));
  }
  const Value labels = template_value_.find("metadata").find("labels");
  if (!template_value_.present() || has_fault(labels)) return;
  if (selects(selector, result_.pod.spec.labels)) return;
  const std::string found = labels.present() ? document::to_json(labels) : "{}";
  faults_.report(labels.present() ? labels : template_value_,
                 "Invalid value: " + found + ": `selector` does not match template `labels`",
                 labels.present() ? "" : "metadata.labels");
}

// A Job without manualSelector gets a selector of its own, and may name no other.
void Decoder::validate_generated_selector(const FieldReader& spec) {
  if (options_.validation == Validation::kNone || !spec.has("selector")) return;
  const model::LabelSelector selector = *read_label_selector(spec, "selector");
  const Value at = spec_value_.find("selector");
  model::StringMap made;
  set_job_labels(made);
  if (has_fault(at) || selects(selector, made)) return;
  faults_.report(at, "Invalid value: " + document::to_json(at) + ": `selector` not auto-generated");
}

void Decoder::validate(const FieldReader& spec) {
  manual_selector_ = result_.kind == WorkloadKind::kJob && spec.boolean("manualSelector");
  if (result_.kind == WorkloadKind::kJob && !manual_selector_) {
    validate_generated_selector(spec);
  } else {
    validate_selector(spec);
  }
}

void Decoder::admit() {
  result_.asked = read_asked(template_value_, Defaults::kApiServer);
  // The pods of a Deployment join the ReplicaSet that it has.
  const bool differ = result_.kind == WorkloadKind::kStatefulSet ||
                      result_.kind == WorkloadKind::kDeployment || result_.job.indexed;
  result_.merge_each = differ && has_label_keys(result_.pod.spec.affinity);
  if (!result_.merge_each) return complete_pod(template_value_, result_.pod, faults_);
  model::Pod probe = result_.pod;
  complete_pod(template_value_, probe, faults_);
}

// The depth of the recursion is that of the document, which document::Limits bounds.
std::optional<std::string> find_template(Value value, const std::string& path) {
  for (const document::Member member : value.members()) {
    const std::string at =
        path.empty() ? std::string(member.key) : path + "." + std::string(member.key);
    const Value containers = member.value.find("spec").find("containers");
    if (containers.is(Kind::kArray) && containers.size() != 0) return at;
    if (const auto found = find_template(member.value, at)) return found;
    size_t index = 0;
    for (const Value element : member.value.elements())
      if (const auto found = find_template(element, at + "[" + std::to_string(index++) + "]"))
        return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WorkloadKind> workload_kind(std::string_view kind, std::string_view api_version) {
  const auto* row = std::ranges::find(kKinds, kind, &KindRow::name);
  if (row == std::end(kKinds)) return std::nullopt;
  if (!api_version.empty() && group_of(api_version) != group_of(row->api_version))
    return std::nullopt;
  return row->kind;
}

std::string_view workload_kind_name(WorkloadKind kind) { return row_of(kind).name; }

std::optional<Workload> decode_workload(Value value, WorkloadKind kind,
                                        const WorkloadOptions& options, Diagnostics& diagnostics) {
  std::optional<Workload> workload = Decoder(value, kind, options, diagnostics).run();
  if (workload) workload->line = value.position().line;
  return workload;
}

model::SelectorOwner replica_set_of(Value deployment, const Workload& workload) {
  Diagnostics ignored;  // it was read before, without a fault
  Faults faults(ignored);
  const FieldReader spec = FieldReader(deployment, faults).object("spec");
  model::SelectorOwner owner;
  owner.kind = model::SelectorOwnerKind::kReplicaSet;
  owner.name = workload.controller.name;
  owner.namespace_name = workload.namespace_name;
  owner.selector = read_label_selector(spec, "selector");
  const auto hash = label_of(workload.pod.spec.labels, "pod-template-hash");
  set_label(owner.selector->match_labels, "pod-template-hash", *hash);
  return owner;
}

bool is_controlled(Value object) {
  return controlling_owner(object).find("kind").text() == "Deployment";
}

ControlledSet controlled_set(Value replica_set) {
  Diagnostics ignored;  // it is read as an owner, too
  Faults faults(ignored);
  const Value metadata = replica_set.find("metadata");
  ControlledSet set;
  set.namespace_name = metadata.find("namespace").text();
  if (set.namespace_name.empty()) set.namespace_name = "default";
  set.name = metadata.find("name").text();
  set.deployment = controlling_owner(replica_set).find("name").text();
  const FieldReader spec = FieldReader(replica_set, faults).object("spec");
  set.replicas = static_cast<uint64_t>(
      spec.integer("replicas", 0, std::numeric_limits<int32_t>::max()).value_or(1));
  return set;
}

std::optional<std::string> pod_template_in(Value object) {
  for (const document::Member member : object.members()) {
    if (member.key == "metadata" || member.key == "status") continue;
    const std::string path(member.key);
    const Value containers = member.value.find("spec").find("containers");
    if (containers.is(Kind::kArray) && containers.size() != 0) return path;
    if (const auto found = find_template(member.value, path)) return found;
  }
  return std::nullopt;
}

}  // namespace berth::ingest
