//! The declarations of a hook at init: columns that it reads, its reasons, what its answers depend on.

use std::marker::PhantomData;

use crate::column::Element;
use crate::raw::*;

/// A declared flat column, a member of the hook. `call[input]` are its values.
#[derive(Debug)]
pub struct Input<T> {
    pub(crate) index: u32,
    element: PhantomData<fn() -> T>,
}

/// A declared list column, a member of the hook. `call.lists(input)` are its values.
#[derive(Debug)]
pub struct ListInput<T> {
    pub(crate) index: u32,
    element: PhantomData<fn() -> T>,
}

/// A declared family of columns (`node.allocatable:*`), of which `prepare` adds members, or a
/// column that the hook passes on without reading it.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    pub(crate) index: u32,
}

/// A column that `prepare` added. Keep it in the template's state.
#[derive(Debug)]
pub struct Slot<T> {
    pub(crate) index: u32,
    pub(crate) element: PhantomData<fn() -> T>,
}

macro_rules! copies {
    ($($name:ident)*) => {
        $(impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {})*
    };
}

copies! { Input ListInput Slot }

/// Something that a hook declared.
pub trait Declared {
    /// Its place in the declaration.
    fn index(&self) -> u32;
}

impl<T> Declared for Input<T> {
    fn index(&self) -> u32 {
        self.index
    }
}

impl<T> Declared for ListInput<T> {
    fn index(&self) -> u32 {
        self.index
    }
}

impl Declared for Family {
    fn index(&self) -> u32 {
        self.index
    }
}

/// A reason with a fixed text, a member of the hook.
#[derive(Debug, Clone, Copy)]
pub struct Reason(u32);

impl Reason {
    /// The number for the array of reasons. Reasons count from 1 in the order of declaration.
    pub fn id(self) -> u32 {
        self.0
    }
}

impl From<Reason> for u32 {
    fn from(reason: Reason) -> u32 {
        reason.0
    }
}

/// Collects what a hook declares.
pub struct Declaration {
    pub(crate) ids: Vec<String>,
    pub(crate) types: Vec<u32>,
    pub(crate) reasons: Vec<String>,
    pub(crate) depends: u32,
    pub(crate) space: String,
}

impl Declaration {
    pub(crate) fn new() -> Self {
        Declaration {
            ids: Vec::new(),
            types: Vec::new(),
            reasons: Vec::new(),
            depends: BERTH_DEPENDS_DECLARED as u32,
            space: String::new(),
        }
    }

    fn add(&mut self, id: &str, type_number: u32) -> u32 {
        self.ids.push(id.to_string());
        self.types.push(type_number);
        (self.ids.len() - 1) as u32
    }

    /// A flat column that the hook reads, by its id: `node.pods`.
    pub fn input<T: Element>(&mut self, id: &str) -> Input<T> {
        Input { index: self.add(id, T::TYPE), element: PhantomData }
    }

    /// A list column that the hook reads: `node.ports`.
    pub fn list<T: Element>(&mut self, id: &str) -> ListInput<T> {
        ListInput { index: self.add(id, T::TYPE | BERTH_LIST_OF), element: PhantomData }
    }

    /// A family whose members `prepare` adds: `node.allocatable:*`. Also a column that the hook only
    /// passes on.
    pub fn family(&mut self, id: &str) -> Family {
        Family { index: self.add(id, 0) }
    }

    /// A reason with a fixed text.
    pub fn reason(&mut self, text: &str) -> Reason {
        self.reasons.push(text.to_string());
        Reason(self.reasons.len() as u32)
    }

    /// Answers depend on something outside of the model, so the host keeps none of them.
    pub fn depends_on_external(&mut self) {
        self.depends = BERTH_DEPENDS_EXTERNAL as u32;
    }

    /// Answers also depend on the set of feasible nodes, through PreScore.
    pub fn depends_on_feasible(&mut self) {
        self.depends = BERTH_DEPENDS_FEASIBLE as u32;
    }

    /// Positions are the codes of a dictionary column of nodes (`node.taints`), not nodes.
    pub fn run_over(&mut self, dictionary: &str) {
        self.space = dictionary.to_string();
    }
}
