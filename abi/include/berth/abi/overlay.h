#ifndef BERTH_ABI_OVERLAY_H_
#define BERTH_ABI_OVERLAY_H_

#include "berth/abi/hook.h"
#include "berth/abi/host.h"

/*
 * Overlays: a row of the node table with some pods added or removed, for nominated pods and for
 * preemption. The extension point is stable, the services are drafts.
 *
 * The host overlays its own columns and calls a filter again for that row. A plugin whose answers
 * depend on columns only needs no part of this header. `berth_overlay_state` is for plugins whose
 * template state depends on the pods of nodes. The what-if service lets a PostFilter plugin try
 * removals.
 */

/* The plugin's side: a Filter's state that follows the pods of one row.
 *
 * Every call of the plugin's Filter for a changed row (filter, reasons, describe) has the scratch
 * in `berth_call.state` in place of the state from `prepare`; so a scratch must be laid out as the
 * Filter reads its state. The inputs of the call are those that `prepare` chose. Rows without
 * changes, templates without a state, and templates whose state PASSES get no scratch.
 *
 * The host keeps one scratch per thread and template. It applies the changes in order: first those
 * of a dry run, then the pods nominated to the row. */
#define BERTH_OVERLAY_STATE "berth.overlay_state/0"
typedef struct berth_overlay_state {
  uint32_t size;
  uint32_t reserved;
  /* Lifetime: instance. Declares the columns of the pod that is added or removed, count 1. */
  const berth_hook* hook;
  /* [rows] Makes a scratch copy of `base`, a state from the Filter's `prepare`, which outlives the
     scratch. Null: the pod fails. */
  void* (*begin)(berth_plugin* plugin, const void* base);
  /* [rows] `pod` has the declared columns of the pod. BERTH_ERROR fails the row with the text in
     `pod->error`. */
  berth_code (*add_pod)(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t row);
  berth_code (*remove_pod)(berth_plugin* plugin, void* scratch, const berth_call* pod,
                           uint32_t row);
  /* [rows] Sets the scratch back to the `base` that it was made of. */
  void (*reset)(berth_plugin* plugin, void* scratch, const void* base);
  /* [rows] Ends the scratch's life. */
  void (*end)(berth_plugin* plugin, void* scratch);
} berth_overlay_state;

/* The host's side. Serves calls of a PostFilter, for the pod that is being decided. */
#define BERTH_WHAT_IF_SERVICE "berth.what_if/0"
typedef struct berth_what_if berth_what_if;

/* Since ABI 1.3. How long results of what-ifs hold, for plugins that keep them from one call to the
 * next. Of calls with the same `kind`, what-ifs cannot tell the pods apart. As long as a kind has
 * the same stamp for a row, what-ifs of the row have the same pods, and answer the same changes
 * with the same codes and reasons. The stamp also covers the columns of the row's pods, except
 * pod.queued_at and pod.nominated_node. The plugin looks after the columns of the call itself
 * (`berth_column.generation`). */
typedef struct berth_what_if_kept {
  uint32_t size; /* the plugin sets it, and the host writes what it covers */
  uint32_t reserved;
  uint64_t kind;          /* not 0; never used again for other pods */
  const uint64_t* by_row; /* call; by values of node.row; never 0 */
  uint64_t rows;
} berth_what_if_kept;

/* Deprecated since ABI 1.3: use berth_what_if_kept. The same without a size. */
typedef struct berth_what_if_stamps {
  uint64_t kind;
  const uint64_t* by_row;
  uint64_t rows;
} berth_what_if_stamps;

typedef struct berth_what_if_service {
  uint32_t size;
  uint32_t reserved;
  /* [rows] Makes an overlay of one row, a value of node.row. Valid until `end`, which the same
     thread calls. Null: there is no such row, or no PostFilter is being called. */
  berth_what_if* (*begin)(const berth_host* host, uint32_t row);
  /* [rows] The pods of the row as it is without changes, in their order of arrival: a position is
     a pod. The columns are those that the PostFilter declared. Pod columns have one value per pod,
     except those that depend on other pods or on controllers; these, and columns of other tables,
     have null data. Lifetime: until `end`. */
  const berth_call* (*pods)(berth_what_if* what_if);
  /* [rows] Removes the pod at a position of `pods`, or adds it back. A pod can be removed once
     until it is added back. */
  void (*remove_pod)(berth_what_if* what_if, uint64_t position);
  void (*add_pod)(berth_what_if* what_if, uint64_t position);
  /* [rows] Back to the row without changes. */
  void (*reset)(berth_what_if* what_if);
  /* [rows] Runs all filters of the profile, nominated pods included. The code of the first refusal,
     SUCCESS or ERROR. */
  berth_code (*filter)(berth_what_if* what_if);
  /* [rows] Writes the reasons of the last `filter`, if it refused the row or failed, one `write`
     each. */
  void (*reasons)(berth_what_if* what_if, const berth_text_sink* sink);
  void (*end)(berth_what_if* what_if); /* [rows] */
  /* [cycle] Deprecated since ABI 1.3: use `kept`. */
  uint32_t (*stamps)(const berth_host* host, berth_what_if_stamps* out);
  /* [cycle] Since ABI 1.3. 0: results cannot be kept, and `out` is not written. */
  uint32_t (*kept)(const berth_host* host, berth_what_if_kept* out);
} berth_what_if_service;

/* Runs work of a PostFilter on several threads, such as the dry runs of preemption. Outside of a
   call of a PostFilter there is one thread. */
#define BERTH_PARALLEL_SERVICE "berth.parallel/0"
typedef struct berth_parallel_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Calls body(context, i) as [rows] for each i < count. Returns when all calls have
     returned. */
  void (*for_each)(const berth_host* host, uint64_t count, void* context,
                   void (*body)(void* context, uint64_t i));
} berth_parallel_service;

/* Lets extenders that preempt change the candidates of a PostFilter that evicts pods. */
#define BERTH_PREEMPT_EXTENDERS_SERVICE "berth.preempt_extenders/0"
/* Since ABI 1.3. */
typedef struct berth_preempt_choice {
  uint32_t size;
  uint32_t row;            /* a value of node.row */
  const uint64_t* victims; /* values of pod.handle: pods of the row, the most important first */
  uint64_t victim_count;
  int64_t violations; /* victims whose disruption budget does not allow their eviction */
} berth_preempt_choice;

/* Deprecated since ABI 1.3: use berth_preempt_choice. The same without a size. */
typedef struct berth_preempt_candidate {
  uint32_t row;
  uint32_t reserved;
  const uint64_t* victims;
  uint64_t victim_count;
  int64_t violations;
} berth_preempt_candidate;
typedef struct berth_preempt_extenders_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Deprecated since ABI 1.3: use `choose`. */
  berth_code (*ask)(const berth_host* host, const berth_preempt_candidate* candidates,
                    uint64_t count, void* context,
                    void (*take)(void* context, const berth_preempt_candidate* candidate),
                    const berth_text_sink* error);
  /* [cycle] 0: no extender preempts, so `choose` answers SKIP. */
  uint32_t (*present)(const berth_host* host);
  /* [cycle] Since ABI 1.3. Asks the extenders, one after the other. Each row is the row of one
     choice. SUCCESS: `take` was called for each choice that they left, which may have other victims
     and another row; it lives as long as the call of `take`. SKIP: no extender preempts, and `take`
     was not called. ERROR: the preemption failed, with the text in `error`. */
  berth_code (*choose)(const berth_host* host, const berth_preempt_choice* const* choices,
                       uint64_t count, void* context,
                       void (*take)(void* context, const berth_preempt_choice* choice),
                       const berth_text_sink* error);
} berth_preempt_extenders_service;

#endif /* BERTH_ABI_OVERLAY_H_ */
