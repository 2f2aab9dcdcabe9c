#pragma once

// The parts of a workload file. parse_workload calls them in the order of declaration, because
// later parts refer to earlier ones. Internal to parse_workload.
//
// Every function adds to the WorkloadSpec and reports faults to the FieldContext. A part with
// faults is left out.

#include "loadgen/generate/names.h"
#include "loadgen/workload/fields/fields.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

inline constexpr int64_t kShortestInterval = 1000;  // nanoseconds

// Converts a share to a fraction of 2^64. 1 becomes UINT64_MAX, which callers treat as always.
uint64_t share_of(double share);

class WorkloadParser {
 public:
  WorkloadParser(FieldContext& context, WorkloadSpec& spec) : context_(context), spec_(spec) {}

  void cluster(Fields in);                         // parse_cluster.cc
  void kubelets(std::vector<document::Value> in);  // parse_usage.cc
  void namespaces(std::vector<document::Value> in);
  void churn(Fields in);
  void templates(std::vector<document::Value> in);  // parse_templates.cc
  void storage(Fields in);                          // parse_storage.cc; after the templates
  void placed(std::vector<document::Value> in);     // parse_owners.cc
  void owners(std::vector<document::Value> in);
  void arrivals(std::vector<document::Value> in);  // parse_arrivals.cc

 private:
  // parse_cluster.cc
  NodeShape node_shape(document::Value value);
  ImageSpec image(document::Value value);
  void zones(Fields& cluster);
  std::string allocatable_json(document::Value allocatable);
  std::optional<model::Node> node_parts(Fields& shape);
  void check_names_that_come(document::Value at);
  void churn_list(Fields& in, std::string_view name, bool lasting, bool labels, bool of_nodes,
                  std::vector<ChurnSpec>& to);

  // parse_templates.cc
  void pod_template(document::Value value);
  void refuse_unknown_to_engine(document::Value pod);
  void refuse_keys_of_single_pods(document::Value at, const model::PodSpec& spec);
  uint32_t namespaces_of(Fields& in, uint32_t fallback);
  std::optional<uint32_t> template_named(document::Value value);
  TemplateChoice choice(Fields& in);

  // parse_storage.cc
  std::optional<ClaimsSpec> claims(Fields in);

  // parse_usage.cc
  std::optional<UsageSpec> usage(Fields in);
  std::optional<RunsSpec> runs(Fields in);
  void check_usage(document::Value at, const TemplateChoice& templates);

  // parse_owners.cc
  void owner(document::Value value);
  void check_placed_names(document::Value at, const PlacedSpec& placed);
  void check_owner_name(document::Value at, const OwnerSpec& owner, NumberedNames& names);
  void daemon_set(document::Value at, const OwnerSpec& owner);
  void manifest(document::Value at, const OwnerSpec& owner);
  void scale(Fields in, OwnerSpec& owner);

  // parse_arrivals.cc
  void arrival(document::Value value);
  void arrival_kind(Fields& in, ArrivalSpec& spec);
  void rate(document::Value value, ArrivalSpec& spec);
  void bursts(document::Value value, ArrivalSpec& spec);
  void daily(document::Value value, ArrivalSpec& spec);
  void closed_loop(document::Value value, ArrivalSpec& spec);
  void replay(document::Value value, ArrivalSpec& spec);
  void at_once(document::Value value, ArrivalSpec& spec);

  std::optional<Distribution> distribution(Fields& in, std::string_view name, Unit unit,
                                           int64_t low, int64_t high = Distribution::kMost);

  FieldContext& context_;
  WorkloadSpec& spec_;
};

}  // namespace berth::loadgen
