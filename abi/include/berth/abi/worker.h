#ifndef BERTH_ABI_WORKER_H_
#define BERTH_ABI_WORKER_H_

#include "berth/abi/host.h"

/*
 * The thread that runs a function of the plugin: its number, for memory that the plugin keeps for
 * each thread, and scratch memory of the host. Threads of the plugin's own have neither. Draft.
 */

/* Since ABI 1.3. */
#define BERTH_WORKER_SERVICE "berth.worker/0"

/* Since ABI 1.3. The number of a thread that runs no function of the plugin. */
#define BERTH_NO_WORKER 0xFFFFFFFFu

/* Since ABI 1.3. `scratch` gives at most this many bytes. */
#define BERTH_SCRATCH_MAX_BYTES 268435456u

/* Since ABI 1.3. */
typedef struct berth_worker_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] How many threads at most run functions of the instance at once. It stays as it is for
     the life of the instance. */
  uint32_t (*count)(const berth_host* host);
  /* [init] [cycle] [rows] [bind] The number of the calling thread, below `count`. No two calls of
     the instance that run at the same time have the same one. The number of a thread may be another
     in the next call. BERTH_NO_WORKER, and logged, on a thread of the plugin's own. */
  uint32_t (*index)(const berth_host* host);
  /* [cycle] [rows] [bind] At least `bytes` of memory, aligned to 64 bytes, for the function that
     asks, until it returns. What is in it is undefined. Asking again within the function ends the
     life of what it got before; functions that run within it, such as a filter in a what-if, and
     bodies of `parallel.for_each`, have memory of their own. The host uses the memory again for
     later calls. Null: more than BERTH_SCRATCH_MAX_BYTES, there is no memory, or, which is logged,
     no such function runs on the thread. */
  void* (*scratch)(const berth_host* host, uint64_t bytes);
} berth_worker_service;

#endif /* BERTH_ABI_WORKER_H_ */
