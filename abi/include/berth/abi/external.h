#ifndef BERTH_ABI_EXTERNAL_H_
#define BERTH_ABI_EXTERNAL_H_

#include "berth/abi/host.h"

/*
 * Data from outside of the model: measurements, files, answers of a server. A plugin reads them on
 * a thread of its own and keeps them. The host keeps answers (hook.h, berth_hook.depends), and pods
 * that were refused wait for an event of the cluster, so the plugin says when its data changed.
 * Draft. Since ABI 1.3.
 *
 * An epoch is a number that stands for such data. It is the column "cluster.epoch:NAME", which has
 * one value, 0 until it is raised, and is an input like any other: the answers of a hook that
 * declares it are kept as long as the epoch stays as it is, and the hook is asked again after it
 * was raised. Plugins that name the same epoch share it; a name that begins with the id of the
 * plugin is its own. States of `prepare` and keys of the queue are kept whatever the epoch is.
 *
 * What is raised or woken takes effect before the next pod leaves the queue. Where threads of the
 * plugin's own do it, decisions depend on when that was. From [cycle] functions it is as repeatable
 * as the plugin.
 *
 * Data may change within a decision, and a host that verifies a decision makes it twice. A plugin
 * whose calls of a decision are to see the same data takes over what its thread read in a [cycle]
 * function, PreFilter or PreScore, whenever the value of the epoch is another than before.
 */

/* Since ABI 1.3. */
#define BERTH_EXTERNAL_SERVICE "berth.external/0"

/* Since ABI 1.3. An instance names at most this many epochs. */
#define BERTH_EXTERNAL_MAX_EPOCHS 16u

/* Since ABI 1.3. */
typedef struct berth_external_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] A number, from 1, for the epoch of the column "cluster.epoch:NAME". 0: NAME is empty, or
     the instance has named BERTH_EXTERNAL_MAX_EPOCHS others. */
  uint32_t (*epoch)(const berth_host* host, berth_string name);
  /* [any] The data of the epoch are others than before; the caller has written them already. The
     epoch gets another value, one for all calls since the host looked last. Another number than
     `epoch` returned is logged. */
  void (*raise)(const berth_host* host, uint32_t epoch);
  /* [any] Pods that this plugin refused, in the profile of the instance, may fit now: they are
     tried again as after an event that helps them, with their backoff. Its PreEnqueue is asked
     again about the pods that it gates. */
  void (*wake)(const berth_host* host);
} berth_external_service;

#endif /* BERTH_ABI_EXTERNAL_H_ */
