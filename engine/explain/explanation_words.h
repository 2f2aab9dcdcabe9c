#pragma once

// The phrases of an explanation that its text and its page share. They have texts from outside as
// they came: whoever shows them makes them printable.

#include <string>
#include <string_view>

#include "engine/explain/explanation.h"

namespace berth::explain {

// "scheduled on n1", "unschedulable, nominated to n2", "gated by Gates".
std::string outcome_text(const Explanation& explanation);
// The reason for the node, or the text of the event; may be empty.
std::string why_text(const Explanation& explanation);
// Of a node that is feasible: "won", "feasible", "feasible, not searched".
std::string feasible_text(const Explanation::Node& node);
// Of a node that is not: "would fit: 500m more allocatable cpu", or that no change is known.
std::string change_text(const Explanation::Node& node);
// The reasons of a refusal, and how it counts.
std::string refusal_text(const Explanation::Filter& filter);
// Plugins that were not asked, with their points; empty: none.
std::string not_asked_text(const Explanation& explanation);
// "Labels (Unschedulable): node(s) didn't match".
std::string pre_filter_text(const Explanation::PreFilter& told);
// "Preemption nominates node n1 and evicts 2 pods". Requires: a plugin nominates the pod.
std::string nomination_text(const Explanation::PostFilter& told);
inline constexpr std::string_view kDrawnText =
    "Among nodes that are as good, this takes the first by name; a run draws, unless "
    "--tie-break=name";
// True if events bring another try of the pod.
bool waits_for_events(const Explanation& explanation);
// "Node/Add (each), Pod/Delete", or "no event".
std::string events_text(const Explanation::Waker& waker);
inline constexpr std::string_view kNotWokenText =
    "No plugin refused the pod: it is tried again after its backoff.";

}  // namespace berth::explain
