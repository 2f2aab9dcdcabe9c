// The identity of a pod template as bytes. Every list is preceded by its length and every text by
// its size, so bytes are equal if and only if specs are. A new field of PodSpec must be added here;
// the test changes each field and expects another identity.

#include <string>
#include <type_traits>

#include "engine/model/pods/pod_templates.h"

namespace berth::model {
namespace {

class Writer {
 public:
  template <typename... T>
  void put(const T&... values) {
    (one(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  requires std::is_arithmetic_v<T>
  void one(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void one(const std::string& text) {
    one(text.size());
    bytes_ += text;
  }
  void one(const Quantity& quantity) { one(quantity.to_string()); }
  template <typename A, typename B>
  void one(const std::pair<A, B>& pair) {
    put(pair.first, pair.second);
  }
  template <typename T>
  void one(const std::vector<T>& list) {
    one(list.size());
    for (const T& value : list) one(value);
  }
  template <typename T>
  void one(const std::optional<T>& value) {
    one(value.has_value());
    if (value) one(*value);
  }
  void one(const Requirement& r) { put(r.key, r.op, r.values); }
  void one(const NodeSelectorTerm& t) { put(t.match_expressions, t.match_fields); }
  void one(const NodeSelector& s) { put(s.terms); }
  void one(const PreferredSchedulingTerm& t) { put(t.weight, t.preference); }
  void one(const LabelSelector& s) { put(s.match_labels, s.match_expressions); }
  void one(const PodAffinityTerm& t) {
    put(t.label_selector, t.namespaces, t.namespace_selector, t.topology_key, t.match_label_keys,
        t.mismatch_label_keys);
  }
  void one(const WeightedPodAffinityTerm& t) { put(t.weight, t.term); }
  void one(const PodAffinity& a) { put(a.required, a.preferred); }
  void one(const Affinity& a) {
    put(a.node_required, a.node_preferred, a.has_node_preferred, a.pod_affinity,
        a.pod_anti_affinity);
  }
  void one(const TopologySpreadConstraint& c) {
    put(c.max_skew, c.topology_key, c.when_unsatisfiable, c.label_selector, c.min_domains,
        c.node_affinity_policy, c.node_taints_policy, c.match_label_keys);
  }
  void one(const Toleration& t) { put(t.key, t.op, t.value, t.effect, t.seconds); }
  void one(const ContainerPort& p) { put(p.host_ip, p.protocol, p.host_port); }
  void one(const Container& c) {
    put(c.name, c.image, c.requests, c.limits, c.ports, c.restart_always, c.restart_all);
  }
  void one(const PodVolume& v) {
    put(v.is_claim, v.ephemeral, v.claim, v.namespace_name, v.owner_name, v.owner_uid, v.disks,
        v.read_only, v.plugin, v.handle, v.csi_driver, v.image);
  }
  void one(QosClass c) { one(static_cast<uint8_t>(c)); }
  void one(const ContainerRun& r) { put(r.nanoseconds, r.exit_code); }
  void one(const ContainerStatus& s) {
    put(s.name, s.has_resources, s.requests, s.allocated_resources);
  }

  std::string bytes_;
};

}  // namespace

std::string template_identity(const PodSpec& spec) {
  Writer writer;
  writer.put(spec.scheduler_name, spec.node_name, spec.priority, spec.preemption_policy,
             spec.node_selector, spec.has_node_selector, spec.affinity, spec.tolerations,
             spec.topology_spread_constraints, spec.scheduling_gates, spec.init_containers,
             spec.containers, spec.overhead, spec.has_pod_resources, spec.pod_requests,
             spec.container_statuses, spec.resize_infeasible, spec.termination_grace_seconds,
             spec.volumes, spec.run, spec.empty_dir, spec.mirror, spec.host_user_namespace,
             spec.own_status, spec.deletion_cost, spec.qos_class, spec.os,
             spec.strict_supplemental_groups);
  return writer.take();
}

}  // namespace berth::model
