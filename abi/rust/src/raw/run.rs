//! The thread, the time, random numbers and metrics: `berth/abi/worker.h`, `berth/abi/clock.h` and
//! `berth/abi/metrics.h`, whose comments are the contract.

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
}

numbers! {
    BERTH_NO_WORKER: u32 = 0xFFFF_FFFF;
    BERTH_SCRATCH_MAX_BYTES: u32 = 268_435_456;
    BERTH_MOST_METRICS: u32 = 256;
}

texts! {
    BERTH_WORKER_SERVICE = "berth.worker/0";
    BERTH_CLOCK_SERVICE = "berth.clock/0";
    BERTH_RANDOM_SERVICE = "berth.random/0";
    BERTH_METRICS_SERVICE = "berth.metrics/0";
}
