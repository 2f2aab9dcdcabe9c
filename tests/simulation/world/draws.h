#pragma once

// What a seed draws: the rates of faults, the nodes, the pods and the disruption budgets.

#include <array>
#include <cstdint>
#include <optional>

#include "engine/model/objects/objects.h"
#include "tests/properties/dice.h"
#include "tests/simulation/world/faults.h"

namespace berth::simulation {

using tests::Dice;

// Percentages. In about half of the seeds each is 0, so that faults come alone and together.
struct Rates {
  std::array<bool, kFaultPoints> chaos_at{};  // whether Chaos takes part in decisions at the point
  int plugin_errors = 0;                      // at each point of Chaos
  int plugin_refusals = 0;                    // the same
  int permit_waits = 0;
  int pre_bind_waits = 0;
  int bind_fails = 0;    // nothing is bound
  int bind_is_lost = 0;  // it is bound, and the answer is an error
  int late_answers = 0;  // to bindings: they come later, in any order, some twice and some never
  int extender_errors = 0;
  int extender_refusals = 0;
  int extender_timeouts = 0;
  int late_events = 0;       // stay undelivered while others overtake them
  int duplicate_events = 0;  // are delivered again
  int clock_jumps = 0;
  int other_schedulers = 0;  // bind a pod that is in the queue
  bool extenders = false;
  bool extenders_ignorable = false;
  bool extenders_bind = false;  // half of the pods
  int group_members = 0;        // 0: there are no groups
  int group_wait_seconds = 0;   // longer than the longest backoff
  bool former_plugins = false;  // SelectorSpread and NodePreferAvoidPods score
  int steps = 60;               // of phase one
  uint32_t nodes = 4;           // at the beginning
  uint32_t most_pods = 40;
};

// The label by whose value the plugin Coscheduling groups the pods of a namespace.
inline constexpr char kGroupLabel[] = "scheduling.x-k8s.io/pod-group";

// `history`: every third cluster is large enough for threads and for a search that ends early,
// there are more steps and pods, and every fifth configuration has the former plugins.
Rates draw_rates(Dice& dice, bool history = false);
// Rates::late_answers, with dice of its own: the rest of a seed's history is the same without.
int draw_late_answers(Dice& dice);
model::Node draw_node(Dice& dice, uint32_t number);
model::Pod draw_pod(Dice& dice, const Rates& rates);  // without names
model::DisruptionBudget draw_budget(Dice& dice);      // one of a few names
// Replaces operators that an API server would refuse.
void make_valid(std::optional<model::LabelSelector>& selector);

}  // namespace berth::simulation
