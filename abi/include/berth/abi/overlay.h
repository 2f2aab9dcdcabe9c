#ifndef BERTH_ABI_OVERLAY_H_
#define BERTH_ABI_OVERLAY_H_

#include "berth/abi/hook.h"
#include "berth/abi/host.h"

/*
 * What would be if: a row of the node table with some pods added or removed, for nominations and
 * for preemption. Drafts.
 *
 * The host overlays its own columns and calls a filter again with that row: a plugin that reads
 * nothing but columns needs nothing of this. `berth_overlay_state` is for plugins whose template
 * state depends on the pods of nodes; the what-if service is how a PostFilter plugin tries
 * removals.
 */

/* A plugin's side: state that follows pods on one row. One scratch per thread. */
#define BERTH_OVERLAY_STATE "berth.overlay_state/0"
typedef struct berth_overlay_state {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance; columns of the pod that comes or goes, count 1 */
  /* [rows] A scratch copy of `base` (a state from prepare); reset brings it back to base. */
  void* (*begin)(berth_plugin* plugin, const void* base);
  berth_code (*add_pod)(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t row);
  berth_code (*remove_pod)(berth_plugin* plugin, void* scratch, const berth_call* pod,
                           uint32_t row);
  void (*reset)(berth_plugin* plugin, void* scratch, const void* base);
  void (*end)(berth_plugin* plugin, void* scratch);
} berth_overlay_state;

/* The host's side. */
#define BERTH_WHAT_IF_SERVICE "berth.what_if/0"
typedef struct berth_what_if berth_what_if;
typedef struct berth_what_if_service {
  uint32_t size;
  uint32_t reserved;
  /* [rows] An overlay of one row for the pod that is being decided; lives until `end`. */
  berth_what_if* (*begin)(const berth_host* host, uint32_t row);
  void (*remove_pod)(berth_what_if* what_if, uint64_t pod);
  void (*add_pod)(berth_what_if* what_if, uint64_t pod);
  void (*reset)(berth_what_if* what_if);
  berth_code (*filter)(
      berth_what_if* what_if); /* all filters of the profile, nominations included */
  void (*end)(berth_what_if* what_if);
} berth_what_if_service;

/* Work on several threads from a hook that runs on one, such as dry runs of preemption. */
#define BERTH_PARALLEL_SERVICE "berth.parallel/0"
typedef struct berth_parallel_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] Calls body(context, i) for i in 0 .. count - 1, [rows]; returns when all have. */
  void (*for_each)(const berth_host* host, uint64_t count, void* context,
                   void (*body)(void* context, uint64_t i));
} berth_parallel_service;

#endif /* BERTH_ABI_OVERLAY_H_ */
