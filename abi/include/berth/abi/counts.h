#ifndef BERTH_ABI_COUNTS_H_
#define BERTH_ABI_COUNTS_H_

#include "berth/abi/host.h"

/*
 * Counts of pods that the host keeps current: which of the placed pods some terms match, by
 * topology domain; and, the other direction, which of the terms that placed pods carry match the
 * pod that is to be placed. A draft.
 *
 * A term is: pods in some namespaces whose labels a selector matches. The terms that a pod spells
 * out are in its columns, as handles; these functions make more.
 *
 * A domain is the set of nodes that have one value of a label, the topology key. node.domain:KEY
 * holds the dense code of each node's domain, 0 where the node does not have the label; the columns
 * of counts have one position a code. Codes mean nothing beyond one call: under an overlay a call
 * may get other ones, that match each other.
 *
 * Equal terms, queries and classes are one. They live as long as the host.
 */
#define BERTH_COUNTS_SERVICE "berth.counts/0"

typedef struct berth_pod_term {
  uint32_t size;
  uint32_t selector;          /* label selector (selectors service); 0: every pod */
  const uint32_t* namespaces; /* call; string ids; none, and no selector: every namespace */
  uint64_t namespace_count;
  uint32_t namespace_selector; /* label selector; namespaces that it matches as well; 0: none */
  uint32_t reserved;
} berth_pod_term;

/* Bits of berth_count_query.pods: which pods count. Terminating ones are being deleted; overlaid
   ones are those that an overlay adds or takes away (nominations, preemption). */
#define BERTH_COUNTS_PLACED 1u
#define BERTH_COUNTS_PLACED_TERMINATING 2u
#define BERTH_COUNTS_OVERLAID 4u
#define BERTH_COUNTS_OVERLAID_TERMINATING 8u
#define BERTH_COUNTS_EVERY_POD 15u

/* Flags of queries and of classes. */
/* Terms are matched as those that pods carry: a namespace that nobody described is selected like
   one that has no labels. Else as those of the pod that is to be placed: only namespaces that
   somebody described are selected by their labels, and all by a selector that matches where there
   are none. */
#define BERTH_COUNTS_UNKNOWN_NAMESPACES 1u
/* Of queries: nodes without the key are in the domain of the empty value. */
#define BERTH_COUNTS_UNLABELLED 2u

/* How many pods in each domain. */
typedef struct berth_count_query {
  uint32_t size;
  uint32_t topology_key; /* string id; 0: each node is a domain of its own */
  const uint32_t* terms; /* call; a pod counts if all match it */
  uint64_t term_count;
  const uint32_t*
      participants; /* call; column ids, U8 of nodes: nodes take part where all are 1 ... */
  uint64_t participant_count; /* ... and that have the key */
  uint32_t pods;              /* BERTH_COUNTS_ bits */
  uint32_t flags;             /* BERTH_COUNTS_ flags */
} berth_count_query;

/* A class of terms that pods carry with them, wherever they run. */
typedef struct berth_carried_terms {
  uint32_t size;
  uint32_t flags; /* BERTH_COUNTS_UNKNOWN_NAMESPACES */
  /* id of the pod column that lists the terms: one of the pod.*pod_*affinity_terms. Their topology
     keys and weights (1 each, where there are none) stand in the columns that go with it. */
  berth_string terms;
  int64_t factor; /* of each weight */
} berth_carried_terms;

typedef struct berth_counts_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] [cycle] 0: not well-formed, the log says why. */
  uint32_t (*term)(const berth_host* host, const berth_pod_term* term);
  uint32_t (*query)(const berth_host* host, const berth_count_query* query);

  /* [init] [cycle] Column ids, all I64. The count in each node's domain, 0 where the node has no
     label ("node.count:*", of nodes): what a rule about nodes wants; a node's value changes only
     with its own domain. */
  uint32_t (*node_counts)(const berth_host* host, uint32_t query);
  /* The count of each domain ("count:*", by the codes of node.domain:KEY; 0 in domains without a
     node that takes part). 0 if the query has no topology key. */
  uint32_t (*domain_counts)(const berth_host* host, uint32_t query);
  /* One value each: pods in all domains ("count_total:*"), pods in the domain that has the fewest,
     0 if there is no domain ("count_minimum:*"), domains with a node that takes part
     ("count_domains:*"). */
  uint32_t (*total)(const berth_host* host, uint32_t query);
  uint32_t (*minimum)(const berth_host* host, uint32_t query);
  uint32_t (*domains)(const berth_host* host, uint32_t query);

  /* [init] The terms of a class that match a pod are its match set; the column pod.carried:CLASS
     has its handle, 0 if nothing matches. 0: not well-formed, the log says why. */
  uint32_t (*carry)(const berth_host* host, const berth_carried_terms* terms);
  /* [cycle] Column ids, I64. Over all terms of the match set, and all pods in the node's domain of
     the term's key that carry the term, its weight ("node.carried:*", of nodes). */
  uint32_t (*node_carried)(const berth_host* host, uint32_t match_set);
  /* One value: how many terms of the match set pods carry, on nodes that have the term's key
     ("carriers:*"). Where it is 0, node_carried is 0 everywhere. */
  uint32_t (*carriers)(const berth_host* host, uint32_t match_set);
} berth_counts_service;

/* Columns that a plugin publishes itself. A draft that no host has yet. */
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
