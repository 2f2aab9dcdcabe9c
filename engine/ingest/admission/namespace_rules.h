#pragma once

// The rules for pods that the annotations of their Namespace give. The admission plugins
// PodNodeSelector and PodTolerationRestriction apply them; both are off by default. Source:
// k8s.io/kubernetes plugin/pkg/admission/podnodeselector and podtolerationrestriction. Internal to
// this module.

#include <optional>
#include <string>

#include "engine/document/document.h"
#include "engine/ingest/admission/policies.h"

namespace berth::ingest {

// Reads the annotations of a Namespace. A malformed one is kept as a problem, which refuses the
// pods that need it: the namespace itself is fine.
NamespaceRules namespace_rules(document::Value object);

// PodNodeSelector: adds the namespace's labels to the pod's node selector. Returns why the pod is
// refused, or nothing.
[[nodiscard]] std::optional<std::string> add_node_selector(const NamespaceRules& rules,
                                                           model::PodSpec& spec);

// PodTolerationRestriction: puts the namespace's default tolerations before the pod's, and leaves
// out each toleration that another one covers.
[[nodiscard]] std::optional<std::string> add_tolerations(const NamespaceRules& rules,
                                                         model::PodSpec& spec);
// Refuses a pod with a toleration that no allowed one of the namespace covers.
[[nodiscard]] std::optional<std::string> check_tolerations(const NamespaceRules& rules,
                                                           const model::PodSpec& spec);

}  // namespace berth::ingest
