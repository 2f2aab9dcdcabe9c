#include "engine/model/pods/pod_templates.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "engine/model/objects/names.h"
#include "engine/model/objects/qos_class.h"

namespace berth::model {
namespace {

constexpr char kEveryAddress[] = "0.0.0.0";
constexpr char kDefaultProtocol[] = "TCP";

bool counts_for_pods(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         is_scalar_resource(resource);
}

// The nodes that a term names by metadata.name. nullopt: it names none, so all nodes are eligible.
std::optional<std::set<std::string>> named_nodes(const NodeSelectorTerm& term) {
  std::optional<std::set<std::string>> names;
  for (const Requirement& field : term.match_fields) {
    if (field.key != kNodeNameField || field.op != "In") continue;
    std::set<std::string> named(field.values.begin(), field.values.end());
    if (names)
      std::erase_if(*names, [&](const std::string& name) { return !named.contains(name); });
    if (!names) names = std::move(named);
  }
  return names;
}

}  // namespace

int64_t amount_of(const Amounts& amounts, StringId resource) {
  const auto at = std::lower_bound(amounts.begin(), amounts.end(), resource,
                                   [](const auto& one, StringId id) { return one.first < id; });
  return at != amounts.end() && at->first == resource ? at->second : 0;
}

TemplateId PodTemplates::intern(const PodSpec& spec) {
  const TemplateId next = free_templates_.empty() ? size() : free_templates_.back();
  auto [at, fresh] = ids_.try_emplace(template_identity(spec), next);
  if (!fresh) return at->second;
  if (free_templates_.empty()) {
    templates_.emplace_back();
  } else {
    free_templates_.pop_back();
  }
  templates_[next] = std::make_unique<PodTemplate>(build(spec));
  template_counts_.add(next);
  if (names_containers_) add_container_names(next);
  return next;
}

void PodTemplates::name_containers() {
  if (std::exchange(names_containers_, true)) return;
  for (TemplateId id = 0; id < size(); ++id)
    if (templates_[id] != nullptr) add_container_names(id);
}

void PodTemplates::add_container_names(TemplateId id) {
  if (id >= container_names_.size()) container_names_.resize(size());
  PodTemplate& of = *templates_[id];
  ContainerNames& names = container_names_[id];
  for (const Container& one : of.spec.containers) names.containers.push_back(keep(of, one.name));
  for (const Container& one : of.spec.init_containers)
    names.init_containers.push_back(keep(of, one.name));
  names.qos_class = keep(of, qos_class_name(model::qos_class(of.spec)));
}

template <typename Visit>
void PodTemplates::for_each_handle(const PodTemplate& of, Visit&& visit) {
  for (const NodeSelectors::Handle selector : {of.node_selector, of.affinity})
    if (selector != 0) visit(selectors_, selector);
  for (const NodeSelectors::Handle selector : of.preferred) visit(selectors_, selector);
  visit(tolerations_, of.tolerations);
  for (const uint32_t image : of.images) visit(images_, image);
  for (const uint32_t image : of.volume_images) visit(images_, image);
}

void PodTemplates::retire_template(TemplateId id) {
  BERTH_ASSERT(templates_[id] != nullptr);
  const PodTemplate& gone = *templates_[id];
  for (const StringId string : gone.strings) strings_.release(string);
  for_each_handle(gone, [](auto& table, uint32_t handle) { table.release(handle); });
  ids_.erase(template_identity(gone.spec));
  templates_[id].reset();
  if (names_containers_) container_names_[id] = {};
  free_templates_.push_back(id);
}

PodTemplate PodTemplates::build(const PodSpec& spec) {
  PodTemplate made;
  made.spec = spec;
  made.spec.labels.clear();
  made.scheduler_name = keep(made, spec.scheduler_name);
  if (!spec.node_name.empty()) made.node_name = keep(made, spec.node_name);
  made.priority = spec.priority.value_or(0);
  add_names(made);
  add_affinity(made);
  add_spread(made);
  add_resources(made);
  add_ports_and_images(made);
  add_volumes(made);
  for_each_handle(made, [](auto& table, uint32_t handle) { table.retain(handle); });
  return made;
}

StringId PodTemplates::keep(PodTemplate& made, std::string_view text) {
  const StringId id = strings_.intern_counted(text);
  strings_.retain(id);
  made.strings.push_back(id);
  return id;
}

Amounts PodTemplates::keep(PodTemplate& made, const ResourceList& list) {
  Amounts amounts;
  for (const auto& [name, quantity] : list)
    amounts.emplace_back(keep(made, name), resource_amount(name, quantity));
  return amounts;
}

void PodTemplates::add_names(PodTemplate& made) {
  auto present = [&](const std::string& text) { return text.empty() ? 0 : keep(made, text); };
  made.preemption_policy = present(made.spec.preemption_policy);
  for (const std::string& gate : made.spec.scheduling_gates)
    made.scheduling_gates.push_back(keep(made, gate));
  for (const Toleration& toleration : made.spec.tolerations) {
    made.toleration_keys.push_back(present(toleration.key));
    made.toleration_operators.push_back(present(toleration.op));
    // The value is compared with a taint's value, which can be empty too, so it needs an id.
    made.toleration_values.push_back(keep(made, toleration.value));
    made.toleration_effects.push_back(present(toleration.effect));
  }
  made.tolerations = tolerations_.of(made.spec.tolerations);
}

void PodTemplates::add_volumes(PodTemplate& made) {
  auto present = [&](const std::string& text) { return text.empty() ? 0 : keep(made, text); };
  const auto pair = [](uint64_t high, uint64_t low) { return high << 32 | low; };
  for (const PodVolume& volume : made.spec.volumes) {
    if (volume.is_claim) {
      const uint64_t in = keep(made, volume.namespace_name);
      made.claims.push_back(pair(in, keep(made, volume.claim)));
      made.claim_owners.push_back(volume.ephemeral ? keep(made, volume.owner_uid) : 0);
      made.claim_owner_names.push_back(present(volume.owner_name));
    }
    for (const std::string& disk : volume.disks)
      made.disks.push_back(uint64_t{keep(made, disk)} << 1 | uint64_t{volume.read_only});
    if (!volume.plugin.empty()) {
      const uint64_t plugin = keep(made, volume.plugin);
      made.inline_volumes.push_back(pair(plugin, keep(made, volume.handle)));
    }
    if (!volume.csi_driver.empty()) made.csi_drivers.push_back(keep(made, volume.csi_driver));
  }
}

void PodTemplates::add_spread(PodTemplate& made) {
  auto present = [&](const std::string& text) { return text.empty() ? 0 : keep(made, text); };
  for (const TopologySpreadConstraint& one : made.spec.topology_spread_constraints) {
    made.spread_keys.push_back(keep(made, one.topology_key));
    made.spread_when.push_back(present(one.when_unsatisfiable));
    made.spread_affinity_policies.push_back(present(one.node_affinity_policy));
    made.spread_taints_policies.push_back(present(one.node_taints_policy));
    made.spread_max_skew.push_back(one.max_skew);
    // The API itself says that a constraint without minDomains behaves as with 1, so a value for
    // "not set" would tell plugins nothing more.
    made.spread_min_domains.push_back(one.min_domains.value_or(1));
  }
}

void PodTemplates::add_affinity(PodTemplate& made) {
  const PodSpec& spec = made.spec;
  made.node_selector = selectors_.of_map(spec.node_selector);
  if (spec.affinity.node_required) {
    const NodeSelector& required = *spec.affinity.node_required;
    made.affinity = selectors_.of_selector(required);
    made.affinity_names_nodes = !required.terms.empty();
    std::set<std::string> names;
    for (const NodeSelectorTerm& term : required.terms) {
      auto named = named_nodes(term);
      made.affinity_names_nodes = made.affinity_names_nodes && named.has_value();
      if (named) names.merge(*named);
    }
    if (made.affinity_names_nodes)
      for (const std::string& name : names) made.affinity_node_names.push_back(keep(made, name));
  }
  const auto& preferred = spec.affinity.node_preferred;
  for (size_t i = 0; i < preferred.size(); ++i) {
    const NodeSelectorTerm& term = preferred[i].preference;
    bool empty = term.match_expressions.empty() && term.match_fields.empty();
    if (preferred[i].weight == 0 || empty) continue;
    made.preferred.push_back(selectors_.of_term(term, "[" + std::to_string(i) + "]"));
    made.preferred_weights.push_back(preferred[i].weight);
  }
}

void PodTemplates::add_resources(PodTemplate& made) {
  PodRequests requests = pod_requests(made.spec, resize_);
  made.requests = keep(made, requests.requests);
  made.running = keep(made, requests.running);
  made.scoring = keep(made, requests.scoring);
  for (const auto& [resource, amount] : made.running)
    if (counts_for_pods(strings_.text(resource))) made.accounted.emplace_back(resource, amount);
  std::sort(made.accounted.begin(), made.accounted.end());
  made.nonzero_milli_cpu = requests.nonzero_milli_cpu;
  made.nonzero_memory = requests.nonzero_memory;
}

uint64_t PodTemplates::packed_port(PodTemplate& made, const ContainerPort& port) {
  const uint64_t address = keep(made, port.host_ip.empty() ? kEveryAddress : port.host_ip);
  const uint64_t protocol = keep(made, port.protocol.empty() ? kDefaultProtocol : port.protocol);
  return address << 32 | (protocol & 0xffff) << 16 | static_cast<uint16_t>(port.host_port);
}

void PodTemplates::add_ports(PodTemplate& made, const Container& container) {
  for (const ContainerPort& port : container.ports)
    if (port.host_port > 0) made.ports.push_back(packed_port(made, port));
}

void PodTemplates::add_ports_and_images(PodTemplate& made) {
  for (const Container& container : made.spec.init_containers)
    if (container.restart_always) add_ports(made, container);
  for (const Container& container : made.spec.containers) add_ports(made, container);
  // Codes of images must be equal where the names mean one image to a container runtime, whose rule
  // the tag is. Plugins see codes and could not complete the names.
  for (const auto* containers : {&made.spec.init_containers, &made.spec.containers})
    for (const Container& container : *containers)
      made.images.push_back(images_.code(normalised_image(container.image)));
  for (const PodVolume& volume : made.spec.volumes)
    if (!volume.image.empty())
      made.volume_images.push_back(images_.code(normalised_image(volume.image)));
}

namespace {

std::string identity_of(const Controller& controller) {
  std::string identity;
  for (const std::string* part :
       {&controller.api_version, &controller.kind, &controller.name, &controller.uid})
    identity += std::to_string(part->size()) + ':' + *part;
  return identity;
}

}  // namespace

LabelSetId PodTemplates::label_set(const StringMap& labels) {
  return label_set(intern_labels(strings_, labels));
}

LabelSetId PodTemplates::label_set(const Labels& set) {
  if (const auto known = label_set_ids_.find(set); known != label_set_ids_.end()) return *known;
  auto next = static_cast<LabelSetId>(label_sets_.size());
  if (free_label_sets_.empty()) {
    label_sets_.emplace_back();
  } else {
    next = free_label_sets_.back();
    free_label_sets_.pop_back();
  }
  model::retain(strings_, set);
  label_sets_[next] = std::make_unique<Labels>(set);
  label_set_ids_.insert(next);
  label_counts_.add(next);
  return next;
}

size_t PodTemplates::LabelHash::operator()(const Labels& labels) const {
  uint64_t hash = labels.size();
  for (const auto& [key, value] : labels) hash = mix(hash ^ (uint64_t{key} << 32 | value));
  return hash;
}

void PodTemplates::retire_labels(LabelSetId id) {
  BERTH_ASSERT(id != 0 && label_sets_[id] != nullptr);
  model::release(strings_, *label_sets_[id]);
  label_set_ids_.erase(id);
  label_sets_[id].reset();
  free_label_sets_.push_back(id);
}

ControllerId PodTemplates::controller(const Controller& controller) {
  const auto next = free_controllers_.empty() ? static_cast<ControllerId>(controllers_.size() + 1)
                                              : free_controllers_.back();
  auto [at, fresh] = controller_ids_.try_emplace(identity_of(controller), next);
  if (!fresh) return at->second;
  if (free_controllers_.empty()) {
    controllers_.emplace_back();
  } else {
    free_controllers_.pop_back();
  }
  const auto keep = [&](const std::string& text) {
    const StringId id = strings_.intern_counted(text);
    strings_.retain(id);
    return id;
  };
  const ControllerNames names = {keep(controller.api_version), keep(controller.kind),
                                 keep(controller.name), keep(controller.uid)};
  controllers_[next - 1] = std::make_unique<KnownController>(KnownController{controller, names});
  controller_counts_.add(next);
  return next;
}

void PodTemplates::retire_controller(ControllerId id) {
  BERTH_ASSERT(controllers_[id - 1] != nullptr);
  const auto& [what, names] = *controllers_[id - 1];
  for (const StringId string : {names.api_version, names.kind, names.name, names.uid})
    strings_.release(string);
  controller_ids_.erase(identity_of(what));
  controllers_[id - 1].reset();
  free_controllers_.push_back(id);
}

}  // namespace berth::model
