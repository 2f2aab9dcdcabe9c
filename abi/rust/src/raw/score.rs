//! PreScore and Score: `berth/abi/score.h`, whose comments are the contract.

use super::{berth_call, berth_hook, berth_numbers_sink, berth_plugin};

structs! {
    berth_feasible {
        size: u32,
        reserved: u32,
        rows: *const u64,
        row_count: u64,
        feasible: u64,
        generation: u64,
    }
    berth_pre_score_result {
        size: u32,
        code: i32,
        changed: u32,
        reserved: u32,
    }
    berth_pre_score {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        pre_score: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const berth_feasible,
            *mut berth_pre_score_result,
        ) -> i32>,
    }
    berth_score {
        size: u32,
        normalise: u32,
        hook: *const berth_hook,
        score: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call, *mut i64) -> i32>,
        normalise_own: Option<unsafe extern "C" fn(
            *mut berth_plugin, u64, *const i64, i64, i64, *mut i64,
        ) -> i32>,
        numbers: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const berth_numbers_sink,
        ) -> i32>,
        normalise_pod: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const i64, i64, i64, *mut i64,
        ) -> i32>,
    }
}

numbers! {
    BERTH_NOT_SCORED: i64 = i64::MIN;
    BERTH_NORMALISE_NONE: u32 = 0;
    BERTH_NORMALISE_MAX: u32 = 1;
    BERTH_NORMALISE_MAX_REVERSED: u32 = 2;
    BERTH_NORMALISE_MIN_MAX: u32 = 3;
    BERTH_NORMALISE_SPREAD: u32 = 4;
    BERTH_NORMALISE_OWN: u32 = 5;
}

texts! {
    BERTH_PRE_SCORE = "berth.pre_score/0";
    BERTH_SCORE = "berth.score/0";
}
