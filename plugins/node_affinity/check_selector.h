#pragma once

// The rules of kube-scheduler for the node selectors of its configuration
// (k8s.io/component-helpers/scheduling/corev1/nodeaffinity), in its words. A pod's selectors are
// read by the host and refuse nothing but the pod.

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// Reports every error of a v1.NodeSelector, and of one v1.NodeSelectorTerm.
void check_node_selector(const sdk::Config& selector);
void check_node_selector_term(const sdk::Config& term);

}  // namespace berth::plugins
