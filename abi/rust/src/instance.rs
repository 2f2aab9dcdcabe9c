//! The instance of a plugin: its hooks and their tables, by extension point.

use std::any::TypeId;
use std::os::raw::c_void;
use std::ptr::null;

use crate::failure::Result;
use crate::hook::{Bound, Hook};
use crate::plugin::{Plugin, Start};
use crate::raw::*;

/// Indices of the extension points.
#[allow(non_snake_case, non_upper_case_globals, missing_docs)]
pub mod Point {
    pub const pre_enqueue: usize = 0;
    pub const queue_sort: usize = 1;
    pub const hints: usize = 2;
    pub const pre_filter: usize = 3;
    pub const filter: usize = 4;
    pub const post_filter: usize = 5;
    pub const pre_score: usize = 6;
    pub const score: usize = 7;
    pub const reserve: usize = 8;
    pub const permit: usize = 9;
    pub const pre_bind: usize = 10;
    pub const bind: usize = 11;
    pub const post_bind: usize = 12;
    pub const overlay_state: usize = 13;
    pub const observe: usize = 14;
}

pub const POINTS: [&str; 15] = [
    BERTH_PRE_ENQUEUE,
    BERTH_QUEUE_SORT,
    BERTH_HINTS,
    BERTH_PRE_FILTER,
    BERTH_FILTER,
    BERTH_POST_FILTER,
    BERTH_PRE_SCORE,
    BERTH_SCORE,
    BERTH_RESERVE,
    BERTH_PERMIT,
    BERTH_PRE_BIND,
    BERTH_BIND,
    BERTH_POST_BIND,
    BERTH_OVERLAY_STATE,
    BERTH_OBSERVE,
];

/// A hook and its table.
trait Slot: Send + Sync {
    fn bound(&self) -> *const c_void;
    fn table(&self) -> *const c_void;
    fn type_of_hook(&self) -> TypeId;
}

struct Filled<H, T> {
    bound: Box<Bound<H>>,
    table: Box<T>,
}

// SAFETY: tables hold functions and a pointer to the hook's declaration, which do not change.
unsafe impl<H: Send + Sync, T> Send for Filled<H, T> {}
unsafe impl<H: Send + Sync, T> Sync for Filled<H, T> {}

impl<H: Hook, T> Slot for Filled<H, T> {
    fn bound(&self) -> *const c_void {
        &*self.bound as *const Bound<H> as *const c_void
    }

    fn table(&self) -> *const c_void {
        &*self.table as *const T as *const c_void
    }

    fn type_of_hook(&self) -> TypeId {
        TypeId::of::<H>()
    }
}

/// The hooks of an instance.
#[derive(Default)]
pub struct Slots {
    slots: [Option<Box<dyn Slot>>; 15],
    /// The filter that the OverlayState names.
    followed: Option<TypeId>,
}

impl Slots {
    /// Makes a hook and its table.
    pub fn fill<H: Hook, T: 'static, const POINT: usize>(
        &mut self,
        start: &Start<'_, H::Plugin>,
        table: impl FnOnce(*const berth_hook) -> T,
    ) -> Result {
        let bound = Bound::<H>::new::<POINT>(start)?;
        debug_assert_eq!(bound.declared(), bound.raw.input_count as usize);
        let table = Box::new(table(&bound.raw));
        self.slots[POINT] = Some(Box::new(Filled { bound, table }));
        Ok(())
    }

    /// The OverlayState follows the state of a filter of this type.
    pub fn follow<H: Hook>(&mut self) {
        self.followed = Some(TypeId::of::<H>());
    }

    /// Fails if the plugin's filter is another one, whose state may be of another type.
    pub fn check(&self) -> Result {
        let filter = self.slots[Point::filter].as_ref().map(|slot| slot.type_of_hook());
        if self.followed.is_some() && self.followed != filter {
            return Err("the OverlayState names a filter that is not the plugin's".into());
        }
        Ok(())
    }

    /// The table of the point with that id; null if there is none.
    pub fn table(&self, id: &[u8]) -> *const c_void {
        let point = POINTS.iter().position(|point| point.as_bytes() == id);
        point.and_then(|point| self.slots[point].as_ref()).map_or(null(), |slot| slot.table())
    }
}

/// Makes the hooks of a plugin: what `plugin!` implements.
pub trait Hooks {
    /// The state that the hooks share.
    type Plugin: Plugin;

    /// \[init\] Fills the slots.
    fn fill(slots: &mut Slots, start: &Start<'_, Self::Plugin>) -> Result;
}

/// The hook at an extension point.
///
/// # Safety
/// `plugin` is an instance whose slot POINT was filled with an H.
pub unsafe fn bound_of<'a, H: Hook>(plugin: *mut berth_plugin, point: usize) -> &'a Bound<H> {
    match &(*(plugin as *const Slots)).slots[point] {
        Some(slot) => &*(slot.bound() as *const Bound<H>),
        None => panic!("there is no hook at this point"),
    }
}
