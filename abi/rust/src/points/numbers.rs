//! The numbers behind an answer, for people: `berth/abi/numbers.h`.

use std::marker::PhantomData;

use crate::call::Call;
use crate::declaration::{Declared, Slot};
use crate::hook::Hook;
use crate::raw::*;
use crate::text::to_abi;

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A count.
    One,
    /// Thousandths of a CPU.
    MilliCpu,
    /// Bytes.
    Bytes,
}

/// Receives the numbers behind an answer: items, which have facts.
pub struct Numbers<'a> {
    sink: *const berth_numbers_sink,
    call: PhantomData<&'a ()>,
}

// A function of the sink; hosts that ask for numbers have all of them.
macro_rules! tell {
    ($numbers:expr, $function:ident, $name:expr $(, $argument:expr)*) => {{
        // SAFETY: the sink is the host's, valid for the call.
        unsafe {
            let sink = &*$numbers.sink;
            if let Some(function) = sink.$function {
                function(sink.context, to_abi($name) $(, $argument)*);
            }
        }
        $numbers
    }};
}

impl Numbers<'_> {
    pub(crate) fn new(sink: *const berth_numbers_sink) -> Self {
        Numbers { sink, call: PhantomData }
    }

    /// Begins an item; the facts that follow are its own.
    pub fn item(&mut self, name: &str) -> &mut Self {
        tell!(self, item, name)
    }

    /// A number.
    pub fn number(&mut self, name: &str, value: i64, unit: Unit) -> &mut Self {
        let unit = match unit {
            Unit::One => BERTH_UNIT_ONE,
            Unit::MilliCpu => BERTH_UNIT_MILLI_CPU,
            Unit::Bytes => BERTH_UNIT_BYTES,
        };
        tell!(self, number, name, value, unit)
    }

    /// A text.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        tell!(self, text, name, to_abi(text))
    }

    /// A term of the counts service.
    pub fn term(&mut self, name: &str, term: u32) -> &mut Self {
        tell!(self, term, name, term)
    }

    /// The placed pods behind a column of the call, `node.count:*` or `node.carried:*`, that
    /// `prepare` added.
    pub fn pods<T>(&mut self, name: &str, column: Slot<T>) -> &mut Self {
        tell!(self, pods, name, column.index, 0)
    }

    /// The pods of the node that have the element of a declared list (`node.ports`).
    pub fn pods_with<H: Hook>(
        &mut self,
        name: &str,
        call: &Call<'_, H>,
        list: &impl Declared,
        element: u64,
    ) -> &mut Self {
        let column = call.place(list.index());
        tell!(self, pods, name, column, element)
    }
}
