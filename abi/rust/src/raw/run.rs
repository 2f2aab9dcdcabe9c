//! The thread, the time, random numbers, metrics, rules, signing and data from outside:
//! `berth/abi/worker.h`, `berth/abi/clock.h`, `berth/abi/metrics.h`, `berth/abi/rules.h`,
//! `berth/abi/signing.h` and `berth/abi/external.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_host, berth_string};

structs! {
    berth_worker_service {
        size: u32,
        reserved: u32,
        count: Option<unsafe extern "C" fn(*const berth_host) -> u32>,
        index: Option<unsafe extern "C" fn(*const berth_host) -> u32>,
        scratch: Option<unsafe extern "C" fn(*const berth_host, u64) -> *mut c_void>,
    }
    berth_clock_service {
        size: u32,
        reserved: u32,
        now: Option<unsafe extern "C" fn(*const berth_host) -> i64>,
    }
    berth_random_service {
        size: u32,
        reserved: u32,
        bits: Option<unsafe extern "C" fn(*const berth_host, u64) -> u64>,
    }
    berth_metrics_service {
        size: u32,
        reserved: u32,
        counter: Option<unsafe extern "C" fn(*const berth_host, berth_string, berth_string) -> u32>,
        gauge: Option<unsafe extern "C" fn(*const berth_host, berth_string, berth_string) -> u32>,
        add: Option<unsafe extern "C" fn(*const berth_host, u32, u64)>,
        set: Option<unsafe extern "C" fn(*const berth_host, u32, i64)>,
    }
    berth_signing_service {
        size: u32,
        reserved: u32,
        compares: Option<unsafe extern "C" fn(*const berth_host, u64, u64) -> i32>,
        compares_column: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> i32>,
    }
    berth_external_service {
        size: u32,
        reserved: u32,
        epoch: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> u32>,
        raise: Option<unsafe extern "C" fn(*const berth_host, u32)>,
        wake: Option<unsafe extern "C" fn(*const berth_host)>,
    }
    berth_rules_service {
        size: u32,
        reserved: u32,
        holds: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> i32>,
        version: Option<unsafe extern "C" fn(*const berth_host, *mut berth_string)>,
    }
}

numbers! {
    BERTH_NO_WORKER: u32 = 0xFFFF_FFFF;
    BERTH_SCRATCH_MAX_BYTES: u32 = 268_435_456;
    BERTH_MOST_METRICS: u32 = 256;
    BERTH_EXTERNAL_MAX_EPOCHS: u32 = 16;
    BERTH_PART_LABELS: u32 = 1;
    BERTH_PART_REQUESTS: u32 = 2;
    BERTH_PART_TOLERATIONS: u32 = 4;
    BERTH_PART_NODE_SELECTION: u32 = 8;
    BERTH_PART_NODE_NAME: u32 = 16;
    BERTH_PART_HOST_PORTS: u32 = 32;
    BERTH_PART_IMAGES: u32 = 64;
    BERTH_PART_VOLUMES: u32 = 128;
    BERTH_PART_POD_AFFINITY: u32 = 256;
    BERTH_PART_SPREAD_CONSTRAINTS: u32 = 512;
    BERTH_RULE_NO: i32 = 0;
    BERTH_RULE_YES: i32 = 1;
    BERTH_RULE_UNKNOWN: i32 = 2;
}

texts! {
    BERTH_WORKER_SERVICE = "berth.worker/0";
    BERTH_CLOCK_SERVICE = "berth.clock/0";
    BERTH_RANDOM_SERVICE = "berth.random/0";
    BERTH_METRICS_SERVICE = "berth.metrics/0";
    BERTH_RULES_SERVICE = "berth.rules/0";
    BERTH_SIGNING_SERVICE = "berth.signing/0";
    BERTH_EXTERNAL_SERVICE = "berth.external/0";
}
