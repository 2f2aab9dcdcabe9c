//! PreEnqueue, QueueSort and hints: `berth/abi/enqueue.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_call, berth_column, berth_hook, berth_plugin};

structs! {
    berth_pre_enqueue {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        check: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8, *mut u32,
        ) -> i32>,
    }
    berth_queue_sort {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        keys: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut [u8; 16],
        ) -> i32>,
        wide_keys: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8,
        ) -> i32>,
        wide_key_bytes: u32,
        reserved2: u32,
    }
    berth_event {
        size: u32,
        kind: u32,
        action: u32,
        node: u32,
        nominated_node: u32,
        self_: u32,
        pod: u64,
        before: *const berth_column,
        after: *const berth_column,
        object_before: *const c_void,
        object_after: *const c_void,
    }
    berth_hints {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        actions: Option<unsafe extern "C" fn(*mut berth_plugin, u32) -> u32>,
        hint: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const berth_event, *mut u8,
        ) -> i32>,
    }
}

numbers! {
    BERTH_QUEUE_KEY_MAX_BYTES: u32 = 512;
    BERTH_ON_POD_ASSIGNED: u32 = 1;
    BERTH_ON_POD_PENDING: u32 = 2;
    BERTH_ON_NODE: u32 = 4;
    BERTH_ON_CLAIM: u32 = 8;
    BERTH_ON_VOLUME: u32 = 16;
    BERTH_ON_STORAGE_CLASS: u32 = 32;
    BERTH_ON_CSI_NODE: u32 = 64;
    BERTH_ON_CSI_DRIVER: u32 = 128;
    BERTH_ON_CSI_CAPACITY: u32 = 256;
    BERTH_ON_VOLUME_ATTACHMENT: u32 = 512;
    BERTH_ON_STORAGE: u32 = 1016;
    BERTH_DID_ADD: u32 = 1;
    BERTH_DID_DELETE: u32 = 2;
    BERTH_DID_UPDATE_LABEL: u32 = 4;
    BERTH_DID_UPDATE_TAINT: u32 = 8;
    BERTH_DID_UPDATE_ALLOCATABLE: u32 = 16;
    BERTH_DID_UPDATE_TOLERATION: u32 = 32;
    BERTH_DID_UPDATE_GATES: u32 = 64;
    BERTH_DID_UPDATE_SCALE_DOWN: u32 = 128;
    BERTH_DID_UPDATE_ANNOTATION: u32 = 256;
    BERTH_DID_UPDATE_OTHER: u32 = 512;
    BERTH_DID_ANYTHING: u32 = 1023;
    BERTH_DID_WHATEVER: u32 = 0xFFFFFFFF;
    BERTH_DID_UPDATE_DECLARED_FEATURES: u32 = 1024;
}

texts! {
    BERTH_PRE_ENQUEUE = "berth.pre_enqueue/0";
    BERTH_QUEUE_SORT = "berth.queue_sort/0";
    BERTH_HINTS = "berth.hints/0";
}
