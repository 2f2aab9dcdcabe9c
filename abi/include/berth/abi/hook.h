#ifndef BERTH_ABI_HOOK_H_
#define BERTH_ABI_HOOK_H_

#include "berth/abi/column.h"

/*
 * The part that all hooks share: the columns that they read, and how they prepare for a pod
 * template.
 *
 * A hook is one plugin at one extension point. At init it declares, as column ids, every column
 * that it may ever read; an id that ends in ":*" declares a family ("node.label:*"). The declared
 * pod columns define the projected signature: pods with equal values in those columns share one
 * call of `prepare` and the state that it returns.
 *
 * A hook is called over `count` positions of its space. A position is an index into the arrays of
 * the call and means nothing else. The host may split, permute, gather, repeat and mask positions
 * and may call from several threads at once, so the answer for a position must depend only on the
 * columns at that position and on the template state. A hook that needs the identity of a node
 * declares node.row or node.name.
 *
 * The number of values in a column of a call depends on the column's table. Columns of the space's
 * table have one value per position. Columns of the pod that is being decided and of the cluster
 * have one value. Columns of any other table are passed whole; their positions are the codes that
 * other columns hold. A declared family is passed with null data: its members are passed only if
 * `prepare` asked for them.
 *
 * Before each call the host fills the output arrays: verdicts, codes and hints with
 * BERTH_UNWRITTEN_CODE, scores with BERTH_UNWRITTEN_SCORE, timeouts with
 * BERTH_UNWRITTEN_NANOSECONDS, reasons with 0, keys of the queue with bytes of its choice. A hook
 * writes every position of the mask. A verdict, code, hint, score, timeout or key that is as before
 * fails the pod, and the message says that nothing was written. Keys may have any value: where one
 * seems to be as before, the host asks again over other bytes.
 */

/* Values of berth_hook.depends: what the answer depends on besides the declared columns. The host
   caches answers accordingly. */

/* Nothing else: cached until a declared input changes. */
#define BERTH_DEPENDS_DECLARED 0
/* Also the set of feasible nodes (through PreScore). */
#define BERTH_DEPENDS_FEASIBLE 1
/* State outside of the model: never cached. */
#define BERTH_DEPENDS_EXTERNAL 2

/* Bits of berth_call.ran: earlier hooks of this plugin that ran for this pod and did not skip. */
#define BERTH_RAN_PRE_FILTER 1u
#define BERTH_RAN_PRE_SCORE 2u
/* PostFilter, and Score in hosts of ABI 1.3: the plugin's PreFilter was called for this pod, and
   ran or skipped. */
#define BERTH_ASKED_PRE_FILTER 4u

typedef struct berth_call {
  uint32_t size;
  uint32_t ran;   /* BERTH_RAN_ bits */
  uint64_t count; /* positions */
  /* Lifetime: call. Null: all bits are 1. The host ignores the answer of a position with bit 0. */
  const uint64_t* mask;
  /* Lifetime: call. In the order that `prepare` chose, or else in the order of the declaration. */
  const berth_column* columns;
  uint32_t column_count;
  uint32_t reserved;
  /* The state from `prepare`, or null. For a Filter on a row that the host changed: the scratch of
     the plugin's berth_overlay_state (overlay.h). */
  const void* state;
  /* Lifetime: call. Takes the text of a BERTH_ERROR, returned or written to an output array. */
  const berth_text_sink* error;
} berth_call;

/* A template: one pod, described by the pod columns that the hook declared. */
typedef struct berth_template {
  uint32_t size;
  uint32_t column_count;
  /* Lifetime: call. As declared. Pod columns have count 1; all others have null data. */
  const berth_column* columns;
  const berth_text_sink* error;
} berth_template;

/* Bits of berth_prepared.flags. */

/* Filter: the hook refuses no node. Score: the score is 0 on every node. PreFilter, PreScore: the
   answer is SKIP. The host may skip the call. */
#define BERTH_PREPARED_PASSES 1u

typedef struct berth_prepared {
  uint32_t size;
  uint32_t flags;
  /* Lifetime: state. Ids (columns service) of the columns that calls get, in this order. Each is
     covered by the declaration. Null: calls get the declared columns in their order. */
  const uint32_t* inputs;
  uint32_t input_count;
  uint32_t reserved;
  void* state; /* the plugin's; lives until `release` */
} berth_prepared;

/* A bit of reason ids: the text of the reason also depends on the position. Without this bit, equal
   ids of one template (over a dictionary: of one template and code) have equal texts, and the host
   asks once. */
#define BERTH_REASON_OF_POSITION 0x80000000u

/* A bit of berth_hook.input_types: a list column of elements of the type. Since ABI 1.1. */
#define BERTH_LIST_OF 0x100u

typedef struct berth_hook {
  uint32_t size;
  uint32_t depends; /* one of BERTH_DEPENDS_ */
  /* Lifetime: instance. Empty: the extension point's own space (nodes, pods or assignments). Else
     the id of a dictionary column of nodes; positions are the codes of that dictionary. */
  berth_string space;
  const berth_string* inputs; /* instance; column ids */
  uint32_t input_count;
  uint32_t reserved;

  /* [cycle] Called once per projected signature. Null: there is no state, and calls get the
     declared columns. */
  berth_code (*prepare)(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared);

  /* [cycle] Ends the life of a state that `prepare` returned. Null if `prepare` is null. */
  void (*release)(berth_plugin* plugin, void* state);

  /* [any] Null: reasons have no texts. Writes the texts of a reason that this hook gave, one
     `write` per reason; one id may stand for a set of reasons. `call` has the columns at count 1
     and the state of the refused pod. The host calls this only when somebody asks for the text. */
  void (*describe)(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                   const berth_text_sink* sink);

  /* Lifetime: instance. Since ABI 1.1. In step with `inputs`: the element type as which the plugin
     reads the column or the members of the family, with BERTH_LIST_OF if it reads lists; 0: it does
     not say. The host refuses a hook that reads a column as another type than the column has. Null:
     the plugin says nothing of any. */
  const uint32_t* input_types;
} berth_hook;

#endif /* BERTH_ABI_HOOK_H_ */
