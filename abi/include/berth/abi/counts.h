#ifndef BERTH_ABI_COUNTS_H_
#define BERTH_ABI_COUNTS_H_

#include "berth/abi/host.h"

/*
 * Counts of placed pods that the host keeps up to date. Two directions: how many placed pods match
 * given terms, per topology domain (queries); and which of the terms that placed pods carry match
 * the pod that is being scheduled (carried terms). Draft.
 *
 * A term selects the pods in some namespaces whose labels match a selector. Pod columns list the
 * terms of a pod's own affinity and spread constraints as handles; the functions below make further
 * terms.
 *
 * A domain is the set of nodes that have the same value of one label, the topology key.
 * node.domain:KEY holds the dense code of each node's domain, and 0 where the node lacks the label.
 * Columns of counts by domain have one position per code. Codes are valid for one call: under an
 * overlay a call may get different codes, which are consistent among the columns of that call.
 *
 * Equal terms, queries and classes get the same handle. A handle that the plugin asked for at init
 * is valid as long as the instance. A handle that it got in `prepare`, or read from a pod column,
 * is valid as long as the template state.
 */
#define BERTH_COUNTS_SERVICE "berth.counts/0"

typedef struct berth_pod_term {
  uint32_t size;
  uint32_t selector; /* label selector (selectors service); 0: every pod */
  /* Lifetime: call. String ids. Without namespaces and a namespace_selector: every namespace. */
  const uint32_t* namespaces;
  uint64_t namespace_count;
  /* Label selector of further namespaces, by their labels; 0: none. */
  uint32_t namespace_selector;
  uint32_t reserved;
} berth_pod_term;

/* Bits of berth_count_query.pods: the pods that count. Terminating pods are being deleted. Overlaid
   pods are those that an overlay adds or removes (nominations, preemption). */
#define BERTH_COUNTS_PLACED 1u
#define BERTH_COUNTS_PLACED_TERMINATING 2u
#define BERTH_COUNTS_OVERLAID 4u
#define BERTH_COUNTS_OVERLAID_TERMINATING 8u
#define BERTH_COUNTS_EVERY_POD 15u

/* Bits of berth_count_query.flags and berth_carried_terms.flags. */

/* How a namespace selector treats a namespace without a Namespace object. With this flag, as a
   namespace without labels: kube-scheduler's rule for the terms that placed pods carry. Without it,
   the namespace is selected only if the selector matches an empty set of labels: the rule for the
   terms of the pod that is being scheduled. */
#define BERTH_COUNTS_UNKNOWN_NAMESPACES 1u
/* Queries only: nodes without the key belong to the domain of the empty value. */
#define BERTH_COUNTS_UNLABELLED 2u

/* Counts pods in each domain, or what they request. */
typedef struct berth_count_query {
  uint32_t size;
  /* String id; 0: each node is a domain of its own. */
  uint32_t topology_key;
  const uint32_t* terms; /* call; a pod counts if it matches all of them */
  uint64_t term_count;
  /* Lifetime: call. Column ids of U8 columns of nodes. A node takes part if it has the key and all
     these columns are 1. */
  const uint32_t* participants;
  uint64_t participant_count;
  uint32_t pods;  /* BERTH_COUNTS_ bits */
  uint32_t flags; /* BERTH_COUNTS_ flags */
  /* Lifetime: call. The name of a resource: each pod counts as often as it requests units of it
     (abi/columns.md: milli-CPU, bytes, whole units), so that counts are sums of requests as
     node.requested:RESOURCE has them. Empty: each pod counts once. Since ABI 1.3. */
  berth_string resource;
} berth_count_query;

/* A class of terms that pods carry to the node where they run. */
typedef struct berth_carried_terms {
  uint32_t size;
  uint32_t flags; /* BERTH_COUNTS_UNKNOWN_NAMESPACES */
  /* Id of the pod column that lists the terms: one of the pod.*pod_*affinity_terms. The columns
     that run in step with it hold the topology keys and the weights; without weights each is 1. */
  berth_string terms;
  int64_t factor; /* each weight is multiplied by it */
} berth_carried_terms;

typedef struct berth_counts_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] [cycle] The handle of a term or of a query. 0: malformed; the log says why. */
  uint32_t (*term)(const berth_host* host, const berth_pod_term* term);
  uint32_t (*query)(const berth_host* host, const berth_count_query* query);

  /* [init] [cycle] This and the next four functions return ids of I64 columns. node_counts: the
     count in each node's domain, 0 where the node lacks the key ("node.count:*", table nodes). A
     value changes only with the count of its own domain. */
  uint32_t (*node_counts)(const berth_host* host, uint32_t query);
  /* The count of each domain ("count:*", by the codes of node.domain:KEY; 0 for a domain without a
     node that takes part). Returns 0 if the query has no topology key. */
  uint32_t (*domain_counts)(const berth_host* host, uint32_t query);
  /* Columns with one value: pods in all domains ("count_total:*"), pods in the domain with the
     fewest, 0 if there is no domain ("count_minimum:*"), number of domains with a node that takes
     part ("count_domains:*"). */
  uint32_t (*total)(const berth_host* host, uint32_t query);
  uint32_t (*minimum)(const berth_host* host, uint32_t query);
  uint32_t (*domains)(const berth_host* host, uint32_t query);

  /* [init] Returns a class. The terms of a class that match a pod are the pod's match set; the
     column pod.carried:CLASS holds its handle, 0 if no term matches. 0: malformed; the log says
     why. */
  uint32_t (*carry)(const berth_host* host, const berth_carried_terms* terms);
  /* [cycle] Ids of I64 columns. node_carried ("node.carried:*", table nodes): for each node the
     sum, over all terms of the match set and all pods that carry the term in the node's domain of
     the term's key, of the term's weight. */
  uint32_t (*node_carried)(const berth_host* host, uint32_t match_set);
  /* A column with one value ("carriers:*"): how many terms of the match set pods carry on nodes
     that have the term's key. If it is 0, node_carried is 0 on every node. */
  uint32_t (*carriers)(const berth_host* host, uint32_t match_set);
} berth_counts_service;

#endif /* BERTH_ABI_COUNTS_H_ */
