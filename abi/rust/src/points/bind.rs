//! PreBind, Bind and PostBind, on the binding thread: `berth/abi/bind.h`. A position is a pair of a
//! pod and a node. These functions run while other hooks of the plugin go on with other pods.

use std::time::Duration;

use crate::call::{BindCall, CycleCall};
use crate::column::Code;
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::points::{self, answer, output};
use crate::raw::*;
use crate::text::slice;

/// The arrays of a PreBind. Codes: SUCCESS, WAIT, ERROR or a refusal.
pub struct PreBindAnswer<'a> {
    /// One code per position.
    pub codes: &'a mut [Code],
    /// 0 in the first call for a placement, then the time since its first WAIT.
    pub waited_nanoseconds: &'a [i64],
    /// After which a WAIT is called again; 0, which it is before: after a second.
    pub again_nanoseconds: &'a mut [i64],
}

impl PreBindAnswer<'_> {
    /// # Safety
    /// The arrays have a value for each position of `call`.
    unsafe fn new(
        call: *const berth_call,
        waited_nanoseconds: *const i64,
        codes: *mut u8,
        again_nanoseconds: *mut i64,
    ) -> Self {
        PreBindAnswer {
            codes: points::codes(call, codes),
            waited_nanoseconds: slice(waited_nanoseconds, (*call).count as usize),
            again_nanoseconds: output(call, again_nanoseconds),
        }
    }
}

/// Work that must be done before the pod is bound. It may answer WAIT and is called again.
pub trait PreBind: Hook<State = ()> {
    /// True: a pod that the plugin's PreFilter skips needs no call.
    const FOLLOWS_PRE_FILTER: bool = false;
    /// True: `pre_bind` only computes and waits for nothing within the call.
    const QUICK: bool = false;
    /// True: the plugin may work on a pod while its neighbours in the profile do that may, too.
    const PARALLEL: bool = false;
    /// The longest wait of a pod; zero: 15 minutes.
    const WAIT_LIMIT: Duration = Duration::from_secs(0);

    /// \[cycle\] SKIP: `pre_bind` has nothing to do for that position. Default: never skips.
    fn pre_flight(&self, call: &CycleCall<'_, Self>, codes: &mut [Code]) -> Result {
        let _ = call;
        codes.fill(Code::SUCCESS);
        Ok(())
    }

    /// \[bind\] Writes a code per position. Write one text to `call.error` for each position that is
    /// refused or fails, in their order.
    fn pre_bind(&self, call: &BindCall<'_, Self>, answer: &mut PreBindAnswer<'_>) -> Result;
}

unsafe extern "C" fn pre_flight_hook<H: PreBind>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
) -> berth_code {
    answer(plugin, Point::pre_bind, call, |hook: &H| {
        hook.pre_flight(&CycleCall::new(call), points::codes(call, codes))
    })
}

unsafe extern "C" fn pre_bind_hook<H: PreBind>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    waited_nanoseconds: *const i64,
    codes: *mut u8,
    again_nanoseconds: *mut i64,
) -> berth_code {
    answer(plugin, Point::pre_bind, call, |hook: &H| {
        let mut answer = PreBindAnswer::new(call, waited_nanoseconds, codes, again_nanoseconds);
        hook.pre_bind(&BindCall::new(call), &mut answer)
    })
}

#[doc(hidden)]
pub fn pre_bind<H: PreBind>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    let quick = if H::QUICK { BERTH_PRE_BIND_QUICK } else { 0 };
    let flags = quick | parallel_bit(H::PARALLEL);
    slots.fill::<H, _, { Point::pre_bind }>(start, |hook| berth_pre_bind {
        pre_flight: Some(pre_flight_hook::<H>),
        pre_bind_or_wait: Some(pre_bind_hook::<H>),
        ..pre_bind_table(hook, H::FOLLOWS_PRE_FILTER, flags, H::WAIT_LIMIT)
    })
}

/// As [`PreBind`], on the thread that owns the model, whose services it may use. The binding cycle
/// of a pod for which `pre_flight` does not answer SKIP runs on that thread. In `plugin!` its name is
/// `pre_bind_on_cycle`.
pub trait PreBindOnCycle: Hook<State = ()> {
    /// True: a pod that the plugin's PreFilter skips needs no call.
    const FOLLOWS_PRE_FILTER: bool = false;
    /// True: the plugin may work on a pod while its neighbours in the profile do that may, too.
    const PARALLEL: bool = false;
    /// The longest wait of a pod; zero: 15 minutes.
    const WAIT_LIMIT: Duration = Duration::from_secs(0);

    /// \[cycle\] SKIP: `pre_bind` has nothing to do for that position. Default: never skips.
    fn pre_flight(&self, call: &CycleCall<'_, Self>, codes: &mut [Code]) -> Result {
        let _ = call;
        codes.fill(Code::SUCCESS);
        Ok(())
    }

    /// \[cycle\] As in [`PreBind`]. It waits for nothing within the call.
    fn pre_bind(&self, call: &CycleCall<'_, Self>, answer: &mut PreBindAnswer<'_>) -> Result;
}

unsafe extern "C" fn pre_flight_on_cycle_hook<H: PreBindOnCycle>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
) -> berth_code {
    answer(plugin, Point::pre_bind, call, |hook: &H| {
        hook.pre_flight(&CycleCall::new(call), points::codes(call, codes))
    })
}

unsafe extern "C" fn pre_bind_on_cycle_hook<H: PreBindOnCycle>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    waited_nanoseconds: *const i64,
    codes: *mut u8,
    again_nanoseconds: *mut i64,
) -> berth_code {
    answer(plugin, Point::pre_bind, call, |hook: &H| {
        let mut answer = PreBindAnswer::new(call, waited_nanoseconds, codes, again_nanoseconds);
        hook.pre_bind(&CycleCall::new(call), &mut answer)
    })
}

#[doc(hidden)]
pub fn pre_bind_on_cycle<H: PreBindOnCycle>(
    slots: &mut Slots,
    start: &Start<'_, H::Plugin>,
) -> Result {
    let flags = BERTH_PRE_BIND_ON_CYCLE | parallel_bit(H::PARALLEL);
    slots.fill::<H, _, { Point::pre_bind }>(start, |hook| berth_pre_bind {
        pre_flight: Some(pre_flight_on_cycle_hook::<H>),
        pre_bind_or_wait: Some(pre_bind_on_cycle_hook::<H>),
        ..pre_bind_table(hook, H::FOLLOWS_PRE_FILTER, flags, H::WAIT_LIMIT)
    })
}

fn parallel_bit(parallel: bool) -> u32 {
    if parallel {
        BERTH_PRE_BIND_PARALLEL
    } else {
        0
    }
}

/// A table without functions.
fn pre_bind_table(
    hook: *const berth_hook,
    follows: bool,
    flags: u32,
    wait_limit: Duration,
) -> berth_pre_bind {
    berth_pre_bind {
        size: size_of::<berth_pre_bind>(),
        flags: flags | if follows { BERTH_PRE_BIND_FOLLOWS_PRE_FILTER } else { 0 },
        hook,
        pre_flight: None,
        pre_bind: None,
        pre_bind_or_wait: None,
        wait_limit_nanoseconds: wait_limit.as_nanos().min(i64::MAX as u128) as i64,
    }
}

/// Binds pods.
pub trait Bind: Hook<State = ()> {
    /// True: `bind` only computes and calls the bindings service.
    const QUICK: bool = false;

    /// \[bind\] Codes: SUCCESS, SKIP or ERROR. Must not bind positions that are not `wanted`: an
    /// earlier plugin has bound them.
    fn bind(&self, call: &BindCall<'_, Self>, codes: &mut [Code]) -> Result;
}

unsafe extern "C" fn bind_hook<H: Bind>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
) -> berth_code {
    answer(plugin, Point::bind, call, |hook: &H| {
        hook.bind(&BindCall::new(call), points::codes(call, codes))
    })
}

#[doc(hidden)]
pub fn bind<H: Bind>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::bind }>(start, |hook| berth_bind {
        size: size_of::<berth_bind>(),
        reserved: 0,
        hook,
        bind: Some(bind_hook::<H>),
        flags: if H::QUICK { BERTH_BIND_QUICK } else { 0 },
        reserved2: 0,
    })
}

/// Notifies the plugin of pods that were bound.
pub trait PostBind: Hook<State = ()> {
    /// \[bind\] The pods were bound.
    fn post_bind(&self, call: &BindCall<'_, Self>);
}

unsafe extern "C" fn post_bind_hook<H: PostBind>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
) {
    let bound = bound_of::<H>(plugin, Point::post_bind);
    bound.logged("post_bind", || {
        bound.hook.post_bind(&BindCall::new(call));
        Ok(())
    });
}

#[doc(hidden)]
pub fn post_bind<H: PostBind>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::post_bind }>(start, |hook| berth_post_bind {
        size: size_of::<berth_post_bind>(),
        reserved: 0,
        hook,
        post_bind: Some(post_bind_hook::<H>),
    })
}
