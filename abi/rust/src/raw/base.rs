//! Strings, codes and text sinks: `berth/abi/base.h`, whose comments are the contract.

use std::os::raw::{c_char, c_void};

structs! {
    berth_string {
        data: *const c_char,
        size: u64,
    }
    berth_text_sink {
        size: u32,
        reserved: u32,
        context: *mut c_void,
        write: Option<unsafe extern "C" fn(*mut c_void, berth_string)>,
    }
}

numbers! {
    BERTH_ABI_MAJOR: i32 = 1;
    BERTH_SUCCESS: i32 = 0;
    BERTH_ERROR: i32 = 1;
    BERTH_UNSCHEDULABLE: i32 = 2;
    BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE: i32 = 3;
    BERTH_WAIT: i32 = 4;
    BERTH_SKIP: i32 = 5;
    BERTH_PENDING: i32 = 6;
    BERTH_UNWRITTEN_CODE: u32 = 0xFF;
    BERTH_UNWRITTEN_SCORE: i64 = i64::MIN + 1;
    BERTH_UNWRITTEN_NANOSECONDS: i64 = i64::MIN;
    BERTH_ABI_MINOR: i32 = 3;
}
