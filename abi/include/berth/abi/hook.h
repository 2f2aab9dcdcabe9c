#ifndef BERTH_ABI_HOOK_H_
#define BERTH_ABI_HOOK_H_

#include "berth/abi/column.h"

/*
 * What all hooks share: which columns they read, and how they get ready for a pod template.
 *
 * A hook is one plugin at one extension point. It declares at init, as column ids, all that it may
 * ever read; an id that ends in ":*" stands for a family ("node.label:*"). The pod columns among
 * them define the projected signature: pods that are equal in those columns share one `prepare` and
 * its state.
 *
 * A hook is called over `count` positions of its space. A position is an index into the arrays that
 * were passed and means nothing else; the host may split, permute, gather, repeat and mask
 * positions, and calls from several threads at once, so an answer depends on nothing but the
 * columns at that position and the template state. Who needs a node's identity declares node.row or
 * node.name.
 *
 * Of the columns of a call, those of the space's table have one value a position; those of the pod
 * that is being decided, and of the cluster, have one value; those of any other table come whole,
 * and their positions are the codes that other columns hold. A declared family comes as null: its
 * members come where `prepare` asked for them.
 */

/* What the answer depends on besides the declared columns; the host caches accordingly. */
#define BERTH_DEPENDS_DECLARED 0 /* nothing else: cached until a declared input changes */
#define BERTH_DEPENDS_FEASIBLE 1 /* also on the set of feasible nodes (through PreScore) */
#define BERTH_DEPENDS_EXTERNAL 2 /* on things outside: never cached */

/* Bits of berth_call.ran: which earlier hooks of this plugin ran for this pod without skipping. */
#define BERTH_RAN_PRE_FILTER 1u
#define BERTH_RAN_PRE_SCORE 2u

typedef struct berth_call {
  uint32_t size;
  uint32_t ran;         /* BERTH_RAN_ bits */
  uint64_t count;       /* positions */
  const uint64_t* mask; /* call; advisory: a position whose bit is 0 needs no answer; null: all */
  const berth_column* columns; /* call; in the order that was prepared (else: declared) */
  uint32_t column_count;
  uint32_t reserved;
  const void* state;            /* what prepare returned, else null */
  const berth_text_sink* error; /* call; for the text of a BERTH_ERROR, returned or in an output */
} berth_call;

/* A template: one pod as the hook's declared pod columns show it. */
typedef struct berth_template {
  uint32_t size;
  uint32_t column_count;
  const berth_column* columns; /* call; as declared; pod columns have count 1, others null data */
  const berth_text_sink* error;
} berth_template;

/* Bits of berth_prepared.flags. */
/* Filter: refuses nobody. Score: 0 everywhere. The host need not call. */
#define BERTH_PREPARED_PASSES 1u

typedef struct berth_prepared {
  uint32_t size;
  uint32_t flags;
  /* state; ids (columns service) of the columns that calls shall get, in this order, each covered
     by the declaration; null: the declared ones in their order */
  const uint32_t* inputs;
  uint32_t input_count;
  uint32_t reserved;
  void* state; /* the plugin's; lives until `release` */
} berth_prepared;

/* In a reason id: its texts depend on the position as well. Without it, equal ids of one template
   have equal texts (over a dictionary: of one template and code), and the host asks once. */
#define BERTH_REASON_OF_POSITION 0x80000000u

typedef struct berth_hook {
  uint32_t size;
  uint32_t depends; /* one of BERTH_DEPENDS_ */
  /* instance; empty: the point's own space (nodes; pods; placements). Else the id of a dictionary
     column of nodes, and positions are its dictionary's codes. */
  berth_string space;
  const berth_string* inputs; /* instance; column ids */
  uint32_t input_count;
  uint32_t reserved;

  /* [cycle] Once per projected signature. Null: no state, calls get the declared columns. */
  berth_code (*prepare)(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared);

  /* [cycle] Ends the life of a state that prepare returned. Null if prepare is. */
  void (*release)(berth_plugin* plugin, void* state);

  /* [any] Writes the texts of a reason that this hook gave, one `write` per reason: a set of
     several is one id. `call` has the columns at count 1 and the state of the pod that was refused.
     Only asked for when somebody wants the text. */
  void (*describe)(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                   const berth_text_sink* sink);
} berth_hook;

#endif /* BERTH_ABI_HOOK_H_ */
