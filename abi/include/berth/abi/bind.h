#ifndef BERTH_ABI_BIND_H_
#define BERTH_ABI_BIND_H_

#include "berth/abi/hook.h"
#include "berth/abi/host.h"

/*
 * The extension points after a node was chosen: Reserve, Permit, PreBind and Bind, which are
 * stable, and PostBind, a draft.
 *
 * Their space is assignments: a position is one (pod, node) pair, and both pod columns and node
 * columns have one value per position. There is no prepared state (call.state is null), because
 * PreBind, Bind and PostBind are called for batches of pods of several templates.
 *
 * A node may be deleted while a pod waits in Permit. The pod goes on all the same: its later hooks
 * get the node's name, and 0 or an empty list in all other columns of nodes.
 *
 * Threads. Reserve, Unreserve, Permit and pre_flight are [cycle]; pre_bind, bind and post_bind are
 * [bind]. The host hands pods to the binding thread in batches and decides the next pods meanwhile,
 * so a [bind] function may run at the same time as a [cycle] or [rows] function of the same
 * instance, about other pods. The functions of one pod never overlap, and [bind] functions of one
 * instance never overlap each other. A later minor version may let them overlap for plugins that
 * say so with a bit of `flags`; for all others this promise stays. A plugin whose [bind] functions
 * share data with its other functions protects it. An answer of a [cycle] or [rows] function should
 * not depend on how far the binding thread has come: the host lets completed bindings count at
 * points that depend on the input alone, and cannot do that for a plugin's own memory.
 *
 * Columns of a [bind] call hold the values that pod, node and tables had when the batch was handed
 * over. Within a [bind] function the host refuses service functions without the tag [bind] or
 * [any]: they return their failure value, and the call fails with a text that names the function.
 */

/* Reserve: called after the pod was assumed on the node. */
#define BERTH_RESERVE "berth.reserve/0"
/* A bit of berth_reserve.flags: for a pod for which the plugin's PreFilter answers SKIP, `reserve`
   answers SUCCESS and changes nothing, and `unreserve` changes nothing. The host may leave out
   these calls. */
#define BERTH_RESERVE_FOLLOWS_PRE_FILTER 1u
typedef struct berth_reserve {
  uint32_t size;
  uint32_t flags;         /* BERTH_RESERVE_ bits */
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, a refusal or ERROR. After a refusal or ERROR the host withdraws the
     assumed placement. */
  berth_code (*reserve)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons);
  /* [cycle] Called when Reserve or any later step failed, in reverse order of the plugins, also for
     a plugin whose own `reserve` failed. Must be idempotent and cannot fail. */
  void (*unreserve)(berth_plugin* plugin, const berth_call* call);
} berth_reserve;

/* Permit: allows, delays or refuses the placement before binding. */
#define BERTH_PERMIT "berth.permit/0"
/* A longer timeout of a WAIT counts as this one. */
#define BERTH_PERMIT_MAX_SECONDS 900u
typedef struct berth_permit {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, WAIT with timeout_nanoseconds[i], a refusal or ERROR. If several
     plugins answer WAIT, all of them must allow the pod; the timeout of each runs until it does,
     and the first to end refuses the pod. */
  berth_code (*permit)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                       uint32_t* reasons, int64_t* timeout_nanoseconds);
} berth_permit;

/*
 * The pods of all profiles that wait in Permit. Draft. A pod that is allowed or refused goes on
 * after the pod or event that is being handled, and is listed by `each` until then. Only the first
 * answer about a pod counts.
 */
#define BERTH_WAITING_SERVICE "berth.waiting/0"
typedef struct berth_waiting_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Calls `visit` for each waiting pod, in the order in which they began to wait. `pod` is
     the value of pod.handle, `node` the string id of the node's name. `visit` may call the
     functions below. */
  void (*each)(const berth_host* host, void* context,
               void (*visit)(void* context, uint64_t pod, uint32_t node));
  /* [cycle] This plugin allows the pod. The pod continues when all plugins that answered WAIT have
     allowed it. ERROR: the pod does not wait for this plugin. */
  berth_code (*allow)(const berth_host* host, uint64_t pod);
  /* [cycle] Refuses the pod with this reason and withdraws its placement, whichever plugins it
     waits for. ERROR: the pod is not waiting. */
  berth_code (*reject)(const berth_host* host, uint64_t pod, berth_string reason);
  /* [cycle] Moves queued pods to the active queue, regardless of their backoff and of what refused
     them, after the pod or event that is being handled. Gated pods and unknown handles stay out. */
  void (*activate)(const berth_host* host, uint64_t count, const uint64_t* pods);
} berth_waiting_service;

/*
 * PreBind: work that must be done before the pod is bound. In PreBind and Bind a plugin writes one
 * text to call->error for each position whose code is ERROR or a refusal, in their order. If it
 * writes another number of texts, all of them are the text of each such pod.
 *
 * A plugin that has to wait for something does not hold the binding thread. It has a
 * `pre_bind_or_wait` and answers WAIT for the position. The pod stays on its node, other pods go
 * on, and the function is called again for the pod, by the clock of the run. The pod's earlier
 * PreBind plugins and `pre_flight` are not called again. If the pod or its node is removed while it
 * waits, the placement is withdrawn as after an ERROR: Unreserve is called, PreBind is not.
 */
#define BERTH_PRE_BIND "berth.pre_bind/0"
/* A WAIT without a time is called again after this many seconds. */
#define BERTH_PRE_BIND_AGAIN_SECONDS 1u
/* The shortest time after which a WAIT is called again: 1 ms. */
#define BERTH_PRE_BIND_LEAST_NANOSECONDS 1000000u
/* How long a pod waits for a plugin that sets no limit. */
#define BERTH_PRE_BIND_LIMIT_SECONDS 900u
/* A longer wait_limit_nanoseconds counts as this one: about 50 years. */
#define BERTH_PRE_BIND_MAX_SECONDS 1600000000u
/* Bits of berth_pre_bind.flags. */

/* A pod for which the plugin's PreFilter answers SKIP needs no call: as if pre_flight answered
   SKIP. The host may leave out the calls about it. */
#define BERTH_PRE_BIND_FOLLOWS_PRE_FILTER 1u
/* As BERTH_BIND_QUICK: the function only computes and waits for nothing within the call. */
#define BERTH_PRE_BIND_QUICK 2u
/* Includes BERTH_PRE_BIND_QUICK. pre_bind and pre_bind_or_wait are [cycle] and not [bind]: they may
   use the services of the thread that owns the model. The binding cycle of a pod for which
   pre_flight does not answer SKIP runs on that thread, when the pods before it are bound. */
#define BERTH_PRE_BIND_ON_CYCLE 4u
/* Since ABI 1.3. The plugin may work on a pod while other plugins with this bit do, which stand
   next to it in the profile: none needs the other's work. Under the rule ParallelPreBind
   (berth/abi/rules.h) all of them are called before the host waits for one, and the first that
   fails ends the work of the others, which are not called again. Unreserve is called as ever. */
#define BERTH_PRE_BIND_PARALLEL 8u

typedef struct berth_pre_bind {
  uint32_t size;
  uint32_t flags;         /* BERTH_PRE_BIND_ bits */
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS; SKIP if pre_bind has nothing to do for position i; ERROR fails the
     pod. Null function: pre_bind is always called. */
  berth_code (*pre_flight)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
  /* [bind] codes[i]: SUCCESS, ERROR, or UNSCHEDULABLE or UNSCHEDULABLE_AND_UNRESOLVABLE, which
     refuse the pod: it is tried again after its backoff. Null only if pre_bind_or_wait is not. A
     plugin that has both also loads in hosts that know this one alone. */
  berth_code (*pre_bind)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
  /* [bind] Called instead of pre_bind, unless null. codes[i]: as there, or WAIT: not yet.
     waited_nanoseconds[i]: 0 in the first call for this placement, then the time since the first
     WAIT. again_nanoseconds[i], which the host sets to 0: how long after the WAIT the next call is
     due, not negative; 0: BERTH_PRE_BIND_AGAIN_SECONDS. The call may be later, since answers count
     at fixed points of the run. */
  berth_code (*pre_bind_or_wait)(berth_plugin* plugin, const berth_call* call,
                                 const int64_t* waited_nanoseconds, uint8_t* codes,
                                 int64_t* again_nanoseconds);
  /* How long a pod may wait for this plugin. When the time is over the pod gets a last call, and a
     WAIT fails it. 0: BERTH_PRE_BIND_LIMIT_SECONDS. */
  int64_t wait_limit_nanoseconds;
} berth_pre_bind;

/* Bind: binds the pod. The first plugin that does not skip decides; if all plugins skip, the pod
   fails. */
#define BERTH_BIND "berth.bind/0"
/* A bit of berth_bind.flags: `bind` only computes and calls the bindings service; it waits for
   nothing. The host may then call it on the thread that owns the model, where a hand-over would
   cost more than the call. */
#define BERTH_BIND_QUICK 1u
typedef struct berth_bind {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [bind] codes[i]: SUCCESS, SKIP or ERROR. An earlier plugin has bound the positions whose mask
     bit is 0: unlike in other calls, the plugin must obey the mask and not bind them again. */
  berth_code (*bind)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
  uint32_t flags; /* BERTH_BIND_ bits */
  uint32_t reserved2;
} berth_bind;

/* PostBind: notifies the plugin of pods that were bound. Draft. */
#define BERTH_POST_BIND "berth.post_bind/0"
typedef struct berth_post_bind {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook;                                          /* instance */
  void (*post_bind)(berth_plugin* plugin, const berth_call* call); /* [bind] */
} berth_post_bind;

#endif /* BERTH_ABI_BIND_H_ */
