//! Services of the host: `berth/abi/host.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_config, berth_string, berth_text_sink};

structs! {
    berth_host {
        size: u32,
        abi_major: u16,
        abi_minor: u16,
        context: *mut c_void,
        service: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> *const c_void>,
        name: berth_string,
        profile: berth_string,
    }
    berth_log_service {
        size: u32,
        level: u32,
        write: Option<unsafe extern "C" fn(*const berth_host, u32, berth_string)>,
        shows: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
    }
    berth_strings_service {
        size: u32,
        reserved: u32,
        intern: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> u32>,
        find: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> u32>,
        text: Option<unsafe extern "C" fn(*const berth_host, u32) -> berth_string>,
        read: Option<unsafe extern "C" fn(*const berth_host, u32, *mut berth_string)>,
        read_all: Option<unsafe extern "C" fn(
            *const berth_host, u64, *const u32, *mut berth_string,
        )>,
    }
    berth_columns_service {
        size: u32,
        reserved: u32,
        find: Option<unsafe extern "C" fn(*const berth_host, berth_string) -> u32>,
    }
    berth_selectors_service {
        size: u32,
        reserved: u32,
        match_column: Option<unsafe extern "C" fn(*const berth_host, u32) -> u32>,
        problem: Option<unsafe extern "C" fn(*const berth_host, u32, *const berth_text_sink)>,
        node_selector: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_config, u32,
        ) -> u32>,
        node_selector_term: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_config, u32,
        ) -> u32>,
        label_selector: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_config, u32,
        ) -> u32>,
    }
    berth_bindings_service {
        size: u32,
        reserved: u32,
        write: Option<unsafe extern "C" fn(*const berth_host, u64, *const u64, *const u32) -> i32>,
        write_each: Option<unsafe extern "C" fn(
            *const berth_host, u64, *const u64, *const u32, *mut u8,
        )>,
    }
}

numbers! {
    BERTH_LOG_ERROR: u32 = 1;
    BERTH_LOG_WARNING: u32 = 2;
    BERTH_LOG_INFO: u32 = 3;
    BERTH_LOG_DEBUG: u32 = 4;
}

texts! {
    BERTH_LOG_SERVICE = "berth.log/0";
    BERTH_STRINGS_SERVICE = "berth.strings/0";
    BERTH_COLUMNS_SERVICE = "berth.columns/0";
    BERTH_SELECTORS_SERVICE = "berth.selectors/0";
    BERTH_BINDINGS_SERVICE = "berth.bindings/0";
}
