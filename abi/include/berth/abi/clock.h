#ifndef BERTH_ABI_CLOCK_H_
#define BERTH_ABI_CLOCK_H_

#include "berth/abi/host.h"

/*
 * The time of the run, and random numbers. Both are functions of the input and of the run's seed:
 * decisions are the same on any number of threads and each time that they are made. Draft.
 *
 * Answers that the host keeps (hook.h, berth_hook.depends) must not depend on either. So these
 * functions refuse calls from `prepare`, from QueueSort, and from the functions of PreFilter,
 * Filter, PreScore, Score and overlays whose hook is not BERTH_DEPENDS_EXTERNAL: they return 0, and
 * the call of the hook fails with a text that names the plugin, the function and the service. From
 * `init` and others that are no function of a hook, and on threads of the plugin's own, they return
 * 0, which is logged.
 */

/* Since ABI 1.3. */
#define BERTH_CLOCK_SERVICE "berth.clock/0"
typedef struct berth_clock_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] [rows] [bind] Nanoseconds since 1970 by the clock of the run, which stands still during
     a decision. A run in virtual time begins at the latest time that its input tells of, or in
     2024. In [bind] functions: the time at which the first of the pods that are bound together was
     handed to binding. */
  int64_t (*now)(const berth_host* host);
} berth_clock_service;

/* Since ABI 1.3. */
#define BERTH_RANDOM_SERVICE "berth.random/0"
typedef struct berth_random_service {
  uint32_t size;
  uint32_t reserved;
  /* [cycle] [rows] [bind] 64 random bits: a function of the run's seed, the plugin's name, the
     attempt to schedule the pod that is being decided, and `stream`, and of nothing else. The
     plugin chooses `stream` by what the number is for, such as a value of node.name, and not by
     position or by counting calls, which hosts repeat and split.

     From PreFilter to Permit there is an attempt. Elsewhere (PreEnqueue, hints, Unreserve,
     pre_flight, [bind] functions) calls may be about several pods, and the number is that of the
     stream alone: pod.handle in it tells pods apart.

     The numbers of an attempt are those of splitmix64: number `stream` of the sequence whose state
     is made of the rest. They are no secret. */
  uint64_t (*bits)(const berth_host* host, uint64_t stream);
} berth_random_service;

#endif /* BERTH_ABI_CLOCK_H_ */
