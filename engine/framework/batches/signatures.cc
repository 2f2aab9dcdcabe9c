#include "engine/framework/batches/signatures.h"

#include <algorithm>
#include <concepts>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/objects/names.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::framework {
namespace {

// Texts and lists are preceded by their sizes, so that equal bytes are equal values.
void append_part(std::string& out, std::integral auto number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void append_part(std::string& out, std::string_view text) {
  append_part(out, text.size());
  out += text;
}

std::string sorted_list(std::vector<std::string> list) {
  std::ranges::sort(list);
  std::string out;
  append_part(out, list.size());
  for (const std::string& one : list) append_part(out, one);
  return out;
}

template <typename Values, typename Text>
std::string sorted_list_of(const Values& values, Text&& text) {
  std::vector<std::string> list;
  for (const auto& value : values) list.push_back(text(value));
  return sorted_list(std::move(list));
}

void append_labels(std::string& out, const model::Cluster& cluster, const model::PodRecord& pod) {
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  for (const auto& [key, value] : cluster.templates().labels(pod.labels))
    labels.emplace_back(cluster.text(key), cluster.text(value));
  std::ranges::sort(labels);
  append_part(out, labels.size());
  for (const auto& [key, value] : labels) {
    append_part(out, key);
    append_part(out, value);
  }
}

// An extended resource that is named counts even if it is 0, another one does not.
void append_requests(std::string& out, const model::Cluster& cluster,
                     const model::PodTemplate& of) {
  for (const auto& [resource, amount] : of.requests) {
    const std::string_view name = cluster.text(resource);
    const bool plain = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    if (plain ? amount == 0 : !model::is_scalar_resource(name)) continue;
    append_part(out, name);
    append_part(out, amount);
  }
}

// By key and value; those that are equal in both stay in their order.
void append_tolerations(std::string& out, std::vector<model::Toleration> tolerations) {
  std::ranges::stable_sort(
      tolerations, {}, [](const model::Toleration& one) { return std::tie(one.key, one.value); });
  append_part(out, tolerations.size());
  for (const model::Toleration& one : tolerations) {
    for (const std::string* text : {&one.key, &one.op, &one.value, &one.effect})
      append_part(out, std::string_view(*text));
    append_part(out, one.seconds.has_value());
    append_part(out, one.seconds.value_or(0));
  }
}

std::string requirement_text(const model::Requirement& requirement) {
  std::string out;
  append_part(out, std::string_view(requirement.key));
  append_part(out, std::string_view(requirement.op));
  return out + sorted_list(requirement.values);
}

std::string term_text(const model::NodeSelectorTerm& term) {
  return sorted_list_of(term.match_expressions, requirement_text) +
         sorted_list_of(term.match_fields, requirement_text);
}

std::string preferred_text(const model::PreferredSchedulingTerm& term) {
  std::string out;
  append_part(out, term.weight);
  return out + term_text(term.preference);
}

void append_node_selection(std::string& out, const model::PodSpec& spec) {
  append_part(out, spec.has_node_selector);
  append_part(out, spec.node_selector.size());
  for (const auto& [key, value] : spec.node_selector) {
    append_part(out, std::string_view(key));
    append_part(out, std::string_view(value));
  }
  const model::Affinity& affinity = spec.affinity;
  append_part(out, affinity.node_required || affinity.has_node_preferred);
  if (affinity.node_required) out += sorted_list_of(affinity.node_required->terms, term_text);
  out += sorted_list_of(affinity.node_preferred, preferred_text);
}

// Calls visit(container) for those that run and those that initialise.
template <typename Visit>
void for_each_container(const model::PodSpec& spec, Visit&& visit) {
  for (const model::Container& container : spec.containers) visit(container);
  for (const model::Container& container : spec.init_containers) visit(container);
}

void append_host_ports(std::string& out, const model::PodSpec& spec) {
  std::set<int32_t> numbers;
  for_each_container(spec, [&](const model::Container& container) {
    for (const model::ContainerPort& port : container.ports)
      if (port.host_port != 0) numbers.insert(port.host_port);
  });
  append_part(out, numbers.size());
  for (const int32_t number : numbers) append_part(out, number);
}

// An image without a tag has the tag "latest".
std::string with_tag(const std::string& image) {
  const size_t colon = image.rfind(':'), slash = image.rfind('/');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

void append_images(std::string& out, const model::PodSpec& spec) {
  std::set<std::string> images;
  for_each_container(
      spec, [&](const model::Container& container) { images.insert(with_tag(container.image)); });
  append_part(out, images.size());
  for (const std::string& image : images) append_part(out, std::string_view(image));
}

// Its source alone: an ephemeral volume is no claim of the pod yet.
std::string volume_text(const model::PodVolume& volume) {
  std::string out;
  for (const bool flag : {volume.is_claim, volume.ephemeral, volume.read_only})
    append_part(out, flag);
  append_part(out, volume.disks.size());
  for (const std::string& disk : volume.disks) append_part(out, std::string_view(disk));
  for (const std::string* text :
       {&volume.claim, &volume.plugin, &volume.handle, &volume.csi_driver})
    append_part(out, std::string_view(*text));
  return out;
}

}  // namespace

PodSignatures::PodSignatures(model::Cluster& cluster, const host::Signing& by)
    : cluster_(cluster), parts_(by.parts), without_(by.without) {
  for (const std::string& id : by.columns) columns_.push_back(cluster.find_column(id));
  std::ranges::sort(columns_);
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

bool PodSignatures::compares(const model::PodSpec& spec) const {
  if ((without_ & BERTH_PART_POD_AFFINITY) != 0 &&
      (spec.affinity.pod_affinity || spec.affinity.pod_anti_affinity))
    return false;
  return (without_ & BERTH_PART_SPREAD_CONSTRAINTS) == 0 ||
         spec.topology_spread_constraints.empty();
}

std::optional<std::string> PodSignatures::of(const model::PodRecord& pod) {
  const model::PodTemplate& of = std::as_const(cluster_).templates()[pod.pod_template];
  const model::PodSpec& spec = of.spec;
  if (!compares(spec)) return std::nullopt;
  std::string out;
  const auto has = [&](uint64_t part) { return (parts_ & part) != 0; };
  if (has(BERTH_PART_LABELS)) append_labels(out, cluster_, pod);
  if (has(BERTH_PART_TOLERATIONS)) append_tolerations(out, spec.tolerations);
  if (has(BERTH_PART_NODE_SELECTION)) append_node_selection(out, spec);
  if (has(BERTH_PART_NODE_NAME)) append_part(out, std::string_view(spec.node_name));
  if (has(BERTH_PART_HOST_PORTS)) append_host_ports(out, spec);
  if (has(BERTH_PART_IMAGES)) append_images(out, spec);
  if (has(BERTH_PART_VOLUMES)) {
    append_part(out, spec.empty_dir);
    out += sorted_list_of(spec.volumes, volume_text);
  }
  for (const model::ColumnId column : columns_)
    append_identity(cluster_.catalog().info(column), cluster_, pod, out);
  if (has(BERTH_PART_REQUESTS)) append_requests(out, cluster_, of);
  return out;
}

}  // namespace berth::framework
