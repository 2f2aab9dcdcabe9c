#ifndef BERTH_ABI_OVERLAY_H_
#define BERTH_ABI_OVERLAY_H_

#include "berth/abi/hook.h"
#include "berth/abi/host.h"

/*
 * Overlays: a row of the node table with some pods added or removed, for nominated pods and for
 * preemption. Drafts.
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

/* The host's side. */
#define BERTH_WHAT_IF_SERVICE "berth.what_if/0"
typedef struct berth_what_if berth_what_if;
typedef struct berth_what_if_service {
  uint32_t size;
  uint32_t reserved;
  /* [rows] Makes an overlay of one row for the pod that is being decided. Valid until `end`. */
  berth_what_if* (*begin)(const berth_host* host, uint32_t row);
  void (*remove_pod)(berth_what_if* what_if, uint64_t pod);
  void (*add_pod)(berth_what_if* what_if, uint64_t pod);
  void (*reset)(berth_what_if* what_if);
  /* Runs all filters of the profile, nominated pods included. */
  berth_code (*filter)(berth_what_if* what_if);
  void (*end)(berth_what_if* what_if);
} berth_what_if_service;

/* Runs work of a [cycle] hook on several threads, such as the dry runs of preemption. */
#define BERTH_PARALLEL_SERVICE "berth.parallel/0"
typedef struct berth_parallel_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Calls body(context, i) as [rows] for each i < count. Returns when all calls have
     returned. */
  void (*for_each)(const berth_host* host, uint64_t count, void* context,
                   void (*body)(void* context, uint64_t i));
} berth_parallel_service;

#endif /* BERTH_ABI_OVERLAY_H_ */
