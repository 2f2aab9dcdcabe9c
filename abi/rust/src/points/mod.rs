//! The traits of the extension points. The C contracts are in the headers named in each file.

mod after;
mod bind;
mod enqueue;
mod filter;
mod hints;
mod overlay;
mod post_filter;
mod score;

pub use after::{Permit, Reserve};
pub use bind::{Bind, PostBind, PreBind, PreBindAnswer};
pub use enqueue::{PreEnqueue, QueueSort, SortKey};
pub use filter::{Filter, Numbers, PreFilter, PreFilterResult, Unit};
pub use hints::{Event, Hints};
pub use overlay::OverlayState;
pub use post_filter::{Nomination, PostFilter};
pub use score::{Feasible, Normalise, PreScore, PreScoreResult, Score};

/// Makes the hook of each point; the names are those in `plugin!`.
pub mod slots {
    pub use super::after::{permit, reserve};
    pub use super::bind::{bind, post_bind, pre_bind};
    pub use super::enqueue::{pre_enqueue, queue_sort};
    pub use super::filter::{filter, pre_filter};
    pub use super::hints::hints;
    pub use super::overlay::overlay_state;
    pub use super::post_filter::post_filter;
    pub use super::score::{pre_score, score};
}
