//! Conversions between the ABI's strings and those of Rust.

use std::borrow::Cow;
use std::os::raw::c_char;

use crate::raw::{berth_string, berth_text_sink};

/// Valid as long as the text.
pub fn to_abi(text: &str) -> berth_string {
    constant(text)
}

/// The same for constants.
pub const fn constant(text: &str) -> berth_string {
    berth_string { data: text.as_ptr() as *const c_char, size: text.len() as u64 }
}

/// A text of the host. What is not UTF-8 is replaced.
///
/// # Safety
/// `text` is valid for `'a`.
pub unsafe fn from_abi<'a>(text: berth_string) -> Cow<'a, str> {
    String::from_utf8_lossy(slice(text.data as *const u8, text.size as usize))
}

/// A slice that may be empty with a null pointer.
///
/// # Safety
/// `data` refers to `count` values that live and do not change for `'a`.
pub unsafe fn slice<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 || data.is_null() {
        return &[];
    }
    std::slice::from_raw_parts(data, count)
}

/// As `slice`, for arrays that the plugin writes.
///
/// # Safety
/// As of `slice`; nothing else refers to the values.
pub unsafe fn slice_mut<'a, T>(data: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 || data.is_null() {
        return &mut [];
    }
    std::slice::from_raw_parts_mut(data, count)
}

/// Writes one item to a sink, which may be null.
///
/// # Safety
/// `sink` is null or valid.
pub unsafe fn write(sink: *const berth_text_sink, text: &str) {
    if let Some(sink) = sink.as_ref() {
        if let Some(function) = sink.write {
            function(sink.context, to_abi(text));
        }
    }
}

/// Takes texts of the host into a vector: the context of a `berth_text_sink`.
pub unsafe extern "C" fn push_text(context: *mut std::os::raw::c_void, text: berth_string) {
    (*(context as *mut Vec<String>)).push(from_abi(text).into_owned());
}
