#pragma once

// Queueing hints: which plugins can refuse pods, which events each wants to hear of, and whether an
// event may make a refused pod schedulable. What a scheduling queue needs to know of plugins.
//
// Rules, as in kube-scheduler v1.34.1:
//   - A plugin that can refuse pods (it implements PreEnqueue, PreFilter, Filter, Reserve or
//     Permit) and does not implement the hints point is interested in every event, and each helps.
//   - A plugin that implements it is interested in the actions that it names. Without any, no event
//     helps the pods that it refused.
//   - A plugin that wants additions of nodes and no updates of taints is interested in updates of
//     taints as well, and each helps without a call.
//   - An error of a hint counts as "helps".
//
// Cost. A hint is asked once for each template of the refused pods, as the hook's declaration tells
// templates apart (see bound_hook.h), not once for each pod. A hook that declares no column is
// asked once. Columns of the event's object are computed for the templates that are asked about.
// A hook that reads event.anti_affinity_matches is asked once for each of its values, which are
// found for each pod: so it needs no templates by labels.
//
// Example, for a node update:
//
//   model::NodeTable::Values before;
//   const model::Changes changes = cluster.put_node(node, &before);
//   for (uint32_t action : node_actions(changes, cluster.nodes().node(slot)))
//     queue.move_all(..., node_event(action, slot, &before, cluster));
//   // The queue's hooks, for the refusers that are interested and the pods that they refused:
//   hints.hint(event, refuser, pods, answers);
//
// Threads: the thread that owns the model.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/framework/hints/hint_event.h"
#include "engine/framework/hooks/profile.h"
#include "engine/model/relations/pod_terms.h"

namespace berth::framework {

// A plugin of a profile, as an index of QueueingHints::plugins().
using HintedPluginId = uint16_t;

class QueueingHints {
 public:
  // Events of one kind that may help.
  struct Interest {
    uint32_t kind = 0;     // one BERTH_ON_ bit
    uint32_t actions = 0;  // BERTH_DID_ bits; not 0
    bool asks = true;      // false: such an event helps in any case, hint() need not be called
  };
  // The actions of two interests of one kind do not overlap.
  struct HintedPlugin {
    size_t profile = 0;  // index of the profile
    std::string name;
    std::vector<Interest> interests;
  };

  // All of it outlives the object. `calls` is the deciding thread's.
  QueueingHints(std::span<const std::unique_ptr<Profile>> profiles, model::Cluster& cluster,
                host::CallContext& calls);

  // Every plugin that can refuse pods, of each profile; one that no event helps has no interests.
  const std::vector<HintedPlugin>& plugins() const { return plugins_; }
  // Nothing if the profile has no such plugin, or it cannot refuse pods: no event helps.
  std::optional<HintedPluginId> find(size_t profile, std::string_view name) const;

  // False if some plugin has another answer for each pod, because its hints read pod.name or the
  // like. True: pods of one shape have one answer.
  bool follow_shapes() const;

  // Writes answers[i] = 1 if the event may help pods[i], which the plugin refused; otherwise 0.
  // The answer for a pod is that of all pods of its shape (see follow_shapes), except for the
  // event's own pod: where that waits itself, ask about it by its own id.
  // Preconditions: pods and answers have one length; the pods are in the pod table, as they are
  // after the event.
  void hint(const HintEvent& event, HintedPluginId plugin, std::span<const model::PodId> pods,
            std::span<uint8_t> answers);

  // Hints that failed so far, and the text of the last one ("" if none did).
  uint64_t failures() const { return failures_; }
  const std::string& last_failure() const { return last_failure_; }

 private:
  void add_plugin(size_t profile, const RefusingPlugin& plugin, HookAt<host::Hints>* hook);
  // The interest that the event meets; null: none. An action that helps in any case goes first.
  const Interest* met(const HintEvent& event, HintedPluginId plugin) const;
  // The view of a refused pod that the event's pod has: a bit for the event's pod before the event,
  // and one for it after; set if all terms of its required anti-affinity, one at least, match the
  // other.
  using Regard = uint8_t;
  static constexpr Regard kBefore = 1, kAfter = 2;
  // The terms of the event's pod before and after; null: it has none, or nobody asks.
  struct Shuns {
    const std::vector<model::TermId>* before = nullptr;
    const std::vector<model::TermId>* after = nullptr;
  };
  const std::vector<model::TermId>* shuns_of(const model::PodRecord* pod);
  Regard regard(const model::PodRecord& refused) const;
  uint8_t answer_of(HookAt<host::Hints>& hook, const HintEvent& event, model::PodId pod);
  uint8_t ask(const HookAt<host::Hints>& hook, const TemplateHook& state, const HintEvent& event,
              bool self, Regard regard);
  // The columns of a call; those of the event's object before or after it.
  void gather_call(const TemplateHook& state, CallColumns& out) const;
  void gather_node(const TemplateHook& state, model::Slot slot,
                   const model::NodeTable::Values& values, CallColumns& out) const;
  void gather_pod(const TemplateHook& state, const model::PodRecord& pod, bool shuns,
                  CallColumns& out) const;
  // Null: the event's object did not exist before, or does not after. `shuns`: the pod's regard.
  const berth_column* gather_object(const TemplateHook& state, const HintEvent& event,
                                    const model::NodeTable::Values* node,
                                    const model::PodRecord* pod, bool shuns,
                                    CallColumns& out) const;

  model::Cluster& cluster_;
  host::CallContext& calls_;
  std::vector<HintedPlugin> plugins_;
  std::vector<HookAt<host::Hints>*> hooks_;  // in step; null: the plugin has no hints
  std::vector<bool> reads_regard_;           // in step: the hook reads event.anti_affinity_matches
  uint64_t round_ = 0;                       // counts calls of hint()
  Shuns shuns_;                              // of the event of that call
  CallColumns columns_, before_, after_;     // of one call
  uint64_t failures_ = 0;
  std::string last_failure_;
};

}  // namespace berth::framework
