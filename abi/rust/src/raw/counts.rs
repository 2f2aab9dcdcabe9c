//! Counts of pods: `berth/abi/counts.h`, whose comments are the contract.

use super::{berth_host, berth_string};

structs! {
    berth_pod_term {
        size: u32,
        selector: u32,
        namespaces: *const u32,
        namespace_count: u64,
        namespace_selector: u32,
        reserved: u32,
    }
    berth_count_query {
        size: u32,
        topology_key: u32,
        terms: *const u32,
        term_count: u64,
        participants: *const u32,
        participant_count: u64,
        pods: u32,
        flags: u32,
        resource: berth_string,
    }
    berth_carried_terms {
        size: u32,
        flags: u32,
        terms: berth_string,
        factor: i64,
    }
    berth_counts_service {
        size: u32,
        reserved: u32,
        term: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod_term) -> u32>,
        query: Option<unsafe extern "C" fn(*const berth_host, *const berth_count_query) -> u32>,
        node_counts: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        domain_counts: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        total: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        minimum: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        domains: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        carry: Option<unsafe extern "C" fn(*const berth_host, *const berth_carried_terms) -> u32>,
        node_carried: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        carriers: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
    }
}

numbers! {
    BERTH_COUNTS_PLACED: u32 = 1;
    BERTH_COUNTS_PLACED_TERMINATING: u32 = 2;
    BERTH_COUNTS_OVERLAID: u32 = 4;
    BERTH_COUNTS_OVERLAID_TERMINATING: u32 = 8;
    BERTH_COUNTS_EVERY_POD: u32 = 15;
    BERTH_COUNTS_UNKNOWN_NAMESPACES: u32 = 1;
    BERTH_COUNTS_UNLABELLED: u32 = 2;
}

texts! {
    BERTH_COUNTS_SERVICE = "berth.counts/0";
}
