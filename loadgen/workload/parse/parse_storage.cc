// Parses `storage`, and `claims` of templates.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr uint64_t kMostClaims = 16;  // of a pod
constexpr int64_t kByte = 1000;       // amounts are in thousandths
constexpr char kDriver[] = "disk.csi.berth.dev";

struct Topology {
  std::string_view name;
  std::string_view key;  // label of the nodes that a volume reaches; empty: all nodes
};
constexpr Topology kTopologies[] = {
    {"zone", "topology.kubernetes.io/zone"}, {"node", "kubernetes.io/hostname"}, {"all", ""}};

constexpr std::string_view kClaimKinds[] = {"bound", "delayed", "immediate"};  // by ClaimKind

}  // namespace

std::optional<ClaimsSpec> WorkloadParser::claims(Fields in) {
  if (!in.present()) return std::nullopt;
  ClaimsSpec claims;
  claims.share = share_of(in.real("share", 0, 1, 1));
  claims.each = static_cast<uint32_t>(in.count("each", 1, kMostClaims, 1));
  if (const Value size = in.at("size"); !size.present()) {
    in.missing("size", "is missing: expected such as 10Gi, or a distribution");
  } else if (auto drawn = parse_distribution(size, Unit::kQuantity, context_, kByte,
                                             Distribution::kMost, kByte)) {
    claims.size = std::move(*drawn);
  }
  Fields kinds = in.object("kinds");
  for (size_t i = 0; i < std::size(kClaimKinds); ++i)
    claims.weights[i] = kinds.count(kClaimKinds[i], 0, kMostWeight, 0);
  const bool none =
      std::ranges::all_of(claims.weights, [](uint64_t weight) { return weight == 0; });
  if (!kinds.present()) {
    claims.weights[static_cast<size_t>(ClaimKind::kDelayed)] = 1;
  } else if (none && context_.faultless()) {
    context_.report(kinds.value(), fmt::format("expected a weight above 0 for one of {}",
                                               fmt::join(kClaimKinds, ", ")));
  }
  kinds.done();
  in.done();
  return claims;
}

void WorkloadParser::storage(Fields in) {
  const bool claimed = std::ranges::any_of(
      spec_.templates, [](const TemplateSpec& one) { return one.claims.has_value(); });
  if (in.present() && !claimed && context_.faultless())
    context_.report(in.value(), "no template has `claims`, which need it");
  StorageSpec storage;
  storage.driver = in.text("driver", kDriver);
  if (storage.driver.empty()) context_.report(in.at("driver"), "expected the name of a driver");
  const Value limit = in.at("perNode");
  if (limit.present())
    storage.per_node = context_.amount(limit, Unit::kCount, 0, std::numeric_limits<int32_t>::max());
  const std::string topology = in.text("topology", "zone");
  const auto* known = std::ranges::find(kTopologies, topology, &Topology::name);
  if (known == std::end(kTopologies)) {
    context_.report(in.at("topology"), expected("zone, node or all", in.at("topology")));
  } else {
    storage.topology_key = known->key;
  }
  in.done();
  if (claimed) spec_.storage = std::move(storage);
}

}  // namespace berth::loadgen
