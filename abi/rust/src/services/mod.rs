//! The host's services as values. Each is looked up once, when a hook or the plugin begins.

mod basic;
mod counts;
mod pods;
mod run;
mod volumes;
mod what_if;

pub use basic::{Bindings, ColumnIds, Log, Selectors, Strings};
pub use counts::{CarriedTerms, CountQuery, Counts, PodTerm};
pub use pods::{Waiting, WaitingPods};
pub use run::{Clock, Counter, Epoch, Gauge, Random, Rules, Waker, Worker};
pub use volumes::Volumes;
pub use what_if::{Parallel, WhatIf, WhatIfs};
