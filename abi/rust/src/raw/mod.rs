//! The C headers in `abi/include/berth/abi`, name by name. Comments in the headers are the contract.
//!
//! The safe layer covers most of them. A plugin that needs the others uses these declarations with
//! the pointers that [`Host::raw`](crate::Host::raw) and `Call::raw` give. The test in `layout.rs`
//! compares sizes, offsets, types, numbers and texts with `abi/layout.list`.
//!
//! Import names one by one: with `*` the struct `berth_plugin` hides the crate.

#![allow(non_camel_case_types, missing_docs)]

// Structs of the ABI. A list of their members is made for the test.
macro_rules! structs {
    ($($name:ident { $($member:ident: $type:ty,)* })*) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                $(pub $member: $type,)*
            }
        )*

        #[cfg(test)]
        pub(super) fn structs() -> Vec<super::layout::Struct> {
            vec![$({
                let made = std::mem::MaybeUninit::<$name>::uninit();
                let base = made.as_ptr();
                super::layout::Struct {
                    name: stringify!($name),
                    size: std::mem::size_of::<$name>(),
                    members: vec![$(super::layout::Member {
                        name: stringify!($member),
                        // SAFETY: no value is read; the address is within `made`.
                        offset: unsafe { std::ptr::addr_of!((*base).$member) as usize }
                            - base as usize,
                        size: std::mem::size_of::<$type>(),
                        type_name: stringify!($type),
                    },)*],
                }
            },)*]
        }
    };
}

macro_rules! numbers {
    ($($name:ident: $type:ident = $value:expr;)*) => {
        $(pub const $name: $type = $value;)*

        #[cfg(test)]
        pub(super) fn numbers() -> Vec<(&'static str, String, &'static str)> {
            vec![$((stringify!($name), $name.to_string(), stringify!($type)),)*]
        }
    };
}

macro_rules! texts {
    ($($name:ident = $value:expr;)*) => {
        $(pub const $name: &str = $value;)*

        #[cfg(test)]
        pub(super) fn texts() -> Vec<(&'static str, &'static str)> {
            vec![$((stringify!($name), $name),)*]
        }
    };
}

mod base;
mod bind;
mod column;
mod config;
mod counts;
mod enqueue;
mod filter;
mod hook;
mod host;
#[cfg(test)]
mod layout;
mod numbers;
mod observe;
mod overlay;
mod plugin;
mod run;
mod score;
mod volumes;

pub use base::*;
pub use bind::*;
pub use column::*;
pub use config::*;
pub use counts::*;
pub use enqueue::*;
pub use filter::*;
pub use hook::*;
pub use host::*;
pub use numbers::*;
pub use observe::*;
pub use overlay::*;
pub use plugin::*;
pub use run::*;
pub use score::*;
pub use volumes::*;

/// A status code.
pub type berth_code = i32;

/// The entry function that a plugin exports.
pub type berth_plugin_entry_fn = Option<unsafe extern "C" fn() -> *const berth_plugin_descriptor>;

/// An instance of a plugin, opaque to the host.
#[repr(C)]
pub struct berth_plugin {
    opaque: [u8; 0],
}

/// An overlay of one row, opaque to plugins.
#[repr(C)]
pub struct berth_what_if {
    opaque: [u8; 0],
}

// SAFETY: its pointers refer to texts and functions, which live as long as the process.
unsafe impl Sync for berth_plugin_descriptor {}

/// `size` of a growable struct.
pub const fn size_of<T>() -> u32 {
    std::mem::size_of::<T>() as u32
}

/// True if the struct that `pointer` refers to was made with a member that ends at byte `end`.
///
/// # Safety
/// `pointer` refers to a growable struct.
pub unsafe fn has<T>(pointer: *const T, end: usize) -> bool {
    *(pointer as *const u32) as usize >= end
}

/// A member of the growable struct that a pointer of the host refers to; `None` if the host is older
/// than the member. For unsafe code; the pointer is valid.
macro_rules! member {
    ($pointer:expr, $of:ident, $member:ident) => {{
        let pointer: *const $of = $pointer;
        let made = std::mem::MaybeUninit::<$of>::uninit();
        let base = made.as_ptr();
        let end = std::ptr::addr_of!((*base).$member).add(1) as usize - base as usize;
        if crate::raw::has(pointer, end) {
            Some((*pointer).$member)
        } else {
            None
        }
    }};
}
pub(crate) use member;
