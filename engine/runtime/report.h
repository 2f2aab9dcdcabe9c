#pragma once

// The events that the core tells its caller. One value for each step in a pod's life; texts and
// decisions that a report points to are valid during the call that delivers it.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/events/event.h"
#include "engine/framework/decision/decide.h"
#include "engine/runtime/clock.h"
#include "engine/runtime/turned_away.h"

namespace berth::events {
struct Event;
}

namespace berth::runtime {

// Pods arrive together, in this order; a pod that no profile served may arrive again when it is
// updated. Reports about them follow. Pods that came with them and are not scheduled (TurnedAway)
// were reported before.
struct Arrived {
  std::span<const model::PodId> pods;
};

// No profile has the pod's scheduler name. The pod is not tried.
struct Ignored {
  model::PodId pod;
  std::string message;
};

// A PreEnqueue plugin keeps the pod out of the queue.
struct Gated {
  model::PodId pod;
  std::string plugin;
  std::string message;
  bool failed = false;  // by an error, which the message is about
};

// A node was chosen, and Reserve and Permit plugins are asked next: Scheduled, Refused or Failed
// follows. Details of the decision can be read now, and not later. Not told where no such plugin
// is asked.
struct Chosen {
  model::PodId pod;
  const framework::Decision* choice;  // not null; not decision_of(), which tells the last word
};

// The pod was decided. With SchedulerOptions::assume it counts on its node from now on.
struct Scheduled {
  model::PodId pod;
  std::string_view node;
  const framework::Decision* decision;  // not null
};

// The pod is being deleted: it leaves the queue without a try.
struct Skipped {
  model::PodId pod;
};

// A Permit plugin holds the pod on its node; its Scheduled came before.
struct PermitWaiting {
  model::PodId pod;
  std::string_view node;
};

// The pod is nominated to the node (empty: to none any more); its Refused or Failed came before.
struct Nominated {
  model::PodId pod;
  std::string_view node;
};

// The pod waits on the node, or something has to be done before it is bound there, and its status
// tells: nominatedNodeName. It counts on the node, and nowhere as nominated.
struct Announced {
  model::PodId pod;
  std::string_view node;
};

// The pod has to leave its node for the sake of another, whose Refused came before.
struct Evicted {
  model::PodId pod;
  model::PodId preemptor;
};

// The pod waits in Permit or PreBind, and has to leave its node for the sake of another, whose
// Refused came before. It is not deleted: it is tried again.
struct PermitPreempted {
  model::PodId pod;
  model::PodId preemptor;
  bool failed = false;  // its binding cycle ends with an error; else it is refused
};

// A controller, a kubelet or the API server evicts the pod, for this reason and with this message.
// Its end comes later.
struct Disrupted {
  model::PodId pod;
  std::string_view reason, message;
  // The cause that it goes back to, for people: "drain of node n1"; may be empty.
  std::string_view cause{};
  // It was being deleted before: an eviction that is counted, or what somebody wanted.
  bool terminates_already = false;
  // Its condition DisruptionTarget becomes True. Not for a pod that its kubelet refuses.
  bool has_condition = true;
};

// A controller or a kubelet records an event.
struct Recorded {
  const events::Event* event;  // not null
};

// The containers of a bound pod ended by themselves: its phase is Succeeded or, with another code
// than 0, Failed. Deleted follows.
struct Finished {
  model::PodId pod;
  int32_t exit_code;
};

// No node takes the pod, or Reserve or Permit refused it. `decision->message` is the event's text.
struct Refused {
  model::PodId pod;
  const framework::Decision* decision;  // not null
};

// A plugin failed, which says nothing about nodes. `decision->message` is the text.
struct Failed {
  model::PodId pod;
  const framework::Decision* decision;  // not null
};

// The binding cycle of a scheduled pod ended. Reports of one batch are in the order of the
// decisions, between a BindingBegins and a BindingEnds; that of a pod which leaves while a PreBind
// plugin waits stands alone.
struct Bound {
  model::PodId pod;
  std::string_view node;
  std::string_view extender{};  // that bound it; empty: a Bind plugin did
  uint32_t attempts = 0;        // decisions made about the pod
  // When the pod was active in the queue for the first time; nothing: the queue does not know it.
  std::optional<Time> queued_at{};
  bool timed_out = false;  // no event, but the time that it waited brought its last attempt
};
// A PreBind plugin waits for something; the pod stays on its node, and its binding cycle goes on
// later. Reported once for each plugin that waits.
struct BindingWaits {
  model::PodId pod;
  std::string_view node;
  std::string_view plugin;
};
// Another scheduler bound the pod, which waited for a node here or was on its way to one; in the
// second case a BindingFailed may have come before. Reported of pods that came as work and that a
// profile serves.
struct BoundByAnother {
  model::PodId pod;
  std::string_view node;
};
struct BindingFailed {
  model::PodId pod;
  std::string_view message;
  bool refused = false;                 // by a plugin, at PreBind or while the pod waited in Permit
  std::vector<std::string> refused_by;  // of a pod that waited
};
// The pod was deleted or is finished. Its row is removed after the call that delivers the report.
struct Deleted {
  model::PodId pod;
};
struct BindingBegins {
  size_t pods;
};
struct BindingEnds {
  size_t pods;
};

using Report = std::variant<Arrived, TurnedAway, Ignored, Gated, Skipped, Chosen, Scheduled,
                            Refused, Failed, PermitWaiting, Nominated, Announced, Evicted,
                            PermitPreempted, Disrupted, Recorded, Finished, Bound, BoundByAnother,
                            BindingWaits, BindingFailed, BindingBegins, BindingEnds, Deleted>;
using OnReport = std::function<void(const Report&)>;

// The end of a pod's way through the scheduling cycle, as kube-scheduler's answers name it.
enum class PodOutcome : uint8_t { kScheduled, kUnschedulable, kError, kGated, kIgnored };
const char* outcome_name(PodOutcome outcome);  // "scheduled", "unschedulable", "error", ...

// The outcome that the report tells; nothing if it ends no scheduling cycle.
std::optional<PodOutcome> outcome_of(const Report& report);
// The pod that a report is about; no id for Arrived, BindingBegins and BindingEnds.
model::PodId pod_of(const Report& report);
// Null for reports that are about no decision.
const framework::Decision* decision_of(const Report& report);

// Joins lambdas to one visitor for std::visit over a report.
template <typename... Visits>
struct Match : Visits... {
  using Visits::operator()...;
};
template <typename... Visits>
Match(Visits...) -> Match<Visits...>;

}  // namespace berth::runtime
