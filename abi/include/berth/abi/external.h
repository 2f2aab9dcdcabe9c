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
 * one value and is an input like any other: a hook that declares it gets its answers kept as long
 * as the epoch stays as it is, and is asked again after it was raised. Plugins that name the same
 * epoch share it; a name that begins with the id of the plugin is its own.
 *
 * What a thread of the plugin's own raises or wakes takes effect before the next pod that the host
 * takes out of the queue, so decisions depend on when that was. From [cycle] functions they are as
 * repeatable as the plugin.
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
  /* [any] The data of the epoch are others than before. The caller has written them already. */
  void (*raise)(const berth_host* host, uint32_t epoch);
  /* [any] Pods that this plugin refused may fit now: they are tried again as after an event that
     helps them, with their backoff. */
  void (*wake)(const berth_host* host);
} berth_external_service;

#endif /* BERTH_ABI_EXTERNAL_H_ */
