#ifndef BERTH_ABI_FILTER_H_
#define BERTH_ABI_FILTER_H_

#include "berth/abi/hook.h"

/*
 * Which nodes can run a pod: PreFilter, Filter, PostFilter. Drafts.
 */

/* Once per pod, before its filters; space pods, count 1. */
#define BERTH_PRE_FILTER "berth.pre_filter/0"
typedef struct berth_pre_filter_result {
  uint32_t size;
  /* SUCCESS; SKIP: do not call this plugin's Filter; a refusal of the pod; ERROR. */
  berth_code code;
  uint32_t reason;            /* read where refused */
  uint32_t narrows;           /* 1: only the nodes below are searched */
  const uint32_t* node_names; /* state; string ids; nodes that do not exist are passed over */
  uint64_t node_name_count;
} berth_pre_filter_result;

typedef struct berth_pre_filter {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] */
  berth_code (*pre_filter)(berth_plugin* plugin, const berth_call* call,
                           berth_pre_filter_result* result);
} berth_pre_filter;

/* Space nodes, or a dictionary of theirs. */
#define BERTH_FILTER "berth.filter/0"
typedef struct berth_filter {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [rows] verdicts[i]: SUCCESS, UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE, or ERROR, which
     fails the pod if the search comes to that position; the host then asks again for it alone to
     have its text. Other plugins may have refused a position: tolerate whatever stands there. */
  berth_code (*filter)(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts);
  /* [rows] The reason, an id of the plugin's own, of each position that `filter` refused; for
     others anything. Asked for only when a pod stays unscheduled or somebody wants to know. */
  berth_code (*reasons)(berth_plugin* plugin, const berth_call* call, uint32_t* reasons);
} berth_filter;

/* No node can run the pod: what now? Space nodes; see overlay.h for trying removals. */
#define BERTH_POST_FILTER "berth.post_filter/0"
typedef struct berth_nomination {
  uint32_t size;
  berth_code code;         /* SUCCESS: nominated; UNSCHEDULABLE: nothing helps; ERROR */
  uint32_t node;           /* string id of the node's name; 0: none */
  uint32_t reason;         /* of this hook, for the text behind the pod's message */
  const uint64_t* victims; /* state; pod handles, in the order of their eviction */
  uint64_t victim_count;
} berth_nomination;

typedef struct berth_post_filter {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: why position i was refused. `draw`: this decision's random number. */
  berth_code (*post_filter)(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                            uint64_t draw, berth_nomination* nomination);
} berth_post_filter;

#endif /* BERTH_ABI_FILTER_H_ */
