// Writes affinity, spread constraints and selectors as JSON.

#include "engine/ingest/objects/fields/affinity_fields.h"
#include "engine/ingest/written/json_parts.h"

namespace berth::ingest {
namespace {

void requirements(JsonWriter& json, std::string_view name,
                  const std::vector<model::Requirement>& list) {
  json.array_if(name, list, [&](const model::Requirement& requirement) {
    json.object([&] {
      json.member("key", requirement.key);
      json.member("operator", requirement.op);
      json.texts_if("values", requirement.values);
    });
  });
}

void node_term(JsonWriter& json, const model::NodeSelectorTerm& term) {
  json.object([&] {
    requirements(json, "matchExpressions", term.match_expressions);
    requirements(json, "matchFields", term.match_fields);
  });
}

void node_affinity(JsonWriter& json, const model::Affinity& affinity) {
  if (!affinity.node_required && !affinity.has_node_preferred) return;
  json.object("nodeAffinity", [&] {
    if (affinity.node_required)
      json.object(kRequiredTerms, [&] {
        json.array("nodeSelectorTerms", affinity.node_required->terms,
                   [&](const model::NodeSelectorTerm& term) { node_term(json, term); });
      });
    if (affinity.has_node_preferred)
      json.array(kPreferredTerms, affinity.node_preferred,
                 [&](const model::PreferredSchedulingTerm& term) {
                   json.object([&] {
                     json.member("weight", term.weight);
                     json.key("preference");
                     node_term(json, term.preference);
                   });
                 });
  });
}

void pod_term(JsonWriter& json, const model::PodAffinityTerm& term) {
  json.object([&] {
    label_selector(json, "labelSelector", term.label_selector);
    json.texts_if("namespaces", term.namespaces);
    label_selector(json, "namespaceSelector", term.namespace_selector);
    json.member("topologyKey", term.topology_key);
    json.texts_if("matchLabelKeys", term.match_label_keys);
    json.texts_if("mismatchLabelKeys", term.mismatch_label_keys);
  });
}

void pod_affinity(JsonWriter& json, std::string_view name,
                  const std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return;
  json.object(name, [&] {
    json.array_if(kRequiredTerms, affinity->required,
                  [&](const model::PodAffinityTerm& term) { pod_term(json, term); });
    json.array_if(kPreferredTerms, affinity->preferred,
                  [&](const model::WeightedPodAffinityTerm& weighted) {
                    json.object([&] {
                      json.member("weight", weighted.weight);
                      json.key("podAffinityTerm");
                      pod_term(json, weighted.term);
                    });
                  });
  });
}

}  // namespace

void label_selector(JsonWriter& json, std::string_view name,
                    const std::optional<model::LabelSelector>& selector) {
  if (!selector) return;
  json.object(name, [&] {
    if (!selector->match_labels.empty()) string_map(json, "matchLabels", selector->match_labels);
    requirements(json, "matchExpressions", selector->match_expressions);
  });
}

void affinity(JsonWriter& json, const model::Affinity& affinity) {
  if (affinity == model::Affinity()) return;
  json.object("affinity", [&] {
    node_affinity(json, affinity);
    pod_affinity(json, "podAffinity", affinity.pod_affinity);
    pod_affinity(json, "podAntiAffinity", affinity.pod_anti_affinity);
  });
}

void spread(JsonWriter& json, const model::TopologySpreadConstraint& constraint) {
  json.object([&] {
    json.member("maxSkew", constraint.max_skew);
    json.member("topologyKey", constraint.topology_key);
    json.member("whenUnsatisfiable", constraint.when_unsatisfiable);
    label_selector(json, "labelSelector", constraint.label_selector);
    if (constraint.min_domains) json.member("minDomains", *constraint.min_domains);
    json.member_if("nodeAffinityPolicy", constraint.node_affinity_policy);
    json.member_if("nodeTaintsPolicy", constraint.node_taints_policy);
    json.texts_if("matchLabelKeys", constraint.match_label_keys);
  });
}

}  // namespace berth::ingest
