//! Plugins for the scheduler Berth, in safe Rust.
//!
//! A plugin is a `cdylib`. Each hook is a type that declares the columns that it reads and
//! implements the trait of its extension point; [`plugin!`] makes the entry function and the ELF
//! note of them.
//!
//! ```
//! use berth_plugin::prelude::*;
//!
//! /// Pods with the label example.com/rack run only on nodes with the same label.
//! struct Rack {
//!     wanted: Input<u32>,
//!     rack: Input<u32>,
//! }
//!
//! impl Hook for Rack {
//!     type Plugin = ();
//!     type State = ();
//!
//!     fn declare(declare: &mut Declaration, _: &Start<()>) -> Result<Self> {
//!         declare.reason("node(s) were in another rack");
//!         Ok(Rack {
//!             wanted: declare.input("pod.label:example.com/rack"),
//!             rack: declare.input("node.label:example.com/rack"),
//!         })
//!     }
//! }
//!
//! impl Filter for Rack {
//!     fn filter(&self, call: &Call<Self>, verdicts: &mut [Code]) -> Result {
//!         let wanted = call.one(self.wanted);
//!         for (verdict, &rack) in verdicts.iter_mut().zip(&call[self.rack]) {
//!             let fits = wanted == 0 || rack == wanted;
//!             *verdict = if fits { Code::SUCCESS } else { Code::UNRESOLVABLE };
//!         }
//!         Ok(())
//!     }
//! }
//!
//! berth_plugin::plugin! {
//!     id: "com.example.rack",
//!     name: "Rack",
//!     plugin: (),
//!     hooks: { filter: Rack },
//! }
//! ```
//!
//! # What the types say
//!
//! * An [`Input`] is a declared column with its element type. The host refuses a plugin whose type
//!   is not that of the column, so reading one cannot fail at a pod. Reading a column that `prepare`
//!   left out panics.
//! * A function that may use the services of the thread that owns the model gets a [`Cycle`]: from
//!   [`Start`], [`Template`] or [`CycleCall`]. Functions with the tag \[rows\] get none.
//! * An `Err`, or a panic, fails the pod with its text. In functions that cannot fail a pod
//!   (`unreserve`, `post_bind`, Observe, the end of a state) a panic becomes an error in the log.
//!
//! # What is not covered
//!
//! All fifteen extension points are. Of the services these are not: the extenders that preempt, and
//! how long results of what-ifs hold. Use [`raw`] for them.
//!
//! # Requirements
//!
//! Rust 1.63, which Debian 12 has, or later, and no other crate. The crate uses `std`, because only
//! `std` can catch a panic; for the same reason `panic = "abort"` is refused.

#![warn(missing_docs)]

#[cfg(panic = "abort")]
compile_error!("a panic must not end the host: build plugins with panic = \"unwind\"");

mod call;
mod column;
mod config;
mod declaration;
mod failure;
mod hook;
mod host;
mod instance;
mod note;
mod plugin;
mod points;
mod prepare;
pub mod raw;
pub mod services;
pub mod storage;
mod text;

pub use call::{BindCall, Call, Columns, CycleCall, Template};
pub use column::{Code, Element, Lists};
pub use config::{Arguments, Config};
pub use declaration::{Declaration, Declared, Family, Input, ListInput, Reason, Slot};
pub use failure::{Failure, Result};
pub use hook::{Hook, Texts};
pub use host::{Binding, Cycle, Host};
pub use plugin::{Plugin, Start};
pub use points::*;
pub use prepare::{Preparation, Prepare};

/// The items that most plugins use.
pub mod prelude {
    pub use crate::{
        Arguments, BindCall, Call, Code, Config, CycleCall, Declaration, Failure, Family, Hook,
        Input, ListInput, Plugin, Preparation, Prepare, Reason, Result, Slot, Start, Template,
        Texts,
    };
    pub use crate::{
        Bind, Event, Feasible, Filter, Hints, Nomination, Normalise, Numbers, Observe, OverlayState,
        Permit, PostBind, PostFilter, PreBind, PreBindAnswer, PreBindOnCycle, PreEnqueue, PreFilter,
        PreFilterResult, PreScore, PreScoreResult, QueueSort, Reserve, Score, SortKey, Unit,
        WideQueueSort,
    };
    pub use crate::{Binding, Cycle, Host};
    pub use std::sync::Arc;
}

/// The expansion of [`plugin!`]. Not for other use.
#[doc(hidden)]
pub mod internal {
    pub use crate::instance::{Hooks, Point, Slots};
    pub use crate::note::{later, note_size, Note};
    pub use crate::plugin::{entered, Functions};
    pub use crate::points::slots::*;
    pub use crate::text::constant;
}
