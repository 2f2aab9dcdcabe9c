//! The traits of the extension points. The C contracts are in the headers named in each file.

use crate::column::Code;
use crate::failure::{guarded, Result};
use crate::hook::Hook;
use crate::instance::bound_of;
use crate::raw::{berth_call, berth_code, berth_plugin};
use crate::text::slice_mut;

mod after;
mod bind;
mod enqueue;
mod filter;
mod hints;
mod numbers;
mod observe;
mod overlay;
mod post_filter;
mod score;

pub use after::{Permit, Reserve};
pub use bind::{Bind, PostBind, PreBind, PreBindAnswer, PreBindOnCycle};
pub use enqueue::{PreEnqueue, QueueSort, SortKey, WideQueueSort};
pub use filter::{Filter, PreFilter, PreFilterResult};
pub use hints::{Event, Hints};
pub use numbers::{Numbers, Unit};
pub use observe::Observe;
pub use overlay::OverlayState;
pub use post_filter::{Nomination, PostFilter};
pub use score::{Feasible, Normalise, PreScore, PreScoreResult, Score};

/// Answers a call of the hook at a point: with what `work` returns, or with its error or panic.
///
/// # Safety
/// The slot of `plugin` was filled with an H, and the host passed `call`.
unsafe fn answer<H: Hook>(
    plugin: *mut berth_plugin,
    point: usize,
    call: *const berth_call,
    work: impl FnOnce(&H) -> Result,
) -> berth_code {
    guarded((*call).error, || work(&bound_of::<H>(plugin, point).hook))
}

/// One of the arrays that the host passes beside a call, to be filled.
///
/// # Safety
/// `data` has a value for each position of `call`, and nothing else refers to them.
unsafe fn output<'a, T>(call: *const berth_call, data: *mut T) -> &'a mut [T] {
    slice_mut(data, (*call).count as usize)
}

/// As `output`, for codes.
unsafe fn codes<'a>(call: *const berth_call, data: *mut u8) -> &'a mut [Code] {
    output(call, data as *mut Code)
}

/// Makes the hook of each point; the names are those in `plugin!`.
pub mod slots {
    pub use super::after::{permit, reserve};
    pub use super::bind::{bind, post_bind, pre_bind, pre_bind_on_cycle};
    pub use super::enqueue::{pre_enqueue, queue_sort, wide_queue_sort};
    pub use super::filter::{filter, pre_filter};
    pub use super::hints::hints;
    pub use super::observe::observe;
    pub use super::overlay::overlay_state;
    pub use super::post_filter::post_filter;
    pub use super::score::{pre_score, score};
}
