//! Lets a PostFilter ask whether a row would take the pod if some pods were gone:
//! `berth/abi/overlay.h`.

use std::marker::PhantomData;
use std::os::raw::c_void;
use std::sync::Mutex;

use crate::call::Columns;
use crate::column::Code;
use crate::failure::{caught, Failure, Result};
use crate::host::{serve, Cycle, Host, Service};
use crate::raw::*;
use crate::text::push_text;

/// Makes what-ifs, during a call of a PostFilter.
#[derive(Clone, Copy)]
pub struct WhatIfs(Service<berth_what_if_service>);

/// A row as it would be without some of its pods. Stays on the thread that made it.
pub struct WhatIf<'a> {
    service: Service<berth_what_if_service>,
    raw: *mut berth_what_if,
    removed: Vec<bool>,
    call: PhantomData<&'a ()>,
}

// As `serve!`, with the what-if as first argument.
macro_rules! try_out {
    ($what_if:expr, $function:ident $(, $argument:expr)*) => {
        match $what_if.service.table().$function {
            // SAFETY: the what-if is one that `begin` made and `end` did not get.
            Some(function) => unsafe { function($what_if.raw $(, $argument)*) },
            None => panic!(concat!("this host has no function ", stringify!($function))),
        }
    };
}

impl WhatIfs {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_WHAT_IF_SERVICE).map(WhatIfs)
    }

    /// \[rows\] A what-if of one row, a value of `node.row`. `call`: that of the PostFilter.
    pub fn begin<'a>(&self, call: &Columns<'a>, row: u32) -> Result<WhatIf<'a>> {
        let _ = call;
        let raw = serve!(self.0, begin, row);
        if raw.is_null() {
            return Err(Failure::new(format!("the host has no what-if of row {row}")));
        }
        let mut made = WhatIf { service: self.0, raw, removed: Vec::new(), call: PhantomData };
        let pods = try_out!(made, pods);
        if pods.is_null() {
            return Err("the host has no memory for the pods of a row".into());
        }
        // SAFETY: it lives until `end`.
        made.removed = vec![false; unsafe { (*pods).count } as usize];
        Ok(made)
    }
}

impl WhatIf<'_> {
    /// The pods of the row as it is, in their order of arrival, as positions. Its columns are the
    /// inputs of the hook.
    pub fn pods(&self) -> Columns<'_> {
        let pods = try_out!(self, pods);
        // SAFETY: it was there in `begin`, and lives until `end`.
        unsafe {
            let pods = &*pods;
            Columns::new(pods.columns, pods.column_count, &[])
        }
    }

    /// The number of pods.
    pub fn count(&self) -> usize {
        self.removed.len()
    }

    /// Removes a pod, a position of `pods`. Panics if it is removed already.
    pub fn remove(&mut self, pod: usize) {
        assert!(!std::mem::replace(&mut self.removed[pod], true), "the pod is removed already");
        try_out!(self, remove_pod, pod as u64)
    }

    /// Adds a removed pod back. Panics if it is not removed.
    pub fn add(&mut self, pod: usize) {
        assert!(std::mem::replace(&mut self.removed[pod], false), "the pod is not removed");
        try_out!(self, add_pod, pod as u64)
    }

    /// Back to the row without changes.
    pub fn reset(&mut self) {
        self.removed.iter_mut().for_each(|removed| *removed = false);
        try_out!(self, reset)
    }

    /// The code of the first filter that refuses the row as it is now.
    pub fn filter(&mut self) -> Code {
        Code(try_out!(self, filter) as u8)
    }

    /// Why the last `filter` refused it.
    pub fn reasons(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        let sink = berth_text_sink {
            size: size_of::<berth_text_sink>(),
            reserved: 0,
            context: &mut texts as *mut Vec<String> as *mut c_void,
            write: Some(push_text),
        };
        try_out!(self, reasons, &sink);
        texts
    }
}

impl Drop for WhatIf<'_> {
    fn drop(&mut self) {
        try_out!(self, end)
    }
}

/// Runs work of a PostFilter on several threads.
#[derive(Clone, Copy)]
pub struct Parallel(Service<berth_parallel_service>);

struct Work<'a> {
    body: &'a (dyn Fn(usize) -> Result + Sync),
    /// The failure of the first position that failed.
    failed: Mutex<Option<(u64, Failure)>>,
}

unsafe extern "C" fn run_body(context: *mut c_void, i: u64) {
    let work = &*(context as *const Work<'_>);
    if let Err(failure) = caught(|| (work.body)(i as usize)) {
        if let Ok(mut first) = work.failed.lock() {
            if first.as_ref().map_or(true, |(position, _)| i < *position) {
                *first = Some((i, failure));
            }
        }
    }
}

impl Parallel {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_PARALLEL_SERVICE).map(Parallel)
    }

    /// Calls `body(i)` for each `i < count`, on several threads. Fails with the failure of the first
    /// position that failed.
    pub fn for_each(
        &self,
        _: Cycle<'_>,
        count: usize,
        body: impl Fn(usize) -> Result + Sync,
    ) -> Result {
        let mut work = Work { body: &body, failed: Mutex::new(None) };
        let context = &mut work as *mut Work<'_> as *mut c_void;
        serve!(self.0, for_each, count as u64, context, Some(run_body));
        match work.failed.into_inner() {
            Ok(Some((_, failure))) => Err(failure),
            _ => Ok(()),
        }
    }
}
