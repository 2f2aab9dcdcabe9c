//! The argument of a hook: columns, positions, the template's state. Valid for the call.

use std::marker::PhantomData;
use std::ops::{Deref, Index};

use crate::column::{flat, lists, Element, Lists};
use crate::declaration::{Input, ListInput, Slot};
use crate::hook::Hook;
use crate::host::{Binding, Cycle};
use crate::prepare::Prepared;
use crate::raw::*;
use crate::text::slice;

/// The columns that calls get after `prepare` has narrowed them.
#[derive(Clone, Default)]
pub struct Narrowing {
    /// Column ids, in the order of the call.
    pub ids: Vec<u32>,
    /// For each declared input its index in the call, or LEFT_OUT. Empty: calls get the declared
    /// columns in their order.
    pub places: Vec<u32>,
}

pub const LEFT_OUT: u32 = u32::MAX;

/// The columns of a call, found by input: `columns[input]`. Reading a column that was not passed
/// panics.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    columns: &'a [berth_column],
    places: &'a [u32],
}

// SAFETY: nobody writes to the columns of a call during the call.
unsafe impl Send for Columns<'_> {}
unsafe impl Sync for Columns<'_> {}

impl<'a> Columns<'a> {
    /// # Safety
    /// The columns are valid for `'a`.
    pub(crate) unsafe fn new(columns: *const berth_column, count: u32, places: &'a [u32]) -> Self {
        Columns { columns: slice(columns, count as usize), places }
    }

    fn at(&self, place: u32) -> &'a berth_column {
        match self.columns.get(place as usize) {
            Some(column) => column,
            None => panic!("a column was read that was not prepared"),
        }
    }

    pub(crate) fn place(&self, declared: u32) -> u32 {
        if self.places.is_empty() {
            declared
        } else {
            self.places[declared as usize]
        }
    }

    /// The values of a flat column, one per position.
    pub fn values<T: Element>(&self, input: Input<T>) -> &'a [T] {
        // SAFETY: columns of the host live for 'a.
        unsafe { flat(self.at(self.place(input.index))) }
    }

    /// The values of a column that `prepare` added.
    pub fn added<T: Element>(&self, slot: Slot<T>) -> &'a [T] {
        // SAFETY: as above.
        unsafe { flat(self.at(slot.index)) }
    }

    /// The lists of a list column, one per position.
    pub fn lists<T: Element>(&self, input: ListInput<T>) -> Lists<'a, T> {
        // SAFETY: as above.
        unsafe { lists(self.at(self.place(input.index))) }
    }

    /// The value of a column with one position: of the pod that is decided, or of the cluster.
    pub fn one<T: Element>(&self, input: Input<T>) -> T {
        match self.values(input).first() {
            Some(value) => *value,
            None => panic!("a column has no position"),
        }
    }

    /// The list of a list column with one position.
    pub fn one_list<T: Element>(&self, input: ListInput<T>) -> &'a [T] {
        let lists = self.lists(input);
        assert!(!lists.is_empty(), "a column has no position");
        lists.at(0)
    }

    /// True if the column has values here. Columns of pods have none in events of nodes, and the
    /// other way round.
    pub fn has<T: Element>(&self, input: Input<T>) -> bool {
        let column = self.columns.get(self.place(input.index) as usize);
        column.map_or(false, |column| !column.data.is_null())
    }

    /// Differs whenever a value of the column does.
    pub fn generation<T: Element>(&self, input: Input<T>) -> u64 {
        self.at(self.place(input.index)).generation
    }
}

impl<T: Element> Index<Input<T>> for Columns<'_> {
    type Output = [T];

    fn index(&self, input: Input<T>) -> &[T] {
        self.values(input)
    }
}

impl<T: Element> Index<Slot<T>> for Columns<'_> {
    type Output = [T];

    fn index(&self, slot: Slot<T>) -> &[T] {
        self.added(slot)
    }
}

/// The pod of a `prepare` call, described by the pod columns that the hook declared.
pub struct Template<'a> {
    columns: Columns<'a>,
    raw: &'a berth_template,
}

impl<'a> Template<'a> {
    /// # Safety
    /// `raw` is valid for `'a`.
    pub(crate) unsafe fn new(raw: *const berth_template) -> Self {
        let raw = &*raw;
        Template { columns: Columns::new(raw.columns, raw.column_count, &[]), raw }
    }

    /// The right to use services of the thread that owns the model.
    pub fn cycle(&self) -> Cycle<'a> {
        Cycle::new()
    }

    /// The struct of the ABI.
    pub fn raw(&self) -> &'a berth_template {
        self.raw
    }
}

impl<'a> Deref for Template<'a> {
    type Target = Columns<'a>;

    fn deref(&self) -> &Columns<'a> {
        &self.columns
    }
}

/// A call of the hook `H`, also from several threads at once.
pub struct Call<'a, H> {
    columns: Columns<'a>,
    raw: &'a berth_call,
    hook: PhantomData<fn() -> H>,
}

impl<'a, H: Hook> Call<'a, H> {
    /// # Safety
    /// `raw` is a call of the hook H, valid for `'a`.
    pub(crate) unsafe fn new(raw: *const berth_call) -> Self {
        let raw = &*raw;
        let prepared = raw.state as *const Prepared<H::State>;
        let places = prepared.as_ref().map_or(&[][..], |state| &state.narrowing.places[..]);
        Call {
            columns: Columns::new(raw.columns, raw.column_count, places),
            raw,
            hook: PhantomData,
        }
    }

    /// The number of positions.
    pub fn count(&self) -> usize {
        self.raw.count as usize
    }

    /// The state that `prepare` made for the pod's template. For a filter with an
    /// [`crate::OverlayState`]: the copy that followed the changes of the row. Panics in a hook
    /// without a state.
    pub fn state(&self) -> &'a H::State {
        // SAFETY: the host passes what `prepare` returned, or a copy of an overlay.
        match unsafe { (self.raw.state as *const Prepared<H::State>).as_ref() } {
            Some(prepared) => &prepared.state,
            None => panic!("the hook was called without its prepared state"),
        }
    }

    /// True if the host reads the answer for the position.
    pub fn wanted(&self, position: usize) -> bool {
        assert!(position < self.count(), "there is no position {}", position);
        // SAFETY: the mask has a bit for each position.
        self.raw.mask.is_null()
            || unsafe { *self.raw.mask.add(position / 64) } >> (position % 64) & 1 != 0
    }

    /// True if the plugin's PreFilter ran for the pod and did not skip.
    pub fn ran_pre_filter(&self) -> bool {
        self.raw.ran & BERTH_RAN_PRE_FILTER != 0
    }

    /// True if the plugin's PreScore ran for the pod and did not skip.
    pub fn ran_pre_score(&self) -> bool {
        self.raw.ran & BERTH_RAN_PRE_SCORE != 0
    }

    /// Takes the text of an answer [`crate::Code::ERROR`], or of a refusal in PreBind.
    pub fn error(&self, text: &str) {
        // SAFETY: the sink is the host's.
        unsafe { crate::text::write(self.raw.error, text) }
    }

    /// The struct of the ABI.
    pub fn raw(&self) -> &'a berth_call {
        self.raw
    }

    /// Columns with the indices of this call's.
    ///
    /// # Safety
    /// `columns` is null or valid for `'a`, with as many columns as the call.
    pub(crate) unsafe fn same_columns(&self, columns: *const berth_column) -> Columns<'a> {
        let count = if columns.is_null() { 0 } else { self.raw.column_count };
        Columns::new(columns, count, self.columns.places)
    }
}

impl<'a, H> Deref for Call<'a, H> {
    type Target = Columns<'a>;

    fn deref(&self) -> &Columns<'a> {
        &self.columns
    }
}

/// A call on the thread that owns the model.
pub struct CycleCall<'a, H>(Call<'a, H>);

impl<'a, H: Hook> CycleCall<'a, H> {
    pub(crate) unsafe fn new(raw: *const berth_call) -> Self {
        CycleCall(Call::new(raw))
    }

    /// The right to use services of that thread.
    pub fn cycle(&self) -> Cycle<'a> {
        Cycle::new()
    }
}

impl<'a, H> Deref for CycleCall<'a, H> {
    type Target = Call<'a, H>;

    fn deref(&self) -> &Call<'a, H> {
        &self.0
    }
}

/// A call on the binding thread.
pub struct BindCall<'a, H>(Call<'a, H>);

impl<'a, H: Hook> BindCall<'a, H> {
    pub(crate) unsafe fn new(raw: *const berth_call) -> Self {
        BindCall(Call::new(raw))
    }

    /// The right to use services of that thread.
    pub fn binding(&self) -> Binding<'a> {
        Binding::new()
    }
}

impl<'a, H> Deref for BindCall<'a, H> {
    type Target = Call<'a, H>;

    fn deref(&self) -> &Call<'a, H> {
        &self.0
    }
}
