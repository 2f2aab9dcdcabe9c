//! PreEnqueue and QueueSort: `berth/abi/enqueue.h`. A position is a pod.

use crate::call::CycleCall;
use crate::column::Code;
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{Point, Slots};
use crate::plugin::Start;
use crate::points::{self, answer, output};
use crate::raw::*;

/// Decides whether a pod may enter the queue.
pub trait PreEnqueue: Hook<State = ()> {
    /// \[cycle\] Writes a code per pod, and a reason for each refusal, which keeps the pod out.
    fn check(&self, call: &CycleCall<'_, Self>, codes: &mut [Code], reasons: &mut [u32]) -> Result;
}

unsafe extern "C" fn check_hook<H: PreEnqueue>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *mut u8,
    reasons: *mut u32,
) -> berth_code {
    answer(plugin, Point::pre_enqueue, call, |hook: &H| {
        hook.check(&CycleCall::new(call), points::codes(call, codes), output(call, reasons))
    })
}

#[doc(hidden)]
pub fn pre_enqueue<H: PreEnqueue>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::pre_enqueue }>(start, |hook| berth_pre_enqueue {
        size: size_of::<berth_pre_enqueue>(),
        reserved: 0,
        hook,
        check: Some(check_hook::<H>),
    })
}

/// The key of a pod in the queue. Keys are compared bytewise, the smallest leaves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct SortKey(pub [u8; 16]);

impl SortKey {
    /// Orders by the first number, and among equals by the second.
    pub fn of(first: i64, second: i64) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&Self::ordered(first));
        bytes[8..].copy_from_slice(&Self::ordered(second));
        SortKey(bytes)
    }

    /// Bytes that compare as the numbers do.
    pub fn ordered(value: i64) -> [u8; 8] {
        (value as u64 ^ 1 << 63).to_be_bytes()
    }
}

/// Decides in which order pods leave the queue. Pods with equal keys leave in the order of entry.
pub trait QueueSort: Hook<State = ()> {
    /// \[cycle\] Writes a key per pod.
    fn keys(&self, call: &CycleCall<'_, Self>, keys: &mut [SortKey]) -> Result;
}

unsafe extern "C" fn keys_hook<H: QueueSort>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    keys: *mut [u8; 16],
) -> berth_code {
    answer(plugin, Point::queue_sort, call, |hook: &H| {
        hook.keys(&CycleCall::new(call), output(call, keys as *mut SortKey))
    })
}

#[doc(hidden)]
pub fn queue_sort<H: QueueSort>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::queue_sort }>(start, |hook| berth_queue_sort {
        size: size_of::<berth_queue_sort>(),
        reserved: 0,
        hook,
        keys: Some(keys_hook::<H>),
        wide_keys: None,
        wide_key_bytes: 0,
        reserved2: 0,
    })
}

mod sealed {
    pub trait WideKey: Copy + 'static {}
    impl<const N: usize> WideKey for [u8; N] {}
}

/// A QueueSort with longer or shorter keys, for example of a priority, a time and a name. In
/// `plugin!` it is wide_queue_sort. Needs a host with ABI 1.3.
pub trait WideQueueSort: Hook<State = ()> {
    /// An array of 1 to 512 bytes. Keys are compared bytewise, the smallest leaves first.
    type Key: sealed::WideKey;

    /// \[cycle\] Writes all of a key per pod.
    fn keys(&self, call: &CycleCall<'_, Self>, keys: &mut [Self::Key]) -> Result;
}

unsafe extern "C" fn wide_keys_hook<H: WideQueueSort>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    keys: *mut u8,
) -> berth_code {
    answer(plugin, Point::queue_sort, call, |hook: &H| {
        hook.keys(&CycleCall::new(call), output(call, keys as *mut H::Key))
    })
}

#[doc(hidden)]
pub fn wide_queue_sort<H: WideQueueSort>(
    slots: &mut Slots,
    start: &Start<'_, H::Plugin>,
) -> Result {
    slots.fill::<H, _, { Point::queue_sort }>(start, |hook| berth_queue_sort {
        size: size_of::<berth_queue_sort>(),
        reserved: 0,
        hook,
        keys: None,
        wide_keys: Some(wide_keys_hook::<H>),
        wide_key_bytes: size_of::<H::Key>(),
        reserved2: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::SortKey;

    #[test]
    fn keys_compare_as_numbers() {
        let mut numbers = [3, -1, i64::MIN, 0, i64::MAX, 1 << 40];
        numbers.sort_unstable();
        for pair in numbers.windows(2) {
            assert!(SortKey::of(pair[0], i64::MAX) < SortKey::of(pair[1], i64::MIN));
            assert!(SortKey::of(7, pair[0]) < SortKey::of(7, pair[1]));
        }
    }
}
