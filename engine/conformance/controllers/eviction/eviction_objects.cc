#include "engine/conformance/controllers/eviction/eviction_objects.h"

#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"

namespace berth::conformance {
namespace {

using document::Value;
using ingest::FieldReader;

// The clock of a case starts at the beginning of 2000.
constexpr Time kStart = std::chrono::seconds(946'684'800);
// Of a pod that does not say it, in seconds.
constexpr int32_t kDefaultGrace = 30;

// Calls read(FieldReader) for the whole object. Throws the first fault.
template <typename Read>
auto read_fields(Value object, Read&& read) {
  Diagnostics diagnostics;
  ingest::Faults faults(diagnostics);
  auto result = read(ingest::object_reader(object, faults));
  if (!faults.none()) throw diagnostics.kept().front();
  return result;
}

std::optional<controllers::PodAmount> read_amount(Value amount) {
  if (!amount.set()) return std::nullopt;
  if (const auto number = amount.as_int64())
    return controllers::PodAmount{static_cast<int32_t>(*number), false};
  const std::string_view text = amount.text();
  int32_t percent = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (fault != std::errc() || std::string_view(end, text.data() + text.size() - end) != "%")
    throw Error(amount.place(), "expected a number or a percentage");
  return controllers::PodAmount{percent, true};
}

// Without a time the condition is older than everything.
Time transition_of(const FieldReader& condition) {
  const std::optional<int64_t> time = condition.time("lastTransitionTime");
  return time ? Time(*time) - kStart : -kStart;
}

std::string group_of(const std::string& api_version) {
  const size_t slash = api_version.find('/');
  return slash == std::string::npos ? std::string() : api_version.substr(0, slash);
}

std::optional<model::Controller> controller_of(const FieldReader& metadata) {
  std::optional<model::Controller> controller;
  metadata.each("ownerReferences", [&](const FieldReader& owner) {
    if (owner.boolean("controller") && !controller)
      controller = {owner.text("apiVersion"), owner.text("kind"), owner.text("name"),
                    owner.text("uid")};
  });
  return controller;
}

}  // namespace

StoredPod read_pod(Value object) {
  StoredPod pod{.object = decoded(object, ingest::decode_pod)};
  if (pod.object.terminating)
    throw Error(object.place(), "a pod of these cases terminates only if it is deleted");
  auto& grace = pod.object.spec.termination_grace_seconds;
  grace = grace.value_or(kDefaultGrace);
  if (!object.find("status").find("phase").set()) pod.object.phase = model::PodPhase::kPending;
  return read_fields(object, [&](const FieldReader& in) {
    in.object("status").each("conditions", [&](const FieldReader& condition) {
      const std::string type = condition.text("type"), status = condition.text("status");
      if (type == "Ready") pod.ready = status == "True";
      if (type == "DisruptionTarget")
        pod.disruption_target = {type, status, condition.text("reason"), condition.text("message"),
                                 transition_of(condition)};
    });
    return std::move(pod);
  });
}

controllers::BudgetSpec read_budget_spec(Value holder) {
  return read_fields(holder, [&](const FieldReader& in) {
    const Value spec = holder.find("spec");
    const FieldReader fields = in.object("spec");
    const bool always = fields.text("unhealthyPodEvictionPolicy") == "AlwaysAllow";
    return controllers::BudgetSpec{read_amount(spec.find("minAvailable")),
                                   read_amount(spec.find("maxUnavailable")),
                                   ingest::read_label_selector(fields, "selector"),
                                   always ? controllers::UnhealthyPods::kAlwaysAllow
                                          : controllers::UnhealthyPods::kIfHealthyBudget};
  });
}

controllers::Budget read_budget(Value object) {
  return read_fields(object, [&](const FieldReader& in) {
    const FieldReader metadata = in.object("metadata");
    return controllers::Budget{
        metadata.text("namespace"), metadata.text("name"), 1, read_budget_spec(object), {}};
  });
}

controllers::Workload read_workload(Value object) {
  return read_fields(object, [&](const FieldReader& in) {
    const FieldReader metadata = in.object("metadata");
    return controllers::Workload{group_of(in.text("apiVersion")),
                                 in.text("kind"),
                                 metadata.text("namespace"),
                                 metadata.text("name"),
                                 metadata.text("uid"),
                                 in.object("spec").integer32("replicas").value_or(1),
                                 controller_of(metadata)};
  });
}

controllers::EvictionRequest read_eviction(Value event, const std::string& pod, uint64_t version) {
  return read_fields(event, [&](const FieldReader& in) {
    const FieldReader options = in.object("deleteOptions");
    const FieldReader preconditions = options.object("preconditions");
    controllers::EvictionRequest request{
        .pod = pod,
        .dry_run = in.boolean("dryRun") || !options.texts("dryRun").empty(),
        .grace_seconds = options.integer("gracePeriodSeconds", INT64_MIN, INT64_MAX)};
    if (preconditions.has("uid")) request.uid = preconditions.text("uid");
    if (preconditions.has("resourceVersion")) {
      const bool current = preconditions.text("resourceVersion") == "current";
      request.resource_version = std::to_string(current ? version : version - 1);
    }
    return request;
  });
}

}  // namespace berth::conformance
