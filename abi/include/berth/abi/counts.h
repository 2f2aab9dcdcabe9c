#ifndef BERTH_ABI_COUNTS_H_
#define BERTH_ABI_COUNTS_H_

#include "berth/abi/host.h"

/*
 * Counts of pods per topology domain, kept current by the host, and columns that a plugin publishes
 * itself. Drafts; a host that does not have them yet answers null to the look-up.
 */
#define BERTH_COUNTS_SERVICE "berth.counts/0"

/* Which pods: those that a label selector matches, in some namespaces. Pod columns hold handles of
   the terms that a pod spells out; these are for terms of a plugin's own. */
typedef struct berth_pod_term {
  uint32_t size;
  uint32_t selector;          /* handle of a label selector; 0: every pod */
  const uint32_t* namespaces; /* call; string ids */
  uint64_t namespace_count;
  uint32_t namespace_selector; /* handle; namespaces that it matches count as well; 0: none */
  uint32_t reserved;
} berth_pod_term;

/* How many pods in each domain of a topology key. */
typedef struct berth_count_query {
  uint32_t size;
  uint32_t topology_key; /* string id */
  const uint32_t* terms; /* call; handles of terms: a pod counts if it matches all */
  uint64_t term_count;
  const uint32_t* participants; /* call; ids of U8 columns: nodes take part where all are 1 ... */
  uint64_t participant_count;   /* ... and that have the key */
  uint32_t counts_terminating;  /* 1: pods that are being deleted count as well */
  uint32_t reserved;
} berth_count_query;

/* Terms that pods carry with them, wherever they run: the other direction. Columns in step. */
typedef struct berth_carried_terms {
  uint32_t size;
  uint32_t reserved;
  berth_string terms;   /* id of a pod column; U32, list: handles of terms */
  berth_string keys;    /* id of a pod column; U32, list: topology keys, string ids */
  berth_string weights; /* id of a pod column; I64, list; empty: 1 each */
  int64_t factor;       /* of each weight */
} berth_carried_terms;

struct berth_config;
struct berth_template;
typedef struct berth_counts_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] A metav1.LabelSelector that stands in a configuration. 0: reported as an error there. */
  uint32_t (*label_selector)(const berth_host* host, const struct berth_config* config,
                             uint32_t node);
  /* [init] [cycle] Equal terms are one, and so are equal queries. */
  uint32_t (*term)(const berth_host* host, const berth_pod_term* term);
  uint32_t (*query)(const berth_host* host, const berth_count_query* query);
  /* [cycle] Whether a term matches the pod of a template. */
  uint32_t (*matches)(const berth_host* host, uint32_t term, const struct berth_template* pod);

  /* [init] [cycle] Ids of the columns of a query, of the family "count:*": over the domains of the
     key the count (I64), over nodes the domain (U32, dictionary; 0: none), and of the cluster
     total, minimum and number of domains (I64). Under an overlay they are as they would be. */
  uint32_t (*domain_counts)(const berth_host* host, uint32_t query);
  uint32_t (*node_domains)(const berth_host* host, uint32_t query);
  uint32_t (*total)(const berth_host* host, uint32_t query);
  uint32_t (*minimum)(const berth_host* host, uint32_t query);
  uint32_t (*domains)(const berth_host* host, uint32_t query);

  /* [init] Makes a class of carried terms; equal ones are one. */
  uint32_t (*carry)(const berth_host* host, const berth_carried_terms* terms);
  /* [cycle] The id of a column of nodes (I64, "carried:*"): over all pods in the node's domains,
     the weights of their terms of the class that match the pod of the template, each in the domain
     of its key. */
  uint32_t (*carried)(const berth_host* host, uint32_t terms_class,
                      const struct berth_template* pod);
} berth_counts_service;

#define BERTH_PUBLISH_SERVICE "berth.publish/0"
typedef struct berth_publish_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] A column of the nodes table that belongs to this plugin, for everybody "node.ID". */
  uint32_t (*column)(const berth_host* host, berth_string id, uint32_t type);
  /* [cycle] Values of nodes, by the string ids of their names; logged like any other change. */
  berth_code (*write)(const berth_host* host, uint32_t column, uint64_t count,
                      const uint32_t* nodes, const void* values);
  /* [any] Everything that was derived from the plugin's external data is stale. */
  void (*raise_epoch)(const berth_host* host);
} berth_publish_service;

#endif /* BERTH_ABI_COUNTS_H_ */
