// Affinity, spread and selectors as JSON.

#include "loadgen/json_writer.h"

namespace berth::loadgen {
namespace {

constexpr char kRequired[] = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr char kPreferred[] = "preferredDuringSchedulingIgnoredDuringExecution";

void requirements(JsonWriter& json, std::string_view name,
                  const std::vector<model::Requirement>& list) {
  array_if(json, name, list, [&](const model::Requirement& requirement) {
    object(json, [&] {
      member(json, "key", requirement.key);
      member(json, "operator", requirement.op);
      texts_if(json, "values", requirement.values);
    });
  });
}

void node_term(JsonWriter& json, const model::NodeSelectorTerm& term) {
  object(json, [&] {
    requirements(json, "matchExpressions", term.match_expressions);
    requirements(json, "matchFields", term.match_fields);
  });
}

void node_affinity(JsonWriter& json, const model::Affinity& affinity) {
  if (!affinity.node_required && !affinity.has_node_preferred) return;
  object(json, "nodeAffinity", [&] {
    if (affinity.node_required)
      object(json, kRequired, [&] {
        array(json, "nodeSelectorTerms", affinity.node_required->terms,
              [&](const model::NodeSelectorTerm& term) { node_term(json, term); });
      });
    if (affinity.has_node_preferred)
      array(json, kPreferred, affinity.node_preferred,
            [&](const model::PreferredSchedulingTerm& term) {
              object(json, [&] {
                number(json, "weight", term.weight);
                key(json, "preference");
                node_term(json, term.preference);
              });
            });
  });
}

void pod_term(JsonWriter& json, const model::PodAffinityTerm& term) {
  object(json, [&] {
    label_selector(json, "labelSelector", term.label_selector);
    texts_if(json, "namespaces", term.namespaces);
    label_selector(json, "namespaceSelector", term.namespace_selector);
    member(json, "topologyKey", term.topology_key);
    texts_if(json, "matchLabelKeys", term.match_label_keys);
    texts_if(json, "mismatchLabelKeys", term.mismatch_label_keys);
  });
}

void pod_affinity(JsonWriter& json, std::string_view name,
                  const std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return;
  object(json, name, [&] {
    array_if(json, kRequired, affinity->required,
             [&](const model::PodAffinityTerm& term) { pod_term(json, term); });
    array_if(json, kPreferred, affinity->preferred,
             [&](const model::WeightedPodAffinityTerm& weighted) {
               object(json, [&] {
                 number(json, "weight", weighted.weight);
                 key(json, "podAffinityTerm");
                 pod_term(json, weighted.term);
               });
             });
  });
}

}  // namespace

void label_selector(JsonWriter& json, std::string_view name,
                    const std::optional<model::LabelSelector>& selector) {
  if (!selector) return;
  object(json, name, [&] {
    if (!selector->match_labels.empty()) string_map(json, "matchLabels", selector->match_labels);
    requirements(json, "matchExpressions", selector->match_expressions);
  });
}

void affinity(JsonWriter& json, const model::Affinity& affinity) {
  if (affinity == model::Affinity()) return;
  object(json, "affinity", [&] {
    node_affinity(json, affinity);
    pod_affinity(json, "podAffinity", affinity.pod_affinity);
    pod_affinity(json, "podAntiAffinity", affinity.pod_anti_affinity);
  });
}

void spread(JsonWriter& json, const model::TopologySpreadConstraint& constraint) {
  object(json, [&] {
    number(json, "maxSkew", constraint.max_skew);
    member(json, "topologyKey", constraint.topology_key);
    member(json, "whenUnsatisfiable", constraint.when_unsatisfiable);
    label_selector(json, "labelSelector", constraint.label_selector);
    if (constraint.min_domains) number(json, "minDomains", *constraint.min_domains);
    member_if(json, "nodeAffinityPolicy", constraint.node_affinity_policy);
    member_if(json, "nodeTaintsPolicy", constraint.node_taints_policy);
    texts_if(json, "matchLabelKeys", constraint.match_label_keys);
  });
}

}  // namespace berth::loadgen
