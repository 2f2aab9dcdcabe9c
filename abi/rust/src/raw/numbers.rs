//! Numbers behind answers: `berth/abi/numbers.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::berth_string;

structs! {
    berth_numbers_sink {
        size: u32,
        reserved: u32,
        context: *mut c_void,
        item: Option<unsafe extern "C" fn(*mut c_void, berth_string)>,
        number: Option<unsafe extern "C" fn(*mut c_void, berth_string, i64, u32)>,
        text: Option<unsafe extern "C" fn(*mut c_void, berth_string, berth_string)>,
        term: Option<unsafe extern "C" fn(*mut c_void, berth_string, u32)>,
        pods: Option<unsafe extern "C" fn(*mut c_void, berth_string, u32, u64)>,
    }
}

numbers! {
    BERTH_UNIT_ONE: u32 = 0;
    BERTH_UNIT_MILLI_CPU: u32 = 1;
    BERTH_UNIT_BYTES: u32 = 2;
}
