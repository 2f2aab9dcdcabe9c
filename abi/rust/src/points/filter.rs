//! PreFilter and Filter: `berth/abi/filter.h`.

use crate::call::{Call, CycleCall};
use crate::column::Code;
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{Point, Slots};
use crate::plugin::Start;
use crate::points::{answer, codes, output, Numbers};
use crate::raw::*;

/// Decides which nodes can run a pod. A position is a node, or a code of the dictionary that the
/// hook runs over.
pub trait Filter: Hook {
    /// \[rows\] Writes one verdict per position: SUCCESS, UNSCHEDULABLE, UNRESOLVABLE, or ERROR with
    /// a text through `call.error`.
    fn filter(&self, call: &Call<'_, Self>, verdicts: &mut [Code]) -> Result;

    /// \[rows\] Writes one reason per refused position. Default: the hook's first reason.
    fn reasons(&self, call: &Call<'_, Self>, reasons: &mut [u32]) -> Result {
        let _ = call;
        reasons.fill(1);
        Ok(())
    }

    /// \[rows\] Writes the numbers behind the verdict on position 0, for people. Default: none.
    fn numbers(&self, call: &Call<'_, Self>, numbers: &mut Numbers<'_>) -> Result {
        let _ = (call, numbers);
        Ok(())
    }
}

unsafe extern "C" fn filter_hook<H: Filter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    verdicts: *mut u8,
) -> berth_code {
    answer(plugin, Point::filter, call, |hook: &H| {
        hook.filter(&Call::new(call), codes(call, verdicts))
    })
}

unsafe extern "C" fn reasons_hook<H: Filter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    reasons: *mut u32,
) -> berth_code {
    answer(plugin, Point::filter, call, |hook: &H| {
        hook.reasons(&Call::new(call), output(call, reasons))
    })
}

unsafe extern "C" fn numbers_hook<H: Filter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    sink: *const berth_numbers_sink,
) -> berth_code {
    answer(plugin, Point::filter, call, |hook: &H| {
        hook.numbers(&Call::new(call), &mut Numbers::new(sink))
    })
}

#[doc(hidden)]
pub fn filter<H: Filter>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::filter }>(start, |hook| berth_filter {
        size: size_of::<berth_filter>(),
        reserved: 0,
        hook,
        filter: Some(filter_hook::<H>),
        reasons: Some(reasons_hook::<H>),
        numbers: Some(numbers_hook::<H>),
    })
}

/// The answer of a PreFilter. Default: continue, search all nodes.
pub struct PreFilterResult<'a> {
    raw: &'a mut berth_pre_filter_result,
}

impl PreFilterResult<'_> {
    /// The host does not call the plugin's Filter for this pod.
    pub fn skip(&mut self) {
        self.raw.code = BERTH_SKIP;
    }

    /// Refuses the pod: UNSCHEDULABLE, UNRESOLVABLE or PENDING.
    pub fn refuse(&mut self, code: Code, reason: impl Into<u32>) {
        self.raw.code = code.0.into();
        self.raw.reason = reason.into();
    }

    /// Searches only the nodes with these names (string ids), which are part of the template's
    /// state. Names of nodes that do not exist are ignored.
    pub fn narrow<H: Hook>(
        &mut self,
        call: &Call<'_, H>,
        node_names: impl for<'s> FnOnce(&'s H::State) -> &'s [u32],
    ) {
        let names = node_names(call.state());
        self.raw.narrows = 1;
        self.raw.node_names = names.as_ptr();
        self.raw.node_name_count = names.len() as u64;
    }
}

/// Called once per pod before its filters: may refuse the pod, narrow the search, or skip the
/// plugin's filter.
pub trait PreFilter: Hook {
    /// \[cycle\] Leave `result` unchanged to continue with all nodes.
    fn pre_filter(&self, call: &CycleCall<'_, Self>, result: &mut PreFilterResult<'_>) -> Result;
}

unsafe extern "C" fn pre_filter_hook<H: PreFilter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    result: *mut berth_pre_filter_result,
) -> berth_code {
    answer(plugin, Point::pre_filter, call, |hook: &H| {
        hook.pre_filter(&CycleCall::new(call), &mut PreFilterResult { raw: &mut *result })
    })
}

#[doc(hidden)]
pub fn pre_filter<H: PreFilter>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::pre_filter }>(start, |hook| berth_pre_filter {
        size: size_of::<berth_pre_filter>(),
        reserved: 0,
        hook,
        pre_filter: Some(pre_filter_hook::<H>),
    })
}
