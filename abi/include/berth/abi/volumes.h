#ifndef BERTH_ABI_VOLUMES_H_
#define BERTH_ABI_VOLUMES_H_

#include "berth/abi/base.h"
#include "berth/abi/host.h"

/*
 * Claims, volumes and the objects of storage, for plugins that place pods with volumes. All names
 * and texts are string ids (strings service); 0 is "absent". Objects are valid until the call of
 * the plugin's function ends. A hook that uses the service declares the column pod.volumes_version,
 * which differs for pods with volumes whenever an answer of this service may, so that states are
 * prepared again.
 */
#define BERTH_VOLUMES_SERVICE "berth.volumes/0"

/* Bits of access modes. */
#define BERTH_READ_WRITE_ONCE 1u
#define BERTH_READ_ONLY_MANY 2u
#define BERTH_READ_WRITE_MANY 4u
#define BERTH_READ_WRITE_ONCE_POD 8u

/* Bits of berth_claim.flags and berth_volume.flags. */
#define BERTH_CLAIM_BIND_COMPLETED 1u
#define BERTH_CLAIM_LOST 2u
#define BERTH_CLAIM_TERMINATING 4u
#define BERTH_CLAIM_BLOCK 8u
#define BERTH_CLAIM_HAS_STORAGE 16u
/* A pod on a node that exists names the claim, not as an ephemeral volume. */
#define BERTH_CLAIM_USED 32u
#define BERTH_VOLUME_AVAILABLE 1u
#define BERTH_VOLUME_TERMINATING 2u
#define BERTH_VOLUME_BLOCK 4u
#define BERTH_VOLUME_HAS_CLAIM 8u
#define BERTH_VOLUME_ASSUMED 16u /* the claim was set by assume_volume */

typedef struct berth_claim {
  uint32_t size;
  uint32_t flags;
  uint32_t namespace_name, name, uid;
  uint32_t owner_uid;        /* of the managing owner */
  uint32_t volume;           /* name of the volume that the claim is bound to */
  uint32_t storage_class;    /* 0: none */
  uint32_t selected_node;    /* 0: none is selected */
  uint32_t access_modes;     /* BERTH_READ_ bits */
  uint32_t attributes_class; /* 0: none */
  uint32_t reserved;
  int64_t storage; /* request, bytes */
} berth_claim;

typedef struct berth_volume {
  uint32_t size;
  uint32_t flags;
  uint32_t name;
  uint32_t claim_namespace, claim_name, claim_uid;
  uint32_t storage_class;
  uint32_t access_modes;
  uint32_t attributes_class;
  uint32_t node_affinity; /* handle of the selectors service; 0: any node */
  uint32_t csi_driver, csi_handle;
  uint32_t plugin, plugin_handle; /* of an in-tree source that a CSI driver replaces */
  int64_t storage;                /* capacity, bytes */
  /* Labels: label_count pairs of key and value, string ids. */
  const uint32_t* labels;
  uint32_t label_count;
  uint32_t reserved;
} berth_volume;

/* Bits of berth_storage_class.flags. */
#define BERTH_CLASS_HAS_BINDING_MODE 1u
#define BERTH_CLASS_WAITS 2u /* WaitForFirstConsumer */

typedef struct berth_storage_class {
  uint32_t size;
  uint32_t flags;
  uint32_t name;
  uint32_t provisioner;
  uint32_t allowed_topologies; /* handle of a node selector; 0: any node */
  uint32_t reserved;
} berth_storage_class;

typedef struct berth_csi_node {
  uint32_t size;
  uint32_t name;
  uint32_t migrated_plugins; /* the annotation's text */
  uint32_t driver_count;
  const uint32_t* drivers; /* names */
  const int64_t* limits;   /* in step; -1: none */
} berth_csi_node;

typedef struct berth_csi_driver {
  uint32_t size;
  uint32_t name;
  uint32_t storage_capacity; /* 1: capacities are published and count */
  uint32_t reserved;
} berth_csi_driver;

/* Bits of berth_csi_capacity.flags. */
#define BERTH_CAPACITY_HAS_LIMIT 1u
#define BERTH_CAPACITY_EVERYWHERE 2u /* the topology is an empty selector */

typedef struct berth_csi_capacity {
  uint32_t size;
  uint32_t flags;
  uint32_t storage_class;
  uint32_t topology; /* handle of a node selector; 0: no node, unless it is everywhere */
  int64_t limit;     /* size of the largest volume, bytes */
  int64_t capacity;  /* Since ABI 1.2: what is left for new volumes, bytes; 0: not known */
} berth_csi_capacity;

typedef struct berth_volume_attachment {
  uint32_t size;
  uint32_t attacher;
  uint32_t node_name;
  uint32_t volume; /* name; 0: none */
} berth_volume_attachment;

/* [cycle] unless a function says otherwise. Look-ups return null if there is no such object. A
   `next_` function gives the objects one by one, in an order of its own, which is the same as long
   as nothing changes: null asks for the first, and null is returned after the last. */
typedef struct berth_volumes_service {
  uint32_t size;
  uint32_t reserved;
  uint64_t (*version)(const berth_host* host); /* differs whenever an answer may */
  const berth_claim* (*claim)(const berth_host* host, uint32_t namespace_name, uint32_t name);
  const berth_volume* (*volume)(const berth_host* host, uint32_t name);
  const berth_storage_class* (*storage_class)(const berth_host* host, uint32_t name);
  const berth_csi_driver* (*csi_driver)(const berth_host* host, uint32_t name);
  const berth_claim* (*next_claim)(const berth_host* host, const berth_claim* after);
  const berth_volume* (*next_volume)(const berth_host* host, const berth_volume* after);
  const berth_csi_node* (*next_csi_node)(const berth_host* host, const berth_csi_node* after);
  const berth_csi_capacity* (*next_capacity)(const berth_host* host,
                                             const berth_csi_capacity* after);
  const berth_volume_attachment* (*next_attachment)(const berth_host* host,
                                                    const berth_volume_attachment* after);
  /* 1: the claim's selector matches the volume's labels, or the claim has none. */
  uint32_t (*selects)(const berth_host* host, const berth_claim* claim, const berth_volume* volume);
  /* 1: the node that is there under this name matches the selector (selectors service). */
  uint32_t (*node_matches)(const berth_host* host, uint32_t selector, uint32_t node_name);
  /* What a scheduler decides for a pod (the value of pod.handle) before it is written: a volume is
     for a claim; a node is selected for a claim whose volume has to be made. All hooks see it until
     the pod forgets it, unless another pod assumes the same, or until a later object of the cluster
     replaces it. BERTH_ERROR: there is no such object. */
  berth_code (*assume_volume)(const berth_host* host, uint64_t pod, uint32_t volume,
                              const berth_claim* claim);
  berth_code (*assume_claim)(const berth_host* host, uint64_t pod, uint32_t namespace_name,
                             uint32_t name, uint32_t node_name);
  void (*forget_volume)(const berth_host* host, uint64_t pod, uint32_t volume);
  void (*forget_claim)(const berth_host* host, uint64_t pod, uint32_t namespace_name,
                       uint32_t name);
  /* Writes to the API server what the pod assumed; an event of the object follows when the batch of
     binding cycles is over. SUCCESS without effect if it is written so already. BERTH_ERROR: the
     pod does not assume this any more, because the object changed or is gone. */
  berth_code (*write_volume)(const berth_host* host, uint64_t pod, uint32_t volume,
                             const berth_claim* claim);
  berth_code (*write_claim)(const berth_host* host, uint64_t pod, uint32_t namespace_name,
                            uint32_t name, uint32_t node_name);
  /* As `claim` and `volume`, as the API server has the object: without what is assumed. */
  const berth_claim* (*written_claim)(const berth_host* host, uint32_t namespace_name,
                                      uint32_t name);
  const berth_volume* (*written_volume)(const berth_host* host, uint32_t name);
} berth_volumes_service;

#endif /* BERTH_ABI_VOLUMES_H_ */
