#pragma once

// Pods as instances of templates. A template holds everything that scheduling reads from the pod
// itself, once for all pods that are equal in it. Labels are not part of a template, because
// otherwise every pod of a StatefulSet would need its own; they enter through the label columns
// that a hook declares.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/columns/dictionaries.h"
#include "engine/model/columns/reference_counts.h"
#include "engine/model/columns/strings.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/pod_requests.h"
#include "engine/model/pods/tolerations.h"
#include "engine/model/selectors/node_selectors.h"

namespace berth::model {

using TemplateId = uint32_t;
using LabelSetId = uint32_t;
using ControllerId = uint32_t;  // 0: no controller
using ShapeId = uint32_t;       // see pod_shapes.h; 0: not looked up yet

// Amounts by resource (string id of its name). cpu in milli-CPU, everything else in units.
using Amounts = std::vector<std::pair<StringId, int64_t>>;

// The amount of a resource; 0 if it is not listed. Precondition: sorted by id.
int64_t amount_of(const Amounts& amounts, StringId resource);

// The values of a template's columns (abi/columns.md, pod.*), computed once when it is interned.
struct PodTemplate {
  PodSpec spec;                   // without labels
  std::vector<StringId> strings;  // all that are named below, each as often as it is retained
  StringId scheduler_name = 0;
  StringId node_name = 0;  // 0: not set
  int32_t priority = 0;
  StringId preemption_policy = 0;  // 0: not set
  // See PodRequests: all resources that are named, sorted by the text of their names.
  Amounts requests, running, scoring;
  // The amounts that a pod adds to its node: cpu, memory, ephemeral storage and scalar resources of
  // `running`. Sorted by id.
  Amounts accounted;
  int64_t nonzero_milli_cpu = 0;
  int64_t nonzero_memory = 0;
  std::vector<uint64_t> ports;          // packed host ports, see abi/columns.md
  std::vector<uint32_t> images;         // codes of Images, one per container, init containers first
  std::vector<uint32_t> volume_images;  // the same, one per volume that is an image
  NodeSelectors::Handle node_selector = 0;
  NodeSelectors::Handle affinity = 0;
  // True if every term of the required affinity has a requirement metadata.name In; then the names
  // that satisfy it. A PreFilter may narrow the search to them.
  bool affinity_names_nodes = false;
  std::vector<StringId> affinity_node_names;
  std::vector<NodeSelectors::Handle> preferred;  // in step with preferred_weights
  std::vector<int64_t> preferred_weights;
  std::vector<StringId> scheduling_gates;
  std::vector<StringId> toleration_keys, toleration_operators, toleration_values,
      toleration_effects;
  TolerationSets::Handle tolerations = 0;
  // Parallel lists, one element per spread constraint.
  std::vector<StringId> spread_keys, spread_when, spread_affinity_policies, spread_taints_policies;
  std::vector<int64_t> spread_max_skew, spread_min_domains;  // minDomains is 1 if it is not set

  // Parallel lists, one element per volume that is a claim (volumes.h, claim_key). Owners: of
  // ephemeral volumes, which the pod must own; 0: none.
  std::vector<uint64_t> claims;
  std::vector<StringId> claim_owners, claim_owner_names;
  std::vector<uint64_t> disks;           // string id << 1 | read-only
  std::vector<uint64_t> inline_volumes;  // string ids of plugin << 32 | handle
  std::vector<StringId> csi_drivers;     // of volumes that the pod itself describes
  bool has_volumes() const { return !claims.empty() || !disks.empty() || !inline_volumes.empty(); }

  uint32_t affinity_terms() const {
    const auto& required = spec.affinity.node_required;
    return required ? static_cast<uint32_t>(required->terms.size()) : 0;
  }
};

// The names of a template's containers, in the order of the spec, and of its class of protection
// (qos_class.h), as strings.
struct ContainerNames {
  std::vector<StringId> containers, init_containers;
  StringId qos_class = 0;
};

// The texts of a controller as strings.
struct ControllerNames {
  StringId api_version = 0, kind = 0, name = 0, uid = 0;
};

// The tables of templates, label sets and controllers. One thread modifies them; others may read
// while nothing is modified. References that the look-ups return stay valid until collect() retires
// their id.
class PodTemplates {
 public:
  PodTemplates(Strings& strings, NodeSelectors& selectors, TolerationSets& tolerations,
               Images& images)
      : strings_(strings),
        selectors_(selectors),
        tolerations_(tolerations),
        images_(images),
        label_set_ids_(0, LabelHash{this}, SameLabels{this}) {
    retain_labels(label_set(Labels()));
    // A packed port has 16 bits for the protocol's id, so intern the existing protocols early.
    for (const char* protocol : {"TCP", "UDP", "SCTP"}) strings_.intern(protocol);
  }

  PodTemplates(const PodTemplates&) = delete;
  PodTemplates& operator=(const PodTemplates&) = delete;

  // True if requests of a whole pod follow its resize; at first they do not. Precondition: no
  // template was interned.
  void follow_resize(bool follow) {
    resize_ = follow ? PodLevelResize::kCounts : PodLevelResize::kIgnored;
  }

  // From now on container_names() has those of each template. Few plugins read them, so that until
  // then they take neither time nor memory.
  void name_containers();
  // Requires: name_containers() was called.
  const ContainerNames& container_names(TemplateId id) const { return container_names_[id]; }

  // Equal values have one id; a template does not include the labels. collect() retires an id
  // without references and uses it again, so retain an id to keep it longer. A template retains its
  // strings, selectors, tolerations and images; labels and controllers retain their strings.
  TemplateId intern(const PodSpec& spec);
  LabelSetId label_set(const StringMap& labels);  // the empty one is 0, and stays
  // The same for interned labels, sorted by key, each key once.
  LabelSetId label_set(const Labels& labels);
  ControllerId controller(const Controller& controller);  // from 1

  const PodTemplate& operator[](TemplateId id) const { return *templates_[id]; }
  const Labels& labels(LabelSetId id) const { return *label_sets_[id]; }
  const Controller& controller(ControllerId id) const { return controllers_[id - 1]->what; }
  const ControllerNames& controller_names(ControllerId id) const {
    return controllers_[id - 1]->names;
  }
  // All template ids are below this number. It does not shrink when templates are retired.
  TemplateId size() const { return static_cast<TemplateId>(templates_.size()); }
  size_t count() const { return ids_.size(); }  // templates in the table

  void retain(TemplateId id) { template_counts_.retain(id); }
  void release(TemplateId id) { template_counts_.release(id); }
  void retain_labels(LabelSetId id) { label_counts_.retain(id); }
  void release_labels(LabelSetId id) { label_counts_.release(id); }
  void retain_controller(ControllerId id) { controller_counts_.retain(id); }
  void release_controller(ControllerId id) { controller_counts_.release(id); }

  // Number of ids that `collect` would look at.
  size_t candidates() const {
    return template_counts_.candidates() + label_counts_.candidates() +
           controller_counts_.candidates();
  }
  // Retires templates, label sets and controllers without references; their ids are used again.
  // Calls retired(id) for each template before it is destroyed.
  template <typename Retired>
  void collect(Retired&& retired) {
    template_counts_.sweep([&](TemplateId id) {
      retired(id);
      retire_template(id);
    });
    label_counts_.sweep([&](LabelSetId id) { retire_labels(id); });
    controller_counts_.sweep([&](ControllerId id) { retire_controller(id); });
  }

 private:
  struct KnownController {
    Controller what;
    ControllerNames names;
  };

  PodTemplate build(const PodSpec& spec);
  // The string's id, which the template retains from now on.
  StringId keep(PodTemplate& made, std::string_view text);
  Amounts keep(PodTemplate& made, const ResourceList& list);
  uint64_t packed_port(PodTemplate& made, const ContainerPort& port);
  void add_ports(PodTemplate& made, const Container& container);
  // Calls visit(table, id) for each handle and code that a template retains.
  template <typename Visit>
  void for_each_handle(const PodTemplate& of, Visit&& visit);
  void add_names(PodTemplate& made);
  void add_volumes(PodTemplate& made);
  void add_affinity(PodTemplate& made);
  void add_spread(PodTemplate& made);
  void add_resources(PodTemplate& made);
  void add_ports_and_images(PodTemplate& made);
  void add_container_names(TemplateId id);

  void retire_template(TemplateId id);
  void retire_labels(LabelSetId id);
  void retire_controller(ControllerId id);

  Strings& strings_;
  NodeSelectors& selectors_;
  TolerationSets& tolerations_;
  PodLevelResize resize_ = PodLevelResize::kIgnored;
  Images& images_;
  std::vector<std::unique_ptr<PodTemplate>> templates_;     // by id; null: retired
  boost::unordered_flat_map<std::string, TemplateId> ids_;  // by identity
  bool names_containers_ = false;
  std::vector<ContainerNames> container_names_;  // by id, if names_containers_
  std::vector<TemplateId> free_templates_;
  ReferenceCounts template_counts_;
  std::vector<std::unique_ptr<Labels>>
      label_sets_;  // by id; null: retired. Each retains its strings
  // Ids, found by the labels themselves.
  struct LabelHash {
    using is_transparent = void;
    const PodTemplates* of;
    size_t operator()(LabelSetId id) const { return (*this)(of->labels(id)); }
    size_t operator()(const Labels& labels) const;
  };
  struct SameLabels {
    using is_transparent = void;
    const PodTemplates* of;
    bool operator()(LabelSetId a, LabelSetId b) const { return a == b; }
    bool operator()(const Labels& a, LabelSetId b) const { return a == of->labels(b); }
    bool operator()(LabelSetId a, const Labels& b) const { return of->labels(a) == b; }
  };
  boost::unordered_flat_set<LabelSetId, LabelHash, SameLabels> label_set_ids_;
  std::vector<LabelSetId> free_label_sets_;
  ReferenceCounts label_counts_;
  std::vector<std::unique_ptr<KnownController>> controllers_;  // by id - 1; null: retired
  boost::unordered_flat_map<std::string, ControllerId> controller_ids_;
  std::vector<ControllerId> free_controllers_;
  ReferenceCounts controller_counts_;
};

// The bytes of a spec without its labels. Bytes are equal if and only if the specs are.
std::string template_identity(const PodSpec& spec);

}  // namespace berth::model
