#ifndef BERTH_ABI_ENQUEUE_H_
#define BERTH_ABI_ENQUEUE_H_

#include "berth/abi/hook.h"

/*
 * Extension points of the queue. Their space is pods: a position is one pod, pod columns have
 * `count` positions. Drafts.
 */

/* May a pod enter the queue? */
#define BERTH_PRE_ENQUEUE "berth.pre_enqueue/0"
typedef struct berth_pre_enqueue {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: SUCCESS, or a refusal that gates the pod for reasons[i]. */
  berth_code (*check)(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                      uint32_t* reasons);
} berth_pre_enqueue;

/* In what order do pods leave it? Exactly one plugin, the same in all profiles. */
#define BERTH_QUEUE_SORT "berth.queue_sort/0"
typedef struct berth_queue_sort {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] Sixteen bytes a pod, compared bytewise, smallest first; ties leave in order of entry.
     Asked for at each enqueue; pod.queued_at is the time of entry. */
  berth_code (*keys)(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]);
} berth_queue_sort;

/* What may make a refused pod schedulable? Bits of kinds of objects, and of what happened to them.
 */
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
  uint32_t kind;              /* one BERTH_ON_ */
  uint32_t action;            /* BERTH_DID_ bits */
  uint32_t node;              /* string id of the node that it concerns; 0: none */
  const berth_column* before; /* call; the object before it, as inputs; null: added */
  const berth_column* after;  /* call; and after it; null: deleted */
} berth_event;

#define BERTH_HINTS "berth.hints/0"
typedef struct berth_hints {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  uint32_t (*actions)(berth_plugin* plugin,
                      uint32_t kind); /* [init] BERTH_DID_ bits that may help */
  /* [cycle] queue[i]: 1 if the event may help pod i, which this plugin refused. An error counts
   * as 1. */
  berth_code (*hint)(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                     uint8_t* queue);
} berth_hints;

#endif /* BERTH_ABI_ENQUEUE_H_ */
