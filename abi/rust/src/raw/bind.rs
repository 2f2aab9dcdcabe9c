//! Reserve, Permit, PreBind, Bind, PostBind: `berth/abi/bind.h`, whose comments are the contract.

use std::os::raw::c_void;

use super::{berth_call, berth_hook, berth_host, berth_plugin, berth_string};

structs! {
    berth_reserve {
        size: u32,
        flags: u32,
        hook: *const berth_hook,
        reserve: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8, *mut u32,
        ) -> i32>,
        unreserve: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call)>,
    }
    berth_permit {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        permit: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8, *mut u32, *mut i64,
        ) -> i32>,
    }
    berth_waiting_service {
        size: u32,
        reserved: u32,
        each: Option<unsafe extern "C" fn(
            *const berth_host, *mut c_void, Option<unsafe extern "C" fn(*mut c_void, u64, u32)>,
        )>,
        allow: Option<unsafe extern "C" fn(*const berth_host, u64) -> i32>,
        reject: Option<unsafe extern "C" fn(*const berth_host, u64, berth_string) -> i32>,
        activate: Option<unsafe extern "C" fn(*const berth_host, u64, *const u64)>,
    }
    berth_pre_bind {
        size: u32,
        flags: u32,
        hook: *const berth_hook,
        pre_flight: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8,
        ) -> i32>,
        pre_bind: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *mut u8,
        ) -> i32>,
        pre_bind_or_wait: Option<unsafe extern "C" fn(
            *mut berth_plugin, *const berth_call, *const i64, *mut u8, *mut i64,
        ) -> i32>,
        wait_limit_nanoseconds: i64,
    }
    berth_bind {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        bind: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call, *mut u8) -> i32>,
        flags: u32,
        reserved2: u32,
    }
    berth_post_bind {
        size: u32,
        reserved: u32,
        hook: *const berth_hook,
        post_bind: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_call)>,
    }
}

numbers! {
    BERTH_RESERVE_FOLLOWS_PRE_FILTER: u32 = 1;
    BERTH_PERMIT_MAX_SECONDS: u32 = 900;
    BERTH_PRE_BIND_AGAIN_SECONDS: u32 = 1;
    BERTH_PRE_BIND_LEAST_NANOSECONDS: u32 = 1000000;
    BERTH_PRE_BIND_LIMIT_SECONDS: u32 = 900;
    BERTH_PRE_BIND_MAX_SECONDS: u32 = 1600000000;
    BERTH_PRE_BIND_FOLLOWS_PRE_FILTER: u32 = 1;
    BERTH_PRE_BIND_QUICK: u32 = 2;
    BERTH_PRE_BIND_ON_CYCLE: u32 = 4;
    BERTH_PRE_BIND_PARALLEL: u32 = 8;
    BERTH_BIND_QUICK: u32 = 1;
}

texts! {
    BERTH_RESERVE = "berth.reserve/0";
    BERTH_PERMIT = "berth.permit/0";
    BERTH_WAITING_SERVICE = "berth.waiting/0";
    BERTH_PRE_BIND = "berth.pre_bind/0";
    BERTH_BIND = "berth.bind/0";
    BERTH_POST_BIND = "berth.post_bind/0";
}
