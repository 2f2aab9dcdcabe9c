#ifndef BERTH_ABI_ENQUEUE_H_
#define BERTH_ABI_ENQUEUE_H_

#include "berth/abi/hook.h"

/*
 * Extension points of the queue. Their space is pods: a position is one pod, and pod columns have
 * `count` values. Drafts.
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

/* QueueSort: the order in which pods leave the queue. Exactly one plugin, the same in all
   profiles. */
#define BERTH_QUEUE_SORT "berth.queue_sort/0"
typedef struct berth_queue_sort {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] Writes a key of 16 bytes per pod. Keys are compared bytewise, the smallest first; pods
     with equal keys leave in the order of entry. Called at each enqueue; pod.queued_at is the order
     of entry. */
  berth_code (*keys)(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]);
} berth_queue_sort;

/* Hints: which events may make a refused pod schedulable. Bits of berth_event.kind, the kind of
   object, and of berth_event.action, the change. */
#define BERTH_ON_POD_ASSIGNED 1u
#define BERTH_ON_POD_PENDING 2u
#define BERTH_ON_NODE 4u
#define BERTH_ON_NAMESPACE 8u
#define BERTH_ON_VOLUME 16u

#define BERTH_DID_ADD 1u
#define BERTH_DID_DELETE 2u
#define BERTH_DID_UPDATE_LABEL 4u
#define BERTH_DID_UPDATE_TAINT 8u
#define BERTH_DID_UPDATE_ALLOCATABLE 16u
#define BERTH_DID_UPDATE_TOLERATION 32u
#define BERTH_DID_UPDATE_GATES 64u
#define BERTH_DID_UPDATE_SCALE_DOWN 128u

typedef struct berth_event {
  uint32_t size;
  uint32_t kind;              /* one BERTH_ON_ bit */
  uint32_t action;            /* BERTH_DID_ bits */
  uint32_t node;              /* string id of the name of the node concerned; 0: none */
  const berth_column* before; /* call; the object before, as declared; null: added */
  const berth_column* after;  /* call; the object after; null: deleted */
} berth_event;

#define BERTH_HINTS "berth.hints/0"
typedef struct berth_hints {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [init] Returns the BERTH_DID_ bits of events of this kind that may help. */
  uint32_t (*actions)(berth_plugin* plugin, uint32_t kind);
  /* [cycle] queue[i]: 1 if the event may help pod i, which this plugin refused. The host treats an
     error as 1. */
  berth_code (*hint)(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                     uint8_t* queue);
} berth_hints;

#endif /* BERTH_ABI_ENQUEUE_H_ */
