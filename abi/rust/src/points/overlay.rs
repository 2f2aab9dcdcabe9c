//! A filter's state that follows the pods of a row: `berth/abi/overlay.h`.

use std::os::raw::c_void;
use std::ptr::null_mut;

use crate::call::Call;
use crate::failure::{caught, Result};
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::points::{answer, Filter};
use crate::prepare::Prepared;
use crate::raw::*;

/// Follows what an overlay changes in a row, for filters whose state depends on the pods of nodes
/// beyond what columns hold. The state of the filter is copied for each row that the host changes:
/// in the filter, `call.state()` is what `prepare` made for rows as they are, and the copy for
/// changed rows.
pub trait OverlayState: Hook<State = ()> {
    /// The plugin's filter.
    type Filter: Filter<State = Self::Followed>;
    /// The state of the filter.
    type Followed: Clone + Send + Sync + 'static;

    /// \[rows\] A pod was added to the row. `pod`: its declared columns. A failure fails the row.
    fn add_pod(&self, state: &mut Self::Followed, pod: &Call<'_, Self>, row: u32) -> Result;

    /// \[rows\] A pod was removed from the row.
    fn remove_pod(&self, state: &mut Self::Followed, pod: &Call<'_, Self>, row: u32) -> Result;

    /// \[rows\] Makes `state`, a copy of `base` that followed changes, equal to `base` again.
    /// Override it if undoing the changes is cheaper than a copy.
    fn restore(&self, state: &mut Self::Followed, base: &Self::Followed) {
        state.clone_from(base);
    }
}

/// The state that calls of the filter get; `base` is set while the copy is not restored.
#[repr(C)]
struct Copied<S> {
    prepared: Prepared<S>,
    base: *const Prepared<S>,
}

unsafe extern "C" fn begin_hook<H: OverlayState>(
    _: *mut berth_plugin,
    base: *const c_void,
) -> *mut c_void {
    let mut made = null_mut();
    let _ = caught(|| {
        let base = &*(base as *const Prepared<H::Followed>);
        let prepared = Prepared { narrowing: base.narrowing.clone(), state: base.state.clone() };
        made = Box::into_raw(Box::new(Copied { prepared, base: std::ptr::null() })) as *mut c_void;
        Ok(())
    });
    made
}

unsafe fn restored<'a, H: OverlayState>(hook: &H, scratch: *mut c_void) -> &'a mut H::Followed {
    let copied = &mut *(scratch as *mut Copied<H::Followed>);
    if let Some(base) = copied.base.as_ref() {
        hook.restore(&mut copied.prepared.state, &base.state);
        copied.base = std::ptr::null();
    }
    &mut copied.prepared.state
}

unsafe extern "C" fn add_hook<H: OverlayState>(
    plugin: *mut berth_plugin,
    scratch: *mut c_void,
    pod: *const berth_call,
    row: u32,
) -> berth_code {
    answer(plugin, Point::overlay_state, pod, |hook: &H| {
        hook.add_pod(restored(hook, scratch), &Call::new(pod), row)
    })
}

unsafe extern "C" fn remove_hook<H: OverlayState>(
    plugin: *mut berth_plugin,
    scratch: *mut c_void,
    pod: *const berth_call,
    row: u32,
) -> berth_code {
    answer(plugin, Point::overlay_state, pod, |hook: &H| {
        hook.remove_pod(restored(hook, scratch), &Call::new(pod), row)
    })
}

unsafe extern "C" fn reset_hook<H: OverlayState>(
    plugin: *mut berth_plugin,
    scratch: *mut c_void,
    base: *const c_void,
) {
    let bound = bound_of::<H>(plugin, Point::overlay_state);
    (*(scratch as *mut Copied<H::Followed>)).base = base as *const Prepared<H::Followed>;
    // After a panic `base` is still set, and the next change tries again.
    bound.logged("restore", || {
        restored(&bound.hook, scratch);
        Ok(())
    });
}

unsafe extern "C" fn end_hook<H: OverlayState>(plugin: *mut berth_plugin, scratch: *mut c_void) {
    bound_of::<H>(plugin, Point::overlay_state).logged("the end of a state", || {
        drop(Box::from_raw(scratch as *mut Copied<H::Followed>));
        Ok(())
    });
}

#[doc(hidden)]
pub fn overlay_state<H: OverlayState>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.follow::<H::Filter>();
    slots.fill::<H, _, { Point::overlay_state }>(start, |hook| berth_overlay_state {
        size: size_of::<berth_overlay_state>(),
        reserved: 0,
        hook,
        begin: Some(begin_hook::<H>),
        add_pod: Some(add_hook::<H>),
        remove_pod: Some(remove_hook::<H>),
        reset: Some(reset_hook::<H>),
        end: Some(end_hook::<H>),
    })
}
