#include "loadgen/workload/parse/parse_workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/workload/fields/fields.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr int64_t kTick = 5'000'000;
constexpr int64_t kShortestTick = 1000;

bool has_text(Value value, std::string_view text) {
  return value.is(Kind::kString) && value.as_string() == text;
}

// Reports a workload that would never end.
void check_end(const WorkloadSpec& spec, Value root, FieldContext& context) {
  if (spec.duration != kNever) return;
  const bool goes_on = !spec.arrivals.empty() || !spec.failures.empty() || !spec.drains.empty() ||
                       !spec.outages.empty() || !spec.zone_outages.empty() ||
                       !spec.rolling_drains.empty() || !spec.node_labels.empty() ||
                       !spec.namespaces_come.empty() || !spec.namespace_labels.empty() ||
                       std::ranges::any_of(spec.owners, [](const OwnerSpec& owner) {
                         return owner.scale.has_value();
                       });
  const bool ends = std::ranges::any_of(spec.arrivals, &ArrivalSpec::bounded);
  if (goes_on && !ends)
    context.report(root,
                   "this workload never ends: give it a `duration`, or an arrival `pods` or "
                   "a `duration`");
}

void check_times(const WorkloadSpec& spec, Value root, FieldContext& context) {
  const auto closed =
      std::ranges::find(spec.arrivals, ArrivalKind::kClosedLoop, &ArrivalSpec::kind);
  if (spec.timed && closed != spec.arrivals.end())
    context.report(root.find("timed"), "a closed loop has no times that a stream could tell");
}

}  // namespace

document::Limits workload_limits() {
  document::Limits limits;
  limits.bytes = uint64_t{64} << 20;
  limits.alias_values = 100'000;
  limits.unique_keys = true;
  return limits;
}

bool is_workload(Value root) { return has_text(root.find("kind"), kWorkloadKind); }

std::map<std::string, std::string> workload_parameters(Value root, Diagnostics& diagnostics) {
  const std::map<std::string, std::string> none;
  FieldContext context(diagnostics, none);
  Fields in(root, context);
  std::map<std::string, std::string> parameters;
  for (const document::Member member : in.members("parameters")) {
    if (member.value.is(Kind::kNumber)) {
      parameters[std::string(member.key)] = member.value.number_text();
    } else if (member.value.is(Kind::kString) && !member.value.as_string().starts_with('$')) {
      parameters[std::string(member.key)] = member.value.as_string();
    } else {
      context.report(member.value, expected("a number, an amount or a time", member.value));
    }
  }
  return parameters;
}

std::optional<WorkloadSpec> parse_workload(Value root,
                                           const std::map<std::string, std::string>& parameters,
                                           Diagnostics& diagnostics) {
  FieldContext context(diagnostics, parameters);
  Fields in(root, context);
  WorkloadSpec spec;
  spec.file = root.place().file;
  if (!has_text(in.at("apiVersion"), kWorkloadApiVersion)) {
    const Value version = in.at("apiVersion");
    context.report(version.present() ? version : root, expected(kWorkloadApiVersion, version),
                   version.present() ? "" : "apiVersion");
  }
  in.at("kind");
  spec.name = in.name("name");
  spec.description = in.text("description");
  spec.duration = in.duration("duration", 0, kNever);
  spec.tick = in.duration("tick", kShortestTick, kTick);
  spec.timed = in.boolean("timed", false);
  WorkloadParser parser(context, spec);
  parser.cluster(in.object("cluster"));
  parser.kubelets(in.list("kubelets"));
  parser.namespaces(in.list("namespaces"));
  parser.templates(in.list("templates"));
  parser.storage(in.object("storage"));
  parser.placed(in.list("placed"));
  parser.owners(in.list("owners"));
  parser.arrivals(in.list("arrivals"));
  parser.churn(in.object("churn"));
  for (const document::Member member : in.members("parameters"))
    if (context.faultless() && !context.is_used(std::string(member.key)))
      context.report(member.key_value,
                     fmt::format("the parameter \"{}\" is used nowhere", member.key));
  in.done();
  if (context.faultless()) check_end(spec, root, context);
  if (context.faultless()) check_times(spec, root, context);
  if (!context.faultless()) return std::nullopt;
  return spec;
}

}  // namespace berth::loadgen
