//! Observe: `berth/abi/observe.h`, whose comments are the contract.

use super::{berth_call, berth_hook, berth_plugin};

structs! {
    berth_observe {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        bound: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call)>,
        changed: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call)>,
        left: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call)>,
        node_left: Option<unsafe extern "C" fn(*mut berth_plugin, u64, *const u32)>,
    }
}

texts! {
    BERTH_OBSERVE = "berth.observe/0";
}
