#ifndef BERTH_ABI_METRICS_H_
#define BERTH_ABI_METRICS_H_

#include "berth/abi/host.h"

/*
 * Numbers that a plugin shows to those who run it. The host shows them by the plugin and their
 * names in the summary of a run. The instances of a plugin share them. Decisions must not depend on
 * them, so they cannot be read. Draft.
 */

/* Since ABI 1.3. */
#define BERTH_METRICS_SERVICE "berth.metrics/0"

/* Since ABI 1.3. Metrics of one plugin at most. */
#define BERTH_MOST_METRICS 256u

/* Since ABI 1.3. */
typedef struct berth_metrics_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] Makes a metric that begins at 0, and returns its handle, which is valid as long as the
     instance. `name` is [a-zA-Z_][a-zA-Z0-9_]*, 128 bytes at most; `help` says in a sentence what
     is counted. A name that the plugin has already has the same handle. 0: refused, for another
     name, one that is of the other kind, or more than BERTH_MOST_METRICS; the log says why. */
  uint32_t (*counter)(const berth_host* host, berth_string name, berth_string help);
  uint32_t (*gauge)(const berth_host* host, berth_string name, berth_string help);
  /* [any] Adds to a counter; sets a gauge, where the last call counts. Without a lock. Threads that
     write one metric at a time wait for each other's writes, so a function adds once for all of its
     positions. A handle that is not of such a metric is logged. */
  void (*add)(const berth_host* host, uint32_t counter, uint64_t delta);
  void (*set)(const berth_host* host, uint32_t gauge, int64_t value);
} berth_metrics_service;

#endif /* BERTH_ABI_METRICS_H_ */
