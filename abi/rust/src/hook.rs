//! The parts that all extension points share.

use std::os::raw::c_void;
use std::sync::Mutex;

use crate::call::{Call, Template};
use crate::declaration::Declaration;
use crate::failure::{caught, guarded, Result};
use crate::host::Cycle;
use crate::instance::bound_of;
use crate::plugin::{Plugin, Start};
use crate::prepare::{Preparation, Prepare, Prepared};
use crate::raw::*;
use crate::services::{ColumnIds, Log};
use crate::text::{self, to_abi};

/// One plugin at one extension point. A type that implements this and the trait of the point.
pub trait Hook: Sized + Send + Sync + 'static {
    /// The state that the hooks of the plugin share; `()` if they share nothing.
    type Plugin: Plugin;
    /// The state of a template; `()` if there is nothing to prepare.
    type State: Prepare<Self>;

    /// \[init\] Declares columns and reasons, looks up services.
    fn declare(declare: &mut Declaration, start: &Start<'_, Self::Plugin>) -> Result<Self>;

    /// \[any\] Writes the texts of a reason that this hook gave. Default: the declared text.
    fn describe(&self, call: &Call<'_, Self>, reason: u32, texts: &Texts<'_>) -> Result {
        let _ = call;
        texts.write_declared(reason);
        Ok(())
    }
}

/// Receives the texts of a reason. Each `write` is one reason.
pub struct Texts<'a> {
    sink: *const berth_text_sink,
    declared: &'a [String],
}

impl Texts<'_> {
    /// Writes one text.
    pub fn write(&self, text: &str) {
        // SAFETY: the sink is the host's, valid for the call.
        unsafe { text::write(self.sink, text) }
    }

    /// Writes the text of a declared reason.
    pub fn write_declared(&self, reason: u32) {
        match self.declared.get((reason as usize).wrapping_sub(1)) {
            Some(text) => self.write(text),
            None => self.write(&format!("a reason without text: {}", reason)),
        }
    }
}

/// A hook with its declaration as the ABI has it. Does not move once it is made.
pub struct Bound<H> {
    pub hook: H,
    pub raw: berth_hook,
    /// Pods of the last nomination, which the host reads until the next call.
    pub victims: Mutex<Vec<u64>>,
    declaration: Declaration,
    columns: Option<ColumnIds>,
    log: Option<Log>,
    ids: Vec<berth_string>,
}

// SAFETY: the pointers refer to parts of the struct itself, which do not change.
unsafe impl<H: Send + Sync> Send for Bound<H> {}
unsafe impl<H: Send + Sync> Sync for Bound<H> {}

impl<H: Hook> Bound<H> {
    pub fn new<const POINT: usize>(start: &Start<'_, H::Plugin>) -> Result<Box<Self>> {
        let mut declaration = Declaration::new();
        let hook = H::declare(&mut declaration, start)?;
        let ids: Vec<berth_string> = declaration.ids.iter().map(|id| to_abi(id)).collect();
        let prepares = <H::State as Prepare<H>>::NEEDED;
        let raw = berth_hook {
            size: size_of::<berth_hook>(),
            depends: declaration.depends,
            space: to_abi(&declaration.space),
            inputs: ids.as_ptr(),
            input_count: ids.len() as u32,
            reserved: 0,
            prepare: if prepares { Some(prepare_hook::<H, POINT>) } else { None },
            release: if prepares { Some(release_hook::<H, POINT>) } else { None },
            describe: Some(describe_hook::<H, POINT>),
            input_types: declaration.types.as_ptr(),
        };
        Ok(Box::new(Bound {
            hook,
            raw,
            victims: Mutex::new(Vec::new()),
            declaration,
            columns: ColumnIds::find_service(start.host()),
            log: Log::find_service(start.host()),
            ids,
        }))
    }

    /// Runs a function that cannot fail a pod. A failure becomes an error in the log.
    pub fn logged(&self, function: &str, work: impl FnOnce() -> Result) {
        if let Err(failure) = caught(work) {
            if let Some(log) = &self.log {
                log.error(&format!("{}: {}", function, failure));
            }
        }
    }
}

impl<H> Bound<H> {
    /// The number of declared columns, which `raw` refers to.
    pub fn declared(&self) -> usize {
        self.ids.len()
    }
}

unsafe extern "C" fn prepare_hook<H: Hook, const POINT: usize>(
    plugin: *mut berth_plugin,
    pod: *const berth_template,
    prepared: *mut berth_prepared,
) -> berth_code {
    guarded((*pod).error, || {
        let bound = bound_of::<H>(plugin, POINT);
        let mut preparation = Preparation {
            declaration: &bound.declaration,
            columns: bound.columns,
            narrowing: Default::default(),
            flags: 0,
            cycle: Cycle::new(),
        };
        let state = H::State::prepare(&bound.hook, &Template::new(pod), &mut preparation)?;
        let made = Box::new(Prepared { narrowing: preparation.narrowing, state });
        let prepared = &mut *prepared;
        prepared.flags = preparation.flags;
        if !made.narrowing.places.is_empty() {
            prepared.inputs = made.narrowing.ids.as_ptr();
            prepared.input_count = made.narrowing.ids.len() as u32;
        }
        prepared.state = Box::into_raw(made) as *mut c_void;
        Ok(())
    })
}

unsafe extern "C" fn release_hook<H: Hook, const POINT: usize>(
    plugin: *mut berth_plugin,
    state: *mut c_void,
) {
    bound_of::<H>(plugin, POINT).logged("the end of a state", || {
        drop(Box::from_raw(state as *mut Prepared<H::State>));
        Ok(())
    });
}

unsafe extern "C" fn describe_hook<H: Hook, const POINT: usize>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    reason: u32,
    sink: *const berth_text_sink,
) {
    guarded(sink, || {
        let bound = bound_of::<H>(plugin, POINT);
        let texts = Texts { sink, declared: &bound.declaration.reasons };
        bound.hook.describe(&Call::new(call), reason, &texts)
    });
}
