#ifndef BERTH_ABI_SIGNING_H_
#define BERTH_ABI_SIGNING_H_

#include "berth/abi/host.h"

/*
 * The parts of a pod by which a plugin decides. Two pods that are equal in the parts that all
 * plugins of a profile name get the same verdicts and scores from them on nodes that are as they
 * were. If the profile's PreFilter, Filter, PreScore and Score plugins all say so, the host may
 * give a pod the next best node of an equal pod before it (kube-scheduler's batches). A plugin that
 * says nothing keeps the host from that. Draft.
 */

/* Since ABI 1.3. */
#define BERTH_SIGNING_SERVICE "berth.signing/0"

/* Since ABI 1.3. Parts of a pod, as bits. They are compared as kube-scheduler 1.36 compares them.
 */
#define BERTH_PART_LABELS 1u
#define BERTH_PART_REQUESTS 2u /* of resources, with overhead */
#define BERTH_PART_TOLERATIONS 4u
#define BERTH_PART_NODE_SELECTION 8u /* node selector and node affinity */
#define BERTH_PART_NODE_NAME 16u
#define BERTH_PART_HOST_PORTS 32u    /* the numbers alone */
#define BERTH_PART_IMAGES 64u        /* the set of the containers' images */
#define BERTH_PART_VOLUMES 128u      /* but for those of ConfigMaps and Secrets */
#define BERTH_PART_POD_AFFINITY 256u /* affinity and anti-affinity */
#define BERTH_PART_SPREAD_CONSTRAINTS 512u

/* Since ABI 1.3. What several calls say adds up. */
typedef struct berth_signing_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] The plugin decides by these parts; 0: by none. Pods that have some of `without` it
     cannot compare. BERTH_PART_POD_AFFINITY and BERTH_PART_SPREAD_CONSTRAINTS stand in `without`
     alone. An unknown bit is refused: the answer is BERTH_ERROR, and the plugin has said nothing.
   */
  berth_code (*compares)(const berth_host* host, uint64_t parts, uint64_t without);
  /* [init] The plugin also decides by this pod column. BERTH_ERROR: the host has no such column. */
  berth_code (*compares_column)(const berth_host* host, berth_string column);
} berth_signing_service;

#endif /* BERTH_ABI_SIGNING_H_ */
