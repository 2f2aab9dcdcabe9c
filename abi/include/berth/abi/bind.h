#ifndef BERTH_ABI_BIND_H_
#define BERTH_ABI_BIND_H_

#include "berth/abi/hook.h"
#include "berth/abi/host.h"

/*
 * From a chosen node to a running pod: Reserve, Permit, PreBind, Bind, PostBind. Drafts.
 *
 * Their space is placements: a position is one (pod, node) pair, and both pod columns and node
 * columns are gathered to the positions. Bind works in batches; a batch holds pods of several
 * templates, so there is no prepared state (call.state is null).
 */

/* The pod was assumed on the node. */
#define BERTH_RESERVE "berth.reserve/0"
typedef struct berth_reserve {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, a refusal or ERROR; either of them takes the pod back. */
  berth_code (*reserve)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons);
  /* [cycle] Whenever something later failed, in reverse order of the plugins, also for one whose
     own `reserve` failed: idempotent, and cannot fail. */
  void (*unreserve)(berth_plugin* plugin, const berth_call* call);
} berth_reserve;

/* The last word before binding. */
#define BERTH_PERMIT "berth.permit/0"
#define BERTH_PERMIT_MAX_SECONDS 900u
typedef struct berth_permit {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, WAIT with timeout_nanoseconds[i], a refusal or ERROR. Several that
     wait: the shortest timeout counts, and all must allow. */
  berth_code (*permit)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                       uint32_t* reasons, int64_t* timeout_nanoseconds);
} berth_permit;

/* Pods that wait in Permit, in all profiles. Draft. */
#define BERTH_WAITING_SERVICE "berth.waiting/0"
typedef struct berth_waiting_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Calls `visit` for each, in the order in which they came to wait. */
  void (*each)(const berth_host* host, void* context,
               void (*visit)(void* context, uint64_t pod, uint32_t node));
  /* [cycle] This plugin allows the pod; it goes on when all that made it wait did. ERROR: it does
   * not wait. */
  berth_code (*allow)(const berth_host* host, uint64_t pod);
  /* [cycle] The pod is taken back with this reason. */
  berth_code (*reject)(const berth_host* host, uint64_t pod, berth_string reason);
  /* [cycle] Pods in the queue that shall be tried at once, without regard to their backoff. */
  void (*activate)(const berth_host* host, uint64_t count, const uint64_t* pods);
} berth_waiting_service;

/* Work that must be done before the pod is bound. */
#define BERTH_PRE_BIND "berth.pre_bind/0"
typedef struct berth_pre_bind {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SKIP: pre_bind has nothing to do for it. Null: it always has. */
  berth_code (*pre_flight)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
  /* [bind] codes[i]: SUCCESS or ERROR. */
  berth_code (*pre_bind)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
} berth_pre_bind;

/* The binding itself. The first plugin that does not skip decides; all skipping is a failure. */
#define BERTH_BIND "berth.bind/0"
typedef struct berth_bind {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [bind] codes[i]: SUCCESS, SKIP or ERROR. Masked-out positions were bound by an earlier
     plugin: here the mask is no advice. */
  berth_code (*bind)(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
} berth_bind;

/* For information. */
#define BERTH_POST_BIND "berth.post_bind/0"
typedef struct berth_post_bind {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook;                                          /* instance */
  void (*post_bind)(berth_plugin* plugin, const berth_call* call); /* [bind] */
} berth_post_bind;

#endif /* BERTH_ABI_BIND_H_ */
