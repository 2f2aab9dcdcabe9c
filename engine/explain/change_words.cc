#include "engine/explain/change_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/numbers/row_numbers.h"
#include "engine/host/calls/numbers.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::explain {
namespace {

constexpr uint64_t kProtocolBits = 0xffff;

// The unit of a resource's amounts, as abi/columns.md has them.
uint32_t unit_of(std::string_view resource) {
  if (resource == "cpu") return BERTH_UNIT_MILLI_CPU;
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return bytes ? BERTH_UNIT_BYTES : BERTH_UNIT_ONE;
}

std::string quantity(std::string_view resource, int64_t amount) {
  return amount_words(amount, unit_of(resource));
}

// The difference of any two int64, which wraps.
int64_t amount_between(int64_t from, int64_t to) {
  return static_cast<int64_t>(static_cast<uint64_t>(to) - static_cast<uint64_t>(from));
}

std::string more_words(std::string_view resource, const NodeChange& change) {
  const int64_t difference = amount_between(change.from, change.to);
  if (resource == "pods")
    return fmt::format("{} more pod slot{}{}", difference, difference == 1 ? "" : "s",
                       change.or_freed ? ", or as many pods fewer" : "");
  return fmt::format("{} more allocatable {}{}", quantity(resource, difference), resource,
                     change.or_freed ? ", or as much freed" : "");
}

std::string taint_words(const std::vector<model::Taint>& taints) {
  std::string text = taints.size() == 1 ? "remove taint " : "remove taints ";
  for (const model::Taint& taint : taints)
    text += fmt::format("{}{}{}{}:{}", &taint == &taints.front() ? "" : ", ", taint.key,
                        taint.value.empty() ? "" : "=", taint.value, taint.effect);
  return text;
}

// A packed port has 16 bits for the protocol's string id. They suffice, because protocols are among
// the first strings that the model interns.
std::string port_words(const model::Cluster& cluster, const std::vector<uint64_t>& ports) {
  std::string text = ports.size() == 1 ? "free host port " : "free host ports ";
  for (const uint64_t& port : ports)
    text += fmt::format("{}{}:{}:{}", &port == &ports.front() ? "" : ", ",
                        cluster.text(static_cast<model::StringId>(port >> 32)),
                        cluster.text(static_cast<model::StringId>(port >> 16 & kProtocolBits)),
                        port & 0xffff);
  return text;
}

// Pods of other nodes than the row's with their nodes.
std::string removal_words(const model::Cluster& cluster, model::Row row,
                          const std::vector<model::PodId>& pods) {
  constexpr size_t kNamed = 3;
  std::string text = pods.size() == 1 ? "remove pod " : "remove pods ";
  for (size_t i = 0; i < std::min(pods.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + model::full_name(cluster, pods[i]);
    const model::Slot slot = cluster.pod(pods[i]).slot;
    if (slot != cluster.nodes().slot_of(row))
      text += fmt::format(" of {}", cluster.nodes().name(slot));
  }
  if (pods.size() > kNamed) text += fmt::format(" and {} more", pods.size() - kNamed);
  return text;
}

// A query by node has no key. A node without the label gets it by another change.
std::string match_in_domain_words(const model::Cluster& cluster, model::Row row,
                                  model::QueryId query) {
  const model::CountQuery& of = cluster.counts()[query];
  std::string terms;
  for (const model::TermId term : cluster.counts().terms(query))
    terms += (terms.empty() ? "" : " and ") + words(cluster, term);
  const model::NodeTable& nodes = cluster.nodes();
  const model::StringId value = model::label_value(nodes.node(nodes.slot_of(row)).labels, of.key);
  std::string where = "on the node";
  if (of.key != 0) where = fmt::format("in its {}", cluster.text(of.key));
  if (value != 0) where = fmt::format("in {}={}", cluster.text(of.key), cluster.text(value));
  if (of.resource == 0) return fmt::format("a pod that matches {}, {}", terms, where);
  return fmt::format("{} requested by pods that match {}, {}", cluster.text(of.resource), terms,
                     where);
}

std::string term_words(const model::NodeSelectorTerm& term) {
  std::string text;
  for (const auto* list : {&term.match_expressions, &term.match_fields})
    for (const model::Requirement& one : *list) {
      text += fmt::format("{}{} {}", text.empty() ? "" : " and ", one.key, one.op);
      if (!one.values.empty()) text += fmt::format(" [{}]", fmt::join(one.values, " "));
    }
  return text;
}

std::string match_words(const model::Cluster& cluster, const model::PodRecord& pod, model::Row row,
                        uint32_t selector) {
  const model::PodTemplate& t = cluster.templates()[pod.pod_template];
  if (selector == t.node_selector) {
    const model::NodeTable& nodes = cluster.nodes();
    std::vector<std::string> missing;
    for (const auto& [key, value] : t.spec.node_selector) {
      model::StringId now =
          model::label_value(nodes.node(nodes.slot_of(row)).labels, cluster.strings().find(key));
      if (now == 0 || cluster.text(now) != value) missing.push_back(key + "=" + value);
    }
    return fmt::format("labels that match the pod's nodeSelector: {}", fmt::join(missing, ", "));
  }
  if (selector == t.affinity && t.spec.affinity.node_required) {
    std::string terms;
    for (const model::NodeSelectorTerm& term : t.spec.affinity.node_required->terms)
      terms += (terms.empty() ? "" : ", or ") + term_words(term);
    return "labels that match the pod's required node affinity: " + terms;
  }
  return fmt::format(
      "labels that match the node affinity {}that the scheduler's configuration adds",
      t.has_volumes() ? "of a volume of the pod, or " : "");
}

}  // namespace

std::string words(const model::Cluster& cluster, const model::Catalog& catalog,
                  const model::PodRecord& pod, model::Row row, const NodeChange& change) {
  const model::ColumnInfo& info = catalog.info(change.column);
  std::string_view key = cluster.text(info.key);
  switch (info.attribute) {
    case model::Attribute::kNodeAllocatable:
      return more_words(key, change);
    case model::Attribute::kNodePods:
      if (!change.pods.empty()) return removal_words(cluster, row, change.pods);
      return fmt::format("{} fewer pods", change.from - change.to);
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested:
      return fmt::format("{} less {} requested", quantity(key, change.from - change.to), key);
    case model::Attribute::kNodeUnschedulable:
      return "uncordon the node";
    case model::Attribute::kNodeTaints:
      return taint_words(change.taints);
    case model::Attribute::kNodePorts:
      return port_words(cluster, change.ports);
    case model::Attribute::kNodeMatches:
      return match_words(cluster, pod, row, info.number);
    case model::Attribute::kNodeCount:
      return match_in_domain_words(cluster, row, info.number);
    case model::Attribute::kNodeLabel:
      if (change.to == 0) return fmt::format("remove label {}", key);
      return fmt::format("label {}={}", key, cluster.text(static_cast<model::StringId>(change.to)));
    default:
      return fmt::format("{} = {}", info.id, change.to);
  }
}

// Bytes have the largest binary suffix that loses nothing.
std::string amount_words(int64_t amount, uint32_t unit) {
  if (unit == BERTH_UNIT_MILLI_CPU) return model::Quantity::from_milli(amount).to_string();
  if (unit != BERTH_UNIT_BYTES) return std::to_string(amount);
  const char* suffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  size_t suffix = 0;
  while (amount != 0 && amount % 1024 == 0 && suffix + 1 < std::size(suffixes)) {
    amount /= 1024;
    ++suffix;
  }
  return std::to_string(amount) + suffixes[suffix];
}

std::optional<int64_t> missing(const model::Catalog& catalog, const NodeChange& change) {
  switch (catalog.info(change.column).attribute) {
    case model::Attribute::kNodeAllocatable:
      return amount_between(change.from, change.to);
    case model::Attribute::kNodePods:
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested:
      return amount_between(change.to, change.from);
    default:
      return std::nullopt;
  }
}

}  // namespace berth::explain
