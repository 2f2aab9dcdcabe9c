//! Reserve and Permit, after a node was chosen: `berth/abi/bind.h`. A position is a pair of a pod
//! and a node.

use crate::call::CycleCall;
use crate::column::Code;
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::points::{self, answer, output};
use crate::raw::*;

/// Called after the pod was assumed on the node.
pub trait Reserve: Hook<State = ()> {
    /// True: both functions do nothing about pods that the plugin's PreFilter skips.
    const FOLLOWS_PRE_FILTER: bool = false;

    /// \[cycle\] Writes a code per position, and a reason for each refusal.
    fn reserve(
        &self,
        call: &CycleCall<'_, Self>,
        codes: &mut [Code],
        reasons: &mut [u32],
    ) -> Result;

    /// \[cycle\] Called when Reserve or any later step failed, even if this plugin's own `reserve`
    /// failed. Must be idempotent.
    fn unreserve(&self, call: &CycleCall<'_, Self>);
}

unsafe extern "C" fn reserve_hook<H: Reserve>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
    reasons: *mut u32,
) -> berth_code {
    answer(plugin, Point::reserve, call, |hook: &H| {
        hook.reserve(&CycleCall::new(call), points::codes(call, codes), output(call, reasons))
    })
}

unsafe extern "C" fn unreserve_hook<H: Reserve>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
) {
    let bound = bound_of::<H>(plugin, Point::reserve);
    bound.logged("unreserve", || {
        bound.hook.unreserve(&CycleCall::new(call));
        Ok(())
    });
}

#[doc(hidden)]
pub fn reserve<H: Reserve>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::reserve }>(start, |hook| berth_reserve {
        size: size_of::<berth_reserve>(),
        flags: if H::FOLLOWS_PRE_FILTER { BERTH_RESERVE_FOLLOWS_PRE_FILTER } else { 0 },
        hook,
        reserve: Some(reserve_hook::<H>),
        unreserve: Some(unreserve_hook::<H>),
    })
}

/// Allows, delays or refuses the placement before binding.
pub trait Permit: Hook<State = ()> {
    /// \[cycle\] Writes a code per position; with WAIT also the timeout, with a refusal the reason.
    fn permit(
        &self,
        call: &CycleCall<'_, Self>,
        codes: &mut [Code],
        reasons: &mut [u32],
        timeout_nanoseconds: &mut [i64],
    ) -> Result;
}

unsafe extern "C" fn permit_hook<H: Permit>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
    reasons: *mut u32,
    timeout_nanoseconds: *mut i64,
) -> berth_code {
    answer(plugin, Point::permit, call, |hook: &H| {
        hook.permit(
            &CycleCall::new(call),
            points::codes(call, codes),
            output(call, reasons),
            output(call, timeout_nanoseconds),
        )
    })
}

#[doc(hidden)]
pub fn permit<H: Permit>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::permit }>(start, |hook| berth_permit {
        size: size_of::<berth_permit>(),
        reserved: 0,
        hook,
        permit: Some(permit_hook::<H>),
    })
}
