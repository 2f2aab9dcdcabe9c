//! PreFilter, Filter and PostFilter: `berth/abi/filter.h`, whose comments are the contract.

use super::{berth_call, berth_hook, berth_numbers_sink, berth_plugin};

structs! {
    berth_pre_filter_result {
        size: u32,
        code: i32,
        reason: u32,
        narrows: u32,
        node_names: *const u32,
        node_name_count: u64,
    }
    berth_pre_filter {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        pre_filter: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut berth_pre_filter_result,
        ) -> i32>,
    }
    berth_filter {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        filter: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call, *mut u8) -> i32>,
        reasons: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u32,
        ) -> i32>,
        numbers: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const berth_numbers_sink,
        ) -> i32>,
    }
    berth_nomination {
        size: u32,
        code: i32,
        node: u32,
        reason: u32,
        victims: *const u64,
        victim_count: u64,
        clears: u32,
        reserved: u32,
    }
    berth_post_filter {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        post_filter: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const u8, u64, *mut berth_nomination,
        ) -> i32>,
    }
}

texts! {
    BERTH_PRE_FILTER = "berth.pre_filter/0";
    BERTH_FILTER = "berth.filter/0";
    BERTH_POST_FILTER = "berth.post_filter/0";
}
