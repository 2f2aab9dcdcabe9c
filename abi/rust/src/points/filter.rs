//! PreFilter and Filter: `berth/abi/filter.h`.

use std::marker::PhantomData;

use crate::call::{Call, CycleCall};
use crate::column::Code;
use crate::declaration::{Declared, Slot};
use crate::failure::{guarded, Result};
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::raw::*;
use crate::text::{slice_mut, to_abi};

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
    guarded((*call).error, || {
        let call = Call::new(call);
        let verdicts = slice_mut(verdicts as *mut Code, call.count());
        bound_of::<H>(plugin, Point::filter).hook.filter(&call, verdicts)
    })
}

unsafe extern "C" fn reasons_hook<H: Filter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    reasons: *mut u32,
) -> berth_code {
    guarded((*call).error, || {
        let call = Call::new(call);
        let reasons = slice_mut(reasons, call.count());
        bound_of::<H>(plugin, Point::filter).hook.reasons(&call, reasons)
    })
}

unsafe extern "C" fn numbers_hook<H: Filter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    sink: *const berth_numbers_sink,
) -> berth_code {
    guarded((*call).error, || {
        let mut numbers = Numbers::new(sink);
        bound_of::<H>(plugin, Point::filter).hook.numbers(&Call::new(call), &mut numbers)
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
    guarded((*call).error, || {
        let mut view = PreFilterResult { raw: &mut *result };
        bound_of::<H>(plugin, Point::pre_filter).hook.pre_filter(&CycleCall::new(call), &mut view)
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

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A count.
    One,
    /// Thousandths of a CPU.
    MilliCpu,
    /// Bytes.
    Bytes,
}

/// Receives the numbers behind an answer: items, which have facts. `berth/abi/numbers.h`.
pub struct Numbers<'a> {
    sink: *const berth_numbers_sink,
    call: PhantomData<&'a ()>,
}

// A function of the sink; hosts that ask for numbers have all of them.
macro_rules! tell {
    ($numbers:expr, $function:ident, $name:expr $(, $argument:expr)*) => {{
        // SAFETY: the sink is the host's, valid for the call.
        unsafe {
            let sink = &*$numbers.sink;
            if let Some(function) = sink.$function {
                function(sink.context, to_abi($name) $(, $argument)*);
            }
        }
        $numbers
    }};
}

impl Numbers<'_> {
    pub(crate) fn new(sink: *const berth_numbers_sink) -> Self {
        Numbers { sink, call: PhantomData }
    }

    /// Begins an item; the facts that follow are its own.
    pub fn item(&mut self, name: &str) -> &mut Self {
        tell!(self, item, name)
    }

    /// A number.
    pub fn number(&mut self, name: &str, value: i64, unit: Unit) -> &mut Self {
        let unit = match unit {
            Unit::One => BERTH_UNIT_ONE,
            Unit::MilliCpu => BERTH_UNIT_MILLI_CPU,
            Unit::Bytes => BERTH_UNIT_BYTES,
        };
        tell!(self, number, name, value, unit)
    }

    /// A text.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        tell!(self, text, name, to_abi(text))
    }

    /// A term of the counts service.
    pub fn term(&mut self, name: &str, term: u32) -> &mut Self {
        tell!(self, term, name, term)
    }

    /// The placed pods behind a column of the call, `node.count:*` or `node.carried:*`, that
    /// `prepare` added.
    pub fn pods<T>(&mut self, name: &str, column: Slot<T>) -> &mut Self {
        tell!(self, pods, name, column.index, 0)
    }

    /// The pods of the node that have the element of a declared list (`node.ports`).
    pub fn pods_with<H: Hook>(
        &mut self,
        name: &str,
        call: &Call<'_, H>,
        list: &impl Declared,
        element: u64,
    ) -> &mut Self {
        let column = call.place(list.index());
        tell!(self, pods, name, column, element)
    }
}
