//! The parts that all hooks share: `berth/abi/hook.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_column, berth_plugin, berth_string, berth_text_sink};

structs! {
    berth_call {
        size: u32,
        ran: u32,
        count: u64,
        mask: *const u64,
        columns: *const berth_column,
        column_count: u32,
        reserved: u32,
        state: *const c_void,
        error: *const berth_text_sink,
    }
    berth_template {
        size: u32,
        column_count: u32,
        columns: *const berth_column,
        error: *const berth_text_sink,
    }
    berth_prepared {
        size: u32,
        flags: u32,
        inputs: *const u32,
        input_count: u32,
        reserved: u32,
        state: *mut c_void,
    }
    berth_hook {
        size: u32,
        depends: u32,
        space: berth_string,
        inputs: *const berth_string,
        input_count: u32,
        reserved: u32,
        prepare: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_template, *mut berth_prepared,
        ) -> i32>,
        release: Option<unsafe extern "C" fn(*mut berth_plugin, *mut c_void)>,
        describe: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, u32, *const berth_text_sink,
        )>,
        input_types: *const u32,
    }
}

numbers! {
    BERTH_DEPENDS_DECLARED: i32 = 0;
    BERTH_DEPENDS_FEASIBLE: i32 = 1;
    BERTH_DEPENDS_EXTERNAL: i32 = 2;
    BERTH_RAN_PRE_FILTER: u32 = 1;
    BERTH_RAN_PRE_SCORE: u32 = 2;
    BERTH_ASKED_PRE_FILTER: u32 = 4;
    BERTH_PREPARED_PASSES: u32 = 1;
    BERTH_REASON_OF_POSITION: u32 = 2147483648;
    BERTH_LIST_OF: u32 = 256;
}
