#ifndef BERTH_ABI_FILTER_H_
#define BERTH_ABI_FILTER_H_

#include "berth/abi/hook.h"
#include "berth/abi/numbers.h"

/*
 * The extension points that decide which nodes can run a pod: PreFilter, Filter, PostFilter.
 * Stable.
 */

/* PreFilter: called once per pod, before its filters. Space pods, count 1. */
#define BERTH_PRE_FILTER "berth.pre_filter/0"
typedef struct berth_pre_filter_result {
  uint32_t size;
  /* SUCCESS; SKIP: the host does not call this plugin's Filter; a refusal of the pod: one of the
     two, or PENDING; ERROR. */
  berth_code code;
  uint32_t reason;            /* read if the code is a refusal */
  uint32_t narrows;           /* 1: search only the nodes below */
  const uint32_t* node_names; /* state; string ids; names of nodes that do not exist are ignored */
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

/* Filter: space nodes, or a dictionary of nodes. */
#define BERTH_FILTER "berth.filter/0"
typedef struct berth_filter {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [rows] verdicts[i]: SUCCESS, UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE or ERROR. An ERROR
     fails the pod if the search reaches that position; the host then calls again for that position
     alone to get the text. A call that fails as a whole is made again for its positions, one by
     one: those that fail alone count. The host may also ask for positions that another plugin has
     refused: tolerate any column values there. */
  berth_code (*filter)(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts);
  /* [rows] Null: refusals have no reasons, and the pod's message says so. Writes the reason, an id
     of the plugin's own, of each position that `filter` refused; other positions may get any value.
     The host asks only if the pod stays unscheduled or somebody wants an explanation. */
  berth_code (*reasons)(berth_plugin* plugin, const berth_call* call, uint32_t* reasons);
  /* [rows] Since ABI 1.1; null: the plugin has none. Writes the numbers behind its verdict on
     position 0, a refusal or not. `call` has count 1 and the columns and the state as for `filter`.
     BERTH_ERROR: there are none, for the reason in call->error. */
  berth_code (*numbers)(berth_plugin* plugin, const berth_call* call,
                        const berth_numbers_sink* sink);
} berth_filter;

/* PostFilter: called if no node can run the pod. Space nodes: all of them, those included that the
   search did not look at; overlay.h has the services that try removals. The plugins of a profile
   are called in order, until one succeeds or fails. */
#define BERTH_POST_FILTER "berth.post_filter/0"
typedef struct berth_nomination {
  uint32_t size;
  /* SUCCESS: the pod may fit once this is carried out. UNSCHEDULABLE: this plugin cannot help, the
     next one is asked. UNSCHEDULABLE_AND_UNRESOLVABLE: nobody can. Or ERROR. */
  berth_code code;
  uint32_t node;           /* SUCCESS: string id of the nominated node's name; 0: none */
  uint32_t reason;         /* of this hook; not SUCCESS: its text is added to the pod's message */
  const uint64_t* victims; /* handles of pods on that node, in the order of eviction; valid until
                              the next call of the hook */
  uint64_t victim_count;
  /* UNSCHEDULABLE: 1: no node can be nominated, and the pod loses the nomination that it has. 0: it
     keeps it. */
  uint32_t clears;
  uint32_t reserved;
} berth_nomination;

typedef struct berth_post_filter {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] codes[i]: the code with which position i was refused;
     UNSCHEDULABLE_AND_UNRESOLVABLE if the search did not look at it. `draw`: a random number of
     this decision; 0, with the positions in the order of the names of nodes, if ties are to be
     broken by name. Texts that the plugin writes to call->error are added to the pod's message; if
     there are none, those of nomination->reason are. */
  berth_code (*post_filter)(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                            uint64_t draw, berth_nomination* nomination);
} berth_post_filter;

#endif /* BERTH_ABI_FILTER_H_ */
