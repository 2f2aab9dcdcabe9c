// Parses `templates`: a PodTemplateSpec, as in a Deployment, with distributions of requests.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/names.h"
#include "loadgen/workload/fields/pod_fields.h"
#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr uint64_t kMostVariants = 65'536;
constexpr uint32_t kVariants = 32;
constexpr int64_t kMilli = 1000;

// Labels that Jobs and StatefulSets add to each pod, with a value that differs between pods.
constexpr std::array<std::string_view, 4> kSinglePodKeys = {
    "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-name", "job-name",
    "statefulset.kubernetes.io/pod-name"};

// Kinds that none of kube-scheduler's plugins VolumeBinding, VolumeZone, VolumeRestrictions and
// NodeVolumeLimits reads, so that any number of pods can share such a volume anywhere.
constexpr std::string_view kFreeVolumes[] = {
    "cephfs",    "configMap", "csi",       "downwardAPI", "emptyDir", "fc",  "flexVolume",
    "flocker",   "gitRepo",   "glusterfs", "hostPath",    "image",    "nfs", "photonPersistentDisk",
    "projected", "quobyte",   "scaleIO",   "secret",      "storageos"};

bool is_free_volume(std::string_view kind) {
  return std::ranges::find(kFreeVolumes, kind) != std::end(kFreeVolumes);
}

// The PodTemplateSpec as the JSON of a Pod. Decoders of pods require a name.
std::string as_pod(Value pod_template) {
  std::string text = "{\"metadata\":{\"name\":\"pod\"";
  for (const document::Member member : pod_template.find("metadata").members()) {
    if (member.key == "name" || member.key == "generateName" || member.key == "namespace") continue;
    text += ',';
    document::append_json_string(member.key, text);
    text += ':';
    document::append_json(member.value, text);
  }
  text += "},\"spec\":";
  const Value spec = pod_template.find("spec");
  text += spec.present() ? document::to_json(spec) : "{}";
  return text + "}";
}

bool names_single_pods(const std::vector<std::string>& keys) {
  return std::ranges::any_of(keys, [](const std::string& key) {
    return std::ranges::find(kSinglePodKeys, key) != kSinglePodKeys.end();
  });
}

bool names_single_pods(const std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return false;
  const auto names = [](const model::PodAffinityTerm& term) {
    return names_single_pods(term.match_label_keys) || names_single_pods(term.mismatch_label_keys);
  };
  return std::ranges::any_of(affinity->required, names) ||
         std::ranges::any_of(affinity->preferred,
                             [&](const auto& weighted) { return names(weighted.term); });
}

}  // namespace

// Reports fields that the engine would ignore although they affect scheduling.
void WorkloadParser::refuse_unknown_to_engine(Value pod) {
  const Value spec = pod.find("spec");
  const auto refuse = [&](std::string_view name, std::string_view what) {
    const Value value = spec.find(name);
    if (value.present() && !value.is(Kind::kNull)) context_.report(value, std::string(what));
  };
  refuse("nodeName", "pods of a workload are to be scheduled: leave out nodeName");
  refuse("resourceClaims", "dynamic resources are not built: leave out resourceClaims");
  refuse("resources",
         "is refused, since requests of this template could not be told from it: give the "
         "requests to the container");
  refuse("priorityClassName",
         "there are no PriorityClasses: give the number itself, as `priority`");
  for (const Value volume : spec.find("volumes").elements()) {
    for (const document::Member member : volume.members()) {
      if (member.key != "name" && !is_free_volume(member.key))
        context_.report(member.key_value,
                        fmt::format("pods of a template cannot share volumes of kind {}: leave the "
                                    "volume out, and give the template `claims`",
                                    member.key));
    }
  }
}

void WorkloadParser::refuse_keys_of_single_pods(Value at, const model::PodSpec& spec) {
  if (names_single_pods(spec.affinity.pod_affinity) ||
      names_single_pods(spec.affinity.pod_anti_affinity))
    context_.report(at, fmt::format("matchLabelKeys and mismatchLabelKeys cannot name labels that "
                                    "differ from pod to pod ({})",
                                    fmt::join(kSinglePodKeys, ", ")));
}

uint32_t WorkloadParser::namespaces_of(Fields& in, uint32_t fallback) {
  const Value value = in.at("namespace");
  if (!value.present()) return fallback;
  for (uint32_t i = 0; i < spec_.namespaces.size(); ++i)
    if (value.is(Kind::kString) && spec_.namespaces[i].name == value.as_string()) return i;
  context_.report(value, expected("the name of an entry of `namespaces`", value));
  return fallback;
}

void WorkloadParser::pod_template(Value value) {
  Fields in(value, context_);
  TemplateSpec result;
  result.name = in.name("name");
  result.weight = in.count("weight", 1, kMostWeight, 1);
  result.namespaces = namespaces_of(in, 0);
  for (const TemplateSpec& other : spec_.templates)
    if (other.name == result.name)
      context_.report(value, fmt::format("there is a template \"{}\" already", result.name));

  const Value pod = in.at("template");
  if (!pod.is(Kind::kObject)) {
    in.missing("template", "expected a pod template: {metadata: {labels}, spec: {containers}}");
    return;
  }
  for (const Value key : unknown_pod_fields(pod))
    context_.report(key, fmt::format("a pod template has no field \"{}\" here", key.as_string()));
  refuse_unknown_to_engine(pod);
  Diagnostics found;
  const document::Document document = document::Document::parse(as_pod(pod), "", found);
  std::optional<model::Pod> decoded;
  if (!document.roots().empty()) decoded = ingest::decode_pod(document.roots()[0], found);
  for (const Error& error : found.kept())
    context_.report_path(pod, error.place().field, error.message());
  if (decoded) {
    result.spec = std::move(decoded->spec);
    if (result.spec.scheduler_name.empty())
      result.spec.scheduler_name = model::kDefaultSchedulerName;
    if (result.spec.containers.empty())
      result.spec.containers.push_back({"main", "", {}, {}, false});
    refuse_keys_of_single_pods(pod, result.spec);
  }

  bool drawn = false;
  for (const document::Member member : in.members("requests")) {
    const int64_t step = member.key == "cpu" ? 1 : kMilli;
    if (auto amount = parse_distribution(member.value, Unit::kQuantity, context_, 0,
                                         Distribution::kMost, step)) {
      drawn |= !amount->fixed();
      result.requests.emplace_back(member.key, std::move(*amount));
    }
  }
  std::ranges::sort(result.requests, {}, [](const auto& entry) { return entry.first; });
  result.runs = runs(in.object("runs"));
  if (result.runs) drawn |= !result.runs->lasting.fixed() || result.runs->fails != 0;
  result.variants =
      static_cast<uint32_t>(in.count("variants", 1, kMostVariants, drawn ? kVariants : 1));
  result.claims = claims(in.object("claims"));
  result.usage = usage(in.object("usage"));
  in.done();
  spec_.templates.push_back(std::move(result));
}

void WorkloadParser::templates(std::vector<Value> list) {
  for (const Value value : list) pod_template(value);
}

std::optional<uint32_t> WorkloadParser::template_named(Value value) {
  for (uint32_t i = 0; i < spec_.templates.size(); ++i)
    if (value.is(Kind::kString) && spec_.templates[i].name == value.as_string()) return i;
  // An unknown name may belong to a template that was left out for its own fault.
  if (context_.faultless())
    context_.report(value, expected("the name of an entry of `templates`", value));
  return std::nullopt;
}

TemplateChoice WorkloadParser::choice(Fields& in) {
  TemplateChoice result;
  const auto add = [&](uint32_t index) {
    const uint64_t before = result.templates.empty() ? 0 : result.templates.back().first;
    result.templates.emplace_back(before + spec_.templates[index].weight, index);
  };
  const std::vector<Value> named = in.list("templates");
  for (const Value value : named)
    if (const std::optional<uint32_t> index = template_named(value)) add(*index);
  if (named.empty())
    for (uint32_t i = 0; i < spec_.templates.size(); ++i) add(i);
  if (result.templates.empty() && context_.faultless())
    in.missing("templates", "there is no template to make pods from");
  return result;
}

}  // namespace berth::loadgen
