//! Panics do not cross the ABI. Every function that the host calls runs inside `guarded`, which
//! turns a panic or an `Err` into BERTH_ERROR with a text.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::raw::{berth_code, berth_text_sink, BERTH_ERROR, BERTH_SUCCESS};
use crate::text;

/// Why a call cannot be answered. The pod fails with the text; from `init`, the program does not
/// start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(String);

/// The result of a hook.
pub type Result<T = (), E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure with a text for people.
    pub fn new(text: impl Into<String>) -> Self {
        Failure(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure(text)
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        Failure(text.to_string())
    }
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the place of a panic inside `guarded` for its text, in place of a message on standard
/// error. Other panics, such as in threads of the plugin, are printed as before. The plugin has a
/// panic hook of its own, since it contains its own `std`.
pub fn keep_places_of_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let printing = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.with(Cell::get) == 0 {
                return printing(info);
            }
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PLACE.with(|kept| *kept.borrow_mut() = place.unwrap_or_default());
        }));
    });
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is no text".to_string());
    let place = PLACE.with(|kept| std::mem::take(&mut *kept.borrow_mut()));
    format!("panicked at {place}: {message}")
}

/// Runs `work`. The result, or the text of the error or of the panic.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.with(|depth| depth.set(depth.get() - 1));
    done.unwrap_or_else(|value| {
        let failure = Failure(text_of(&*value));
        // A value that is no text may panic once more when it is dropped; one of that stays.
        if let Err(again) = panic::catch_unwind(AssertUnwindSafe(|| drop(value))) {
            std::mem::forget(again);
        }
        Err(failure)
    })
}

/// Runs `work`, and writes the text of a failure to `error`, which may be null.
///
/// # Safety
/// `error` is null or valid.
pub unsafe fn guarded(error: *const berth_text_sink, work: impl FnOnce() -> Result) -> berth_code {
    match caught(work) {
        Ok(()) => BERTH_SUCCESS,
        Err(failure) => {
            text::write(error, &failure.0);
            BERTH_ERROR
        }
    }
}
