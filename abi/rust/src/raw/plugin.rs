//! The descriptor and the note: `berth/abi/plugin.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_config, berth_host, berth_plugin, berth_string, berth_text_sink};

structs! {
    berth_plugin_descriptor {
        size: u32,
        abi_major: u16,
        abi_minor_needed: u16,
        abi_minor_built: u16,
        reserved0: u16,
        reserved1: u32,
        id: berth_string,
        name: berth_string,
        version: berth_string,
        extension_points: berth_string,
        validate: Option<unsafe extern "C" fn(*const berth_config) -> i32>,
        create: Option<unsafe extern "C" fn() -> *mut berth_plugin>,
        init: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_host, *const berth_config, *const berth_text_sink,
        ) -> i32>,
        extension: Option<unsafe extern "C" fn(*mut berth_plugin, berth_string) -> *const c_void>,
        destroy: Option<unsafe extern "C" fn(*mut berth_plugin)>,
    }
}

numbers! {
    BERTH_NOTE_TYPE: u32 = 1;
}

texts! {
    BERTH_PLUGIN_ENTRY = "berth_plugin_entry_v1";
    BERTH_NOTE_NAME = "Berth";
}
