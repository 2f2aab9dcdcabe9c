//! Hints: which events may make a refused pod schedulable. `berth/abi/enqueue.h`.

use crate::call::{Columns, CycleCall};
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::points::answer;
use crate::raw::*;
use crate::storage::{of_event, StorageObject};

/// An event, with the values that its object had and has in the inputs of the hook.
pub struct Event<'a> {
    raw: &'a berth_event,
    before: Columns<'a>,
    after: Columns<'a>,
}

impl<'a> Event<'a> {
    /// True for an event of a node.
    pub fn on_node(&self) -> bool {
        self.raw.kind == BERTH_ON_NODE
    }

    /// True if the object was added.
    pub fn added(&self) -> bool {
        self.raw.before.is_null() && self.raw.object_before.is_null()
    }

    /// True if the object was deleted.
    pub fn deleted(&self) -> bool {
        self.raw.after.is_null() && self.raw.object_after.is_null()
    }

    /// Of an event of pods: true if its pod is the refused pod.
    pub fn own(&self) -> bool {
        self.raw.self_ != 0
    }

    /// The object's columns before the event. Reading one of an object that was added panics.
    pub fn before(&self) -> &Columns<'a> {
        &self.before
    }

    /// The object's columns after the event. Reading one of an object that was deleted panics.
    pub fn after(&self) -> &Columns<'a> {
        &self.after
    }

    /// Of an event of storage: the object before the event; `None` if it was added, or is of another
    /// kind.
    pub fn object_before<O: StorageObject<'a>>(&self) -> Option<O> {
        // SAFETY: the host passes an object of that kind, valid for the call.
        unsafe { of_event(self.raw.kind, self.raw.object_before) }
    }

    /// Of an event of storage: the object after the event; `None` if it was deleted, or is of another
    /// kind.
    pub fn object_after<O: StorageObject<'a>>(&self) -> Option<O> {
        // SAFETY: as above.
        unsafe { of_event(self.raw.kind, self.raw.object_after) }
    }

    /// The struct of the ABI.
    pub fn raw(&self) -> &'a berth_event {
        self.raw
    }
}

/// Says which events may make a pod schedulable that this plugin refused.
pub trait Hints: Hook {
    /// \[init\] The `BERTH_DID_` bits that may help, for one `BERTH_ON_` bit that this crate has; 0:
    /// none.
    fn actions(&self, kind: u32) -> u32;

    /// \[cycle\] True if the event may help pods of the template.
    fn hint(&self, call: &CycleCall<'_, Self>, event: &Event<'_>) -> Result<bool>;
}

unsafe extern "C" fn actions_hook<H: Hints>(plugin: *mut berth_plugin, kind: u32) -> u32 {
    let bound = bound_of::<H>(plugin, Point::hints);
    let mut actions = 0;
    let known = BERTH_ON_POD_ASSIGNED | BERTH_ON_POD_PENDING | BERTH_ON_NODE | BERTH_ON_STORAGE;
    if kind & known == 0 {
        return actions; // it came with a later ABI
    }
    bound.logged("actions", || {
        actions = bound.hook.actions(kind);
        Ok(())
    });
    actions
}

unsafe extern "C" fn hint_hook<H: Hints>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    event: *const berth_event,
    queue: *mut u8,
) -> berth_code {
    answer(plugin, Point::hints, call, |hook: &H| {
        let call = CycleCall::new(call);
        let raw = &*event;
        let event = Event {
            raw,
            before: call.same_columns(raw.before),
            after: call.same_columns(raw.after),
        };
        *queue = hook.hint(&call, &event)?.into();
        Ok(())
    })
}

#[doc(hidden)]
pub fn hints<H: Hints>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::hints }>(start, |hook| berth_hints {
        size: size_of::<berth_hints>(),
        reserved: 0,
        hook,
        actions: Some(actions_hook::<H>),
        hint: Some(hint_hook::<H>),
    })
}
