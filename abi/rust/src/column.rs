//! Typed views of columns, and codes.

use crate::raw::*;
use crate::text::slice;

/// The answer for one position. Codes are kube-scheduler's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Code(pub u8);

impl Code {
    /// Continue: the node fits, the pod goes on.
    pub const SUCCESS: Code = Code(BERTH_SUCCESS as u8);
    /// The pod fails. Not a verdict on a node.
    pub const ERROR: Code = Code(BERTH_ERROR as u8);
    /// Refused; preemption may help.
    pub const UNSCHEDULABLE: Code = Code(BERTH_UNSCHEDULABLE as u8);
    /// Refused; removing pods cannot help.
    pub const UNRESOLVABLE: Code = Code(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE as u8);
    /// Permit and PreBind: not yet.
    pub const WAIT: Code = Code(BERTH_WAIT as u8);
    /// This plugin has nothing to do for the pod.
    pub const SKIP: Code = Code(BERTH_SKIP as u8);
    /// Ends the scheduling cycle. The pod gets no backoff when it becomes schedulable.
    pub const PENDING: Code = Code(BERTH_PENDING as u8);
}

mod sealed {
    pub trait Sealed {}
}

/// An element type of columns.
pub trait Element: Copy + sealed::Sealed + 'static {
    /// The number of the type in the ABI.
    const TYPE: u32;
}

macro_rules! elements {
    ($($type:ty = $number:expr;)*) => {
        $(impl sealed::Sealed for $type {}
        impl Element for $type {
            const TYPE: u32 = $number as u32;
        })*
    };
}

elements! {
    u8 = BERTH_U8;
    u32 = BERTH_U32;
    i32 = BERTH_I32;
    i64 = BERTH_I64;
    u64 = BERTH_U64;
    f64 = BERTH_F64;
}

/// The values of a list column, one list per position.
#[derive(Clone, Copy)]
pub struct Lists<'a, T> {
    data: *const T,
    starts: &'a [u32],
    sizes: &'a [u32],
}

impl<'a, T: Element> Lists<'a, T> {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// True if there is no position.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The list of a position. Panics if there is no such position.
    pub fn at(&self, position: usize) -> &'a [T] {
        let (start, size) = (self.starts[position] as usize, self.sizes[position] as usize);
        if size == 0 {
            return &[];
        }
        // SAFETY: the host promises that the list lies within the column, which lives for 'a.
        unsafe { slice(self.data.add(start), size) }
    }

    /// The lists in the order of positions.
    pub fn iter(&self) -> impl Iterator<Item = &'a [T]> + '_ {
        (0..self.len()).map(move |position| self.at(position))
    }
}

/// The values of a flat column. Panics if it was not passed, has another type or is a list column.
///
/// # Safety
/// The column is one of the host's and lives for `'a`.
pub unsafe fn flat<'a, T: Element>(column: &berth_column) -> &'a [T] {
    if column.count == 0 {
        return &[];
    }
    assert!(!column.data.is_null(), "a column was read that was not passed");
    assert_eq!(column.r#type, T::TYPE, "a column is of another element type");
    assert!(column.starts.is_null(), "a list column was read as a flat one");
    slice(column.data as *const T, column.count as usize)
}

/// The values of a list column. Panics as `flat` does.
///
/// # Safety
/// As of `flat`.
pub unsafe fn lists<'a, T: Element>(column: &berth_column) -> Lists<'a, T> {
    let count = column.count as usize;
    if count > 0 {
        assert_eq!(column.r#type, T::TYPE, "a column is of another element type");
        assert!(
            !column.starts.is_null() && !column.sizes.is_null(),
            "a flat column, or one that was not passed, was read as a list column"
        );
    }
    Lists {
        data: column.data as *const T,
        starts: slice(column.starts, count),
        sizes: slice(column.sizes, count),
    }
}
