#ifndef BERTH_ABI_ENQUEUE_H_
#define BERTH_ABI_ENQUEUE_H_

#include "berth/abi/hook.h"

/*
 * Extension points of the queue. The space of PreEnqueue and QueueSort is pods: a position is one
 * pod, and pod columns have `count` values. Stable.
 */

/* PreEnqueue: decides whether a pod may enter the queue. */
#define BERTH_PRE_ENQUEUE "berth.pre_enqueue/0"
typedef struct berth_pre_enqueue {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, or a refusal, which keeps the pod out of the queue (gated) for
     reasons[i]. */
  berth_code (*check)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                      uint32_t* reasons);
} berth_pre_enqueue;

/* The longest key of a QueueSort. Since ABI 1.3. */
#define BERTH_QUEUE_KEY_MAX_BYTES 512u

/* QueueSort: the order in which pods leave the queue. Exactly one plugin, the same in all
   profiles. */
#define BERTH_QUEUE_SORT "berth.queue_sort/0"
typedef struct berth_queue_sort {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] Writes a key of 16 bytes per pod. Keys are compared bytewise, the smallest first; pods
     with equal keys leave in the order of entry. Called at each enqueue, and perhaps twice;
     pod.queued_at is the order of entry. */
  berth_code (*keys)(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]);
  /* [cycle] Called instead of `keys`, unless null: writes a key of `wide_key_bytes` per pod, one
     behind the other. `keys` may then be null; a plugin that has both also loads in hosts that know
     that one alone. Since ABI 1.3. */
  berth_code (*wide_keys)(berth_plugin* plugin, const berth_call* call, uint8_t* keys);
  /* From 1 to BERTH_QUEUE_KEY_MAX_BYTES if `wide_keys` is not null. Since ABI 1.3. */
  uint32_t wide_key_bytes;
  uint32_t reserved2; /* Since ABI 1.3. */
} berth_queue_sort;

/*
 * Hints: which events may make a refused pod schedulable. The host asks the plugins that refused a
 * pod; pods of a plugin without this point are tried again after every event.
 *
 * One call answers for all refused pods of a template, because the answer depends only on the
 * declared pod columns, on the event with its declared columns, on whether the event's pod is
 * the refused pod itself, and on what the plugin keeps. A hint that says yes wakes all of them. A
 * plugin that has room for one pod says no, and moves that pod by berth_waiting_service.activate.
 * `prepare` reads the refused pod, and its inputs are the columns to read of the event's object.
 *
 * A plugin that wants BERTH_DID_ADD of nodes and not BERTH_DID_UPDATE_TAINT gets its pods tried
 * again after each update of taints, without a call: kube-scheduler does so.
 */

/* Bits of berth_event.kind: the kind of object. */

/* A pod that has a node. Also the end of a nomination, which is BERTH_DID_DELETE. */
#define BERTH_ON_POD_ASSIGNED 1u
/* A pod without a node. The host asks about the updated pod alone. */
#define BERTH_ON_POD_PENDING 2u
#define BERTH_ON_NODE 4u
/* Objects of storage: see volumes.h. */
#define BERTH_ON_CLAIM 8u
#define BERTH_ON_VOLUME 16u
#define BERTH_ON_STORAGE_CLASS 32u
#define BERTH_ON_CSI_NODE 64u
#define BERTH_ON_CSI_DRIVER 128u
#define BERTH_ON_CSI_CAPACITY 256u
#define BERTH_ON_VOLUME_ATTACHMENT 512u
#define BERTH_ON_STORAGE 1016u /* any of them */

/* Bits of berth_event.action: the change. */
#define BERTH_DID_ADD 1u
#define BERTH_DID_DELETE 2u
#define BERTH_DID_UPDATE_LABEL 4u
#define BERTH_DID_UPDATE_TAINT 8u        /* nodes; also spec.unschedulable, when it is cleared */
#define BERTH_DID_UPDATE_ALLOCATABLE 16u /* nodes */
#define BERTH_DID_UPDATE_TOLERATION 32u  /* pods; the number of tolerations */
#define BERTH_DID_UPDATE_GATES 64u       /* pods; the last scheduling gate was removed */
#define BERTH_DID_UPDATE_SCALE_DOWN 128u /* pods; a request is smaller */
#define BERTH_DID_UPDATE_ANNOTATION 256u /* nodes */
/* Pods: an update that is none of the above. Objects of storage: any update. */
#define BERTH_DID_UPDATE_OTHER 512u
#define BERTH_DID_ANYTHING 1023u /* any of the above */
/* Any of all, and of what later minor versions add. Since ABI 1.3. */
#define BERTH_DID_WHATEVER 0xFFFFFFFFu
/* Nodes: status.declaredFeatures; only where the host's rules have them. Since ABI 1.3. */
#define BERTH_DID_UPDATE_DECLARED_FEATURES 1024u

typedef struct berth_event {
  uint32_t size;
  uint32_t kind;   /* one BERTH_ON_ bit */
  uint32_t action; /* BERTH_DID_ bits */
  /* String id. Node events: the node. Pod events: spec.nodeName of the pod; 0: not set. */
  uint32_t node;
  uint32_t nominated_node; /* pod events: string id; 0: the pod is not nominated */
  uint32_t self;           /* 1: the event's pod is the refused pod */
  uint64_t pod;            /* pod events: as in pod.handle */
  /* Lifetime: call. The event's object as it was and as it is, in columns with the indices of
     call->columns and one value: columns of nodes in node events, columns of pods and event.* in
     pod events. All others have null data, and so have node.row, node.count and node.carried. */
  const berth_column* before; /* null: the object was added */
  const berth_column* after;  /* null: the object was deleted */
  /* Lifetime: call. Events of storage: the object as it was and as it is, in the struct that
     volumes.h has for its kind (BERTH_ON_CLAIM: berth_claim, ...). Null: it was added, or deleted;
     both are null in other events. The columns above are null in events of storage. */
  const void* object_before;
  const void* object_after;
} berth_event;

#define BERTH_HINTS "berth.hints/0"
typedef struct berth_hints {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [init] Returns the BERTH_DID_ bits of the events of this kind that may help, or
     BERTH_DID_WHATEVER; 0: none. The host asks once per kind, also for kinds that came with a later
     minor version than the plugin: of a kind that it does not know, a plugin answers 0. Bits that
     the host does not know are refused. */
  uint32_t (*actions)(berth_plugin* plugin, uint32_t kind);
  /* [cycle] Writes 1 to *queue if the event may help pods of the template, which this plugin
     refused; otherwise 0. `call` has count 1; its columns of pods are those of the template, its
     columns of nodes have null data. The host treats an error as 1. */
  berth_code (*hint)(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                     uint8_t* queue);
} berth_hints;

#endif /* BERTH_ABI_ENQUEUE_H_ */
