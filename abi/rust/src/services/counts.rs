//! Counts of placed pods that the host keeps up to date: `berth/abi/counts.h`.

use crate::failure::{Failure, Result};
use crate::host::{serve, Cycle, Host, Service};
use crate::raw::*;
use crate::text::to_abi;

/// Pods in some namespaces whose labels match a selector. Without namespaces and a namespace
/// selector: in every namespace.
#[derive(Clone, Copy, Default)]
pub struct PodTerm<'a> {
    /// A label selector; 0: every pod.
    pub selector: u32,
    /// String ids.
    pub namespaces: &'a [u32],
    /// A label selector of further namespaces; 0: none.
    pub namespace_selector: u32,
}

/// Counts pods in each domain, or what they request.
#[derive(Clone, Copy)]
pub struct CountQuery<'a> {
    /// String id; 0: each node is a domain of its own.
    pub topology_key: u32,
    /// A pod counts if it matches all of them.
    pub terms: &'a [u32],
    /// U8 columns of nodes. A node takes part if it has the key and all of them are 1.
    pub participants: &'a [u32],
    /// `BERTH_COUNTS_` bits of the pods that count.
    pub pods: u32,
    /// `BERTH_COUNTS_` flags.
    pub flags: u32,
    /// Each pod counts as often as it requests units of this resource. Empty: each counts once.
    /// Hosts with an ABI before 1.3 count each once.
    pub resource: &'a str,
}

/// A class of terms that pods carry to the node where they run.
#[derive(Clone, Copy)]
pub struct CarriedTerms<'a> {
    /// The pod column that lists the terms: one of `pod.*pod_*affinity_terms`.
    pub terms: &'a str,
    /// Each weight is multiplied by it.
    pub factor: i64,
    /// `BERTH_COUNTS_UNKNOWN_NAMESPACES` or 0.
    pub flags: u32,
}

/// Counts of placed pods. The numbers of columns are for
/// [`Preparation::add_id`](crate::Preparation::add_id).
#[derive(Clone, Copy)]
pub struct Counts(Service<berth_counts_service>);

fn known(handle: u32) -> Result<u32> {
    match handle {
        0 => Err(Failure::new("a malformed term or query; the log says why")),
        handle => Ok(handle),
    }
}

impl Counts {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_COUNTS_SERVICE).map(Counts)
    }

    /// The handle of a term. Fails if it is malformed.
    pub fn term(&self, _: Cycle<'_>, term: &PodTerm<'_>) -> Result<u32> {
        let raw = berth_pod_term {
            size: size_of::<berth_pod_term>(),
            selector: term.selector,
            namespaces: term.namespaces.as_ptr(),
            namespace_count: term.namespaces.len() as u64,
            namespace_selector: term.namespace_selector,
            reserved: 0,
        };
        known(serve!(self.0, term, &raw))
    }

    /// The handle of a query. Fails if it is malformed.
    pub fn query(&self, _: Cycle<'_>, query: &CountQuery<'_>) -> Result<u32> {
        let raw = berth_count_query {
            size: size_of::<berth_count_query>(),
            topology_key: query.topology_key,
            terms: query.terms.as_ptr(),
            term_count: query.terms.len() as u64,
            participants: query.participants.as_ptr(),
            participant_count: query.participants.len() as u64,
            pods: query.pods,
            flags: query.flags,
            resource: to_abi(query.resource),
        };
        known(serve!(self.0, query, &raw))
    }

    /// The column with the count in each node's domain (`node.count:*`, I64).
    pub fn node_counts(&self, _: Cycle<'_>, query: u32) -> u32 {
        serve!(self.0, node_counts, query)
    }

    /// The column with the count of each domain (`count:*`). 0: the query has no topology key.
    pub fn domain_counts(&self, _: Cycle<'_>, query: u32) -> u32 {
        serve!(self.0, domain_counts, query)
    }

    /// The column with the pods in all domains (`count_total:*`).
    pub fn total(&self, _: Cycle<'_>, query: u32) -> u32 {
        serve!(self.0, total, query)
    }

    /// The column with the pods in the domain with the fewest (`count_minimum:*`).
    pub fn minimum(&self, _: Cycle<'_>, query: u32) -> u32 {
        serve!(self.0, minimum, query)
    }

    /// The column with the number of domains (`count_domains:*`).
    pub fn domains(&self, _: Cycle<'_>, query: u32) -> u32 {
        serve!(self.0, domains, query)
    }

    /// A class of carried terms; at init. Fails if it is malformed.
    pub fn carry(&self, _: &Host<'_>, terms: &CarriedTerms<'_>) -> Result<u32> {
        let raw = berth_carried_terms {
            size: size_of::<berth_carried_terms>(),
            flags: terms.flags,
            terms: to_abi(terms.terms),
            factor: terms.factor,
        };
        known(serve!(self.0, carry, &raw))
    }

    /// The column with the sum of a match set's weights (`node.carried:*`).
    pub fn node_carried(&self, _: Cycle<'_>, match_set: u32) -> u32 {
        serve!(self.0, node_carried, match_set)
    }

    /// The column with how many terms of the match set pods carry (`carriers:*`).
    pub fn carriers(&self, _: Cycle<'_>, match_set: u32) -> u32 {
        serve!(self.0, carriers, match_set)
    }
}
