//! `prepare`: the work of a hook that is done once for all pods of a template, and the choice of the
//! columns that calls for this template get.

use std::marker::PhantomData;

use crate::call::{Narrowing, Template, LEFT_OUT};
use crate::column::Element;
use crate::declaration::{Declaration, Declared, Slot};
use crate::failure::{Failure, Result};
use crate::hook::Hook;
use crate::host::Cycle;
use crate::raw::BERTH_PREPARED_PASSES;
use crate::services::ColumnIds;

/// The state of a template, made by `prepare` of the hook `H`. `()`: the hook has nothing to
/// prepare.
pub trait Prepare<H: Hook>: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const NEEDED: bool = true;

    /// \[cycle\] Called once per template.
    fn prepare(hook: &H, pod: &Template<'_>, preparation: &mut Preparation<'_>) -> Result<Self>;
}

impl<H: Hook> Prepare<H> for () {
    const NEEDED: bool = false;

    fn prepare(_: &H, _: &Template<'_>, _: &mut Preparation<'_>) -> Result<Self> {
        Ok(())
    }
}

/// Collects what `prepare` decides about calls for a template. If nothing is kept or added, calls
/// get all declared columns; otherwise only those kept or added.
pub struct Preparation<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) columns: Option<ColumnIds>,
    pub(crate) narrowing: Narrowing,
    pub(crate) flags: u32,
    pub(crate) cycle: Cycle<'a>,
}

impl Preparation<'_> {
    /// Filter: the hook refuses no node. Score: the score is 0 on every node. PreFilter, PreScore:
    /// the answer is SKIP. The host may skip the call.
    pub fn passes(&mut self) {
        self.flags |= BERTH_PREPARED_PASSES;
    }

    /// Passes this declared input to calls.
    pub fn keep(&mut self, input: &impl Declared) -> Result {
        let index = input.index() as usize;
        let column = self.find(&self.declaration.ids[index])?;
        self.start();
        self.narrowing.places[index] = self.narrowing.ids.len() as u32;
        self.narrowing.ids.push(column);
        Ok(())
    }

    /// Passes a column that the declaration covers, by its id. Fails if there is no such column.
    pub fn add<T: Element>(&mut self, id: &str) -> Result<Slot<T>> {
        let column = self.find(id)?;
        Ok(self.add_id(column))
    }

    /// The same for a column whose number a service gave.
    pub fn add_id<T: Element>(&mut self, column: u32) -> Slot<T> {
        self.start();
        self.narrowing.ids.push(column);
        Slot { index: (self.narrowing.ids.len() - 1) as u32, element: PhantomData }
    }

    fn start(&mut self) {
        if self.narrowing.places.is_empty() {
            self.narrowing.places = vec![LEFT_OUT; self.declaration.ids.len()];
        }
    }

    fn find(&self, id: &str) -> Result<u32> {
        match &self.columns {
            Some(columns) => columns.find(self.cycle, id),
            None => Err(Failure::new("this host has no service berth.columns/0")),
        }
    }
}

/// The data that the host stores of a template. The copies of an OverlayState begin with it.
pub struct Prepared<S> {
    pub narrowing: Narrowing,
    pub state: S,
}
