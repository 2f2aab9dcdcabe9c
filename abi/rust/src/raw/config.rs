//! Arguments of plugins: `berth/abi/config.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::berth_string;

structs! {
    berth_config {
        size: u32,
        reserved: u32,
        context: *mut c_void,
        kind: Option<unsafe extern "C" fn(*const berth_config, u32) -> u32>,
        length: Option<unsafe extern "C" fn(*const berth_config, u32) -> u32>,
        element: Option<unsafe extern "C" fn(*const berth_config, u32, u32) -> u32>,
        member: Option<unsafe extern "C" fn(*const berth_config, u32, berth_string) -> u32>,
        accept: Option<unsafe extern "C" fn(*const berth_config, u32)>,
        boolean: Option<unsafe extern "C" fn(*const berth_config, u32, *mut u8) -> u32>,
        integer: Option<unsafe extern "C" fn(*const berth_config, u32, *mut i64) -> u32>,
        number: Option<unsafe extern "C" fn(*const berth_config, u32, *mut f64) -> u32>,
        string: Option<unsafe extern "C" fn(*const berth_config, u32, *mut berth_string) -> u32>,
        error: Option<unsafe extern "C" fn(*const berth_config, u32, berth_string, berth_string)>,
        members: Option<unsafe extern "C" fn(*const berth_config, u32) -> u32>,
        member_at: Option<unsafe extern "C" fn(
            *const berth_config, u32, u32, *mut berth_string,
        ) -> u32>,
        quantity: Option<unsafe extern "C" fn(*const berth_config, u32, u32, *mut i64) -> u32>,
        duration: Option<unsafe extern "C" fn(*const berth_config, u32, *mut i64) -> u32>,
        rule: Option<unsafe extern "C" fn(*const berth_config, berth_string) -> i32>,
    }
}

numbers! {
    BERTH_CONFIG_ABSENT: u32 = u32::MAX;
    BERTH_CONFIG_NULL: u32 = 0;
    BERTH_CONFIG_BOOL: u32 = 1;
    BERTH_CONFIG_NUMBER: u32 = 2;
    BERTH_CONFIG_STRING: u32 = 3;
    BERTH_CONFIG_ARRAY: u32 = 4;
    BERTH_CONFIG_OBJECT: u32 = 5;
}
