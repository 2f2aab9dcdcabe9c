#ifndef BERTH_ABI_COUNTS_H_
#define BERTH_ABI_COUNTS_H_

#include "berth/abi/host.h"

/*
 * Counts of pods per topology domain, kept current by the host, and columns that a plugin publishes itself.
 * Drafts; a host that does not have them yet answers null to the look-up.
 */
#define BERTH_COUNTS_SERVICE "berth.counts/0"

/* Handles of selectors, string ids of namespaces; all lists live for the call. */
typedef struct berth_count_query {
  uint32_t size;
  uint32_t topology_key;             /* string id */
  const uint32_t* namespaces;        /* or, with count 0, those that the selector matches */
  uint64_t namespace_count;
  uint32_t namespace_selector;       /* handle of a label selector */
  uint32_t counts_terminating;       /* 1: pods that are being deleted count as well */
  const uint32_t* selectors;         /* a pod counts if all of them match */
  uint64_t selector_count;
  uint32_t participants;             /* column id, U8: nodes that take part; 0: all that have the key */
  uint32_t reserved;
} berth_count_query;

typedef struct berth_counts_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] [cycle] Equal queries are one. The ids of its columns: over the domains of the key the count (I64),
     over nodes the domain (dictionary), as cluster scalars total, minimum and number of domains. */
  uint32_t (*query)(const berth_host* host, const berth_count_query* query);
  uint32_t (*domain_counts)(const berth_host* host, uint32_t query);
  uint32_t (*node_domains)(const berth_host* host, uint32_t query);
  uint32_t (*total)(const berth_host* host, uint32_t query);
  uint32_t (*minimum)(const berth_host* host, uint32_t query);
  uint32_t (*domains)(const berth_host* host, uint32_t query);
} berth_counts_service;

#define BERTH_PUBLISH_SERVICE "berth.publish/0"
typedef struct berth_publish_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] A column of the nodes table that belongs to this plugin: its id for everybody is "node.ID". */
  uint32_t (*column)(const berth_host* host, berth_string id, uint32_t type);
  /* [cycle] Values of nodes, by the string ids of their names; the change is logged like any other. */
  berth_code (*write)(const berth_host* host, uint32_t column, uint64_t count, const uint32_t* nodes,
                      const void* values);
  /* [any] Everything that was derived from the plugin's external data is stale. */
  void (*raise_epoch)(const berth_host* host);
} berth_publish_service;

#endif /* BERTH_ABI_COUNTS_H_ */
