//! Observe: `berth/abi/observe.h`. A position is a pair of a pod and a node.

use crate::call::CycleCall;
use crate::failure::Result;
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::raw::*;
use crate::text::slice;

/// Tells which bound pods the cluster has, so that what the plugin keeps of them can follow. A panic
/// is an error in the log.
pub trait Observe: Hook<State = ()> {
    /// \[cycle\] The pods are bound now; what Reserve took of them stays taken.
    fn bound(&self, call: &CycleCall<'_, Self>);

    /// \[cycle\] The objects of bound pods were replaced.
    fn changed(&self, call: &CycleCall<'_, Self>) {
        let _ = call;
    }

    /// \[cycle\] Bound pods are about to leave their nodes.
    fn left(&self, call: &CycleCall<'_, Self>);

    /// \[cycle\] Nodes are about to be removed; values of node.name. `left` of their pods comes all
    /// the same.
    fn node_left(&self, nodes: &[u32]) {
        let _ = nodes;
    }
}

/// Calls one of the functions about pods.
///
/// # Safety
/// The slot of `plugin` was filled with an H, and the host passed `call`.
unsafe fn tell<H: Observe>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    what: &str,
    function: impl FnOnce(&H, &CycleCall<'_, H>),
) {
    let bound = bound_of::<H>(plugin, Point::observe);
    bound.logged(what, || {
        function(&bound.hook, &CycleCall::new(call));
        Ok(())
    });
}

unsafe extern "C" fn bound_hook<H: Observe>(plugin: *mut berth_plugin, call: *const berth_call) {
    tell::<H>(plugin, call, "bound", |hook, call| hook.bound(call));
}

unsafe extern "C" fn changed_hook<H: Observe>(plugin: *mut berth_plugin, call: *const berth_call) {
    tell::<H>(plugin, call, "changed", |hook, call| hook.changed(call));
}

unsafe extern "C" fn left_hook<H: Observe>(plugin: *mut berth_plugin, call: *const berth_call) {
    tell::<H>(plugin, call, "left", |hook, call| hook.left(call));
}

unsafe extern "C" fn node_left_hook<H: Observe>(
    plugin: *mut berth_plugin,
    count: u64,
    nodes: *const u32,
) {
    let bound = bound_of::<H>(plugin, Point::observe);
    bound.logged("node_left", || {
        bound.hook.node_left(slice(nodes, count as usize));
        Ok(())
    });
}

#[doc(hidden)]
pub fn observe<H: Observe>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::observe }>(start, |hook| berth_observe {
        size: size_of::<berth_observe>(),
        reserved: 0,
        hook,
        bound: Some(bound_hook::<H>),
        changed: Some(changed_hook::<H>),
        left: Some(left_hook::<H>),
        node_left: Some(node_left_hook::<H>),
    })
}
