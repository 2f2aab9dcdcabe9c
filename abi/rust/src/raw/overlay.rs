//! Overlays and what-ifs: `berth/abi/overlay.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_call, berth_hook, berth_host, berth_plugin, berth_text_sink, berth_what_if};

structs! {
    berth_overlay_state {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        begin: Option<unsafe extern "C" fn(*mut berth_plugin, *const c_void) -> *mut c_void>,
        add_pod: Option<unsafe extern "C" fn(
            *mut berth_plugin, *mut c_void, *const berth_call, u32,
        ) -> i32>,
        remove_pod: Option<unsafe extern "C" fn(
            *mut berth_plugin, *mut c_void, *const berth_call, u32,
        ) -> i32>,
        reset: Option<unsafe extern "C" fn(*mut berth_plugin, *mut c_void, *const c_void)>,
        end: Option<unsafe extern "C" fn(*mut berth_plugin, *mut c_void)>,
    }
    berth_what_if_kept {
        size: u32,
        reserved: u32,
        kind: u64,
        by_row: *const u64,
        rows: u64,
    }
    berth_what_if_stamps {
        kind: u64,
        by_row: *const u64,
        rows: u64,
    }
    berth_what_if_service {
        size: u32,
        reserved: u32,
        begin: Option<unsafe extern "C" fn(*const berth_host, u32) -> *mut berth_what_if>,
        pods: Option<unsafe extern "C" fn(*mut berth_what_if) -> *const berth_call>,
        remove_pod: Option<unsafe extern "C" fn(*mut berth_what_if, u64)>,
        add_pod: Option<unsafe extern "C" fn(*mut berth_what_if, u64)>,
        reset: Option<unsafe extern "C" fn(*mut berth_what_if)>,
        filter: Option<unsafe extern "C" fn(*mut berth_what_if) -> i32>,
        reasons: Option<unsafe extern "C" fn(*mut berth_what_if, *const berth_text_sink)>,
        end: Option<unsafe extern "C" fn(*mut berth_what_if)>,
        stamps: Option<unsafe extern "C" fn(*const berth_host, *mut berth_what_if_stamps) -> u32>,
        kept: Option<unsafe extern "C" fn(*const berth_host, *mut berth_what_if_kept) -> u32>,
    }
    berth_parallel_service {
        size: u32,
        reserved: u32,
        for_each: Option<unsafe extern "C" fn(
            *const berth_host, u64, *mut c_void, Option<unsafe extern "C" fn(*mut c_void, u64)>,
        )>,
    }
    berth_preempt_choice {
        size: u32,
        row: u32,
        victims: *const u64,
        victim_count: u64,
        violations: i64,
    }
    berth_preempt_candidate {
        row: u32,
        reserved: u32,
        victims: *const u64,
        victim_count: u64,
        violations: i64,
    }
    berth_preempt_extenders_service {
        size: u32,
        reserved: u32,
        ask: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_preempt_candidate, u64, *mut c_void,
            Option<unsafe extern "C" fn(*mut c_void, *const berth_preempt_candidate)>,
            *const berth_text_sink,
        ) -> i32>,
        present: Option<unsafe extern "C" fn(*const berth_host) -> u32>,
        choose: Option<unsafe extern "C" fn(
            *const berth_host, *const *const berth_preempt_choice, u64, *mut c_void,
            Option<unsafe extern "C" fn(*mut c_void, *const berth_preempt_choice)>,
            *const berth_text_sink,
        ) -> i32>,
    }
}

texts! {
    BERTH_OVERLAY_STATE = "berth.overlay_state/0";
    BERTH_WHAT_IF_SERVICE = "berth.what_if/0";
    BERTH_PARALLEL_SERVICE = "berth.parallel/0";
    BERTH_PREEMPT_EXTENDERS_SERVICE = "berth.preempt_extenders/0";
}
