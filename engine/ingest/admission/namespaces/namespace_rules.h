#pragma once

// The rules for pods that the annotations of their Namespace give, or else the cluster. The
// admission plugins PodNodeSelector and PodTolerationRestriction apply them; both are off by
// default. Source: k8s.io/kubernetes plugin/pkg/admission/podnodeselector and
// podtolerationrestriction. Internal to this module.

#include <optional>
#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/admission/policies/policies.h"

namespace berth::ingest {

// Reads the annotations of a Namespace. A malformed one is kept as a problem, which refuses the
// pods that need it: the namespace itself is fine.
NamespaceRules namespace_rules(document::Value object);

// Reads "key=value,key=value" into `labels`. False: `problem` says why not.
bool read_labels(std::string_view text, model::StringMap& labels, std::string& problem);

// The functions below return why the pod is refused, or nothing.

// PodNodeSelector: adds the labels of the namespace, or else of the cluster, to the pod's node
// selector.
[[nodiscard]] std::optional<std::string> add_node_selector(const NamespaceRules& rules,
                                                           const ClusterRules& cluster,
                                                           model::PodSpec& spec);
// Refuses a pod whose node selector has a label that its namespace does not allow.
[[nodiscard]] std::optional<std::string> check_node_selector(const std::string& namespace_name,
                                                             const ClusterRules& cluster,
                                                             const model::PodSpec& spec);

// PodTolerationRestriction: puts the default tolerations of the namespace, or else of the cluster,
// before the pod's, and leaves out each toleration that another one covers.
[[nodiscard]] std::optional<std::string> add_tolerations(const NamespaceRules& rules,
                                                         const ClusterRules& cluster,
                                                         model::PodSpec& spec);
// Refuses a pod with a toleration that no allowed one of the namespace, or else of the cluster,
// covers.
[[nodiscard]] std::optional<std::string> check_tolerations(const NamespaceRules& rules,
                                                           const ClusterRules& cluster,
                                                           const model::PodSpec& spec);

}  // namespace berth::ingest
