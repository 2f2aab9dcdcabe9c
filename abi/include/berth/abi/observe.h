#ifndef BERTH_ABI_OBSERVE_H_
#define BERTH_ABI_OBSERVE_H_

#include "berth/abi/hook.h"

/*
 * Observe: tells a plugin which bound pods the cluster has, so that what the plugin keeps of them
 * can follow. A plugin that is enabled anywhere in a profile is told. Draft. Since ABI 1.3.
 *
 * A pod is bound once the API server knows its node: this scheduler bound it, in whichever profile,
 * or the input tells its node. From then on the plugin hears of it:
 *
 *   bound -> changed, any number of times -> left
 *
 * `left` follows when the pod is deleted, has finished or runs on another node, where it is bound
 * next, and the resources of its node are free again. All calls come in the order in which the
 * model changes, and before the plugin is asked about the next pod, or about the event that the
 * change is. A pod that its Reserve took is either unreserved or bound:
 *
 *   reserve -> unreserve
 *   reserve -> bound -> ... -> left
 *
 * So a plugin that takes something in Reserve keeps it when the pod becomes bound, and gives it
 * back in Unreserve or in `left`. A pod that is bound without a Reserve of this instance, or after
 * its Unreserve, ran before the run began, or another profile or scheduler bound it, or a server
 * whose answer said otherwise. PostBind is no part of this order: it runs on another thread.
 *
 * What these four functions say of a node comes together with a change of node.pods of that node.
 * So the host asks a Filter or Score that declares node.pods again about the nodes of which the
 * plugin's ledger has changed, and keeps its answers about the others. A trial of a preemption or
 * of a nominated pod changes node.pods, too, and tells nobody but the plugin's berth_overlay_state
 * (overlay.h): the Filter then gets a scratch that knows which pods the trial removed and added.
 *
 * The space is assignments (bind.h): a position is one pod and its node, and both pod columns and
 * node columns have one value per position. A pod may name a node that is not there: then its
 * columns of nodes are 0 or empty, but for node.name. The columns hold the values after the change;
 * in `left`, those that the pod and its node had last, when the pod still counted there. A plugin
 * that has to know what a pod was before keeps it under pod.handle. There is no prepared state
 * (call.state is null).
 *
 * A plugin in a process of its own that is started again has lost its memory. The new process is
 * told of all bound pods before the next pod is decided, and may get an Unreserve of a pod that it
 * does not know.
 *
 * A call cannot fail. If a function throws, the host counts that, and the pods are what they are.
 */
#define BERTH_OBSERVE "berth.observe/0"
/* Since ABI 1.3. */
typedef struct berth_observe {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] The pods of these positions are bound now. */
  void (*bound)(berth_plugin* plugin, const berth_call* call);
  /* [cycle] The objects of bound pods were replaced: labels, annotations, requests or status may be
     others. Null: not told. */
  void (*changed)(berth_plugin* plugin, const berth_call* call);
  /* [cycle] Bound pods are about to leave their nodes. */
  void (*left)(berth_plugin* plugin, const berth_call* call);
  /* [cycle] Nodes are about to be removed; values of node.name. Their bound pods are still told of
     by `left`, before or after. Null: not told. */
  void (*node_left)(berth_plugin* plugin, uint64_t count, const uint32_t* nodes);
} berth_observe;

#endif /* BERTH_ABI_OBSERVE_H_ */
