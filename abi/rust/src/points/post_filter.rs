//! PostFilter: `berth/abi/filter.h`.

use crate::call::CycleCall;
use crate::column::Code;
use crate::failure::{guarded, Failure, Result};
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::raw::*;
use crate::text::slice;

/// The answer of a PostFilter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nomination {
    /// The pod may fit once this is carried out.
    Node {
        /// String id of the node's name; 0: no node is nominated.
        node: u32,
        /// Values of `pod.handle`: pods on that node, in the order of eviction.
        victims: Vec<u64>,
    },
    /// This plugin cannot help, the next one is asked.
    CannotHelp {
        /// A reason of the hook, whose text is added to the pod's message.
        reason: u32,
        /// True: no node can be nominated, and the pod loses the nomination that it has.
        clears: bool,
    },
    /// Nobody can help.
    NobodyCan {
        /// A reason of the hook.
        reason: u32,
    },
}

/// Called if no node can run the pod. Positions are all nodes.
pub trait PostFilter: Hook {
    /// \[cycle\] `codes[i]`: the code with which node i was refused. `draw`: a random number of this
    /// decision; 0 if ties are to be broken by name. Texts written to `call.error` are added to the
    /// pod's message.
    fn post_filter(
        &self,
        call: &CycleCall<'_, Self>,
        codes: &[Code],
        draw: u64,
    ) -> Result<Nomination>;
}

unsafe extern "C" fn post_filter_hook<H: PostFilter>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    codes: *const u8,
    draw: u64,
    nomination: *mut berth_nomination,
) -> berth_code {
    guarded((*call).error, || {
        let bound = bound_of::<H>(plugin, Point::post_filter);
        let call = CycleCall::new(call);
        let codes = slice(codes as *const Code, call.count());
        let out = &mut *nomination;
        match bound.hook.post_filter(&call, codes, draw)? {
            Nomination::Node { node, victims } => {
                let mut kept =
                    bound.victims.lock().map_err(|_| Failure::new("a lock is poisoned"))?;
                *kept = victims;
                out.code = BERTH_SUCCESS;
                out.node = node;
                out.victims = kept.as_ptr();
                out.victim_count = kept.len() as u64;
            }
            Nomination::CannotHelp { reason, clears } => {
                out.code = BERTH_UNSCHEDULABLE;
                out.reason = reason;
                out.clears = clears.into();
            }
            Nomination::NobodyCan { reason } => {
                out.code = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
                out.reason = reason;
            }
        }
        Ok(())
    })
}

#[doc(hidden)]
pub fn post_filter<H: PostFilter>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::post_filter }>(start, |hook| berth_post_filter {
        size: size_of::<berth_post_filter>(),
        reserved: 0,
        hook,
        post_filter: Some(post_filter_hook::<H>),
    })
}
