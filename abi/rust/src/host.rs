//! The host at init, and the rights to use its services.

use std::marker::PhantomData;

use crate::failure::{Failure, Result};
use crate::raw::{berth_host, member};
use crate::text::{from_abi, to_abi};

/// The right to use the services of the thread that owns the model: functions with the tags \[init\]
/// and \[cycle\] get one. It cannot leave the thread.
#[derive(Clone, Copy)]
pub struct Cycle<'a>(PhantomData<(&'a (), *const ())>);

impl Cycle<'_> {
    pub(crate) fn new() -> Self {
        Cycle(PhantomData)
    }
}

/// The right to use the services of the binding thread: functions with the tag \[bind\] get one.
#[derive(Clone, Copy)]
pub struct Binding<'a>(PhantomData<(&'a (), *const ())>);

impl Binding<'_> {
    pub(crate) fn new() -> Self {
        Binding(PhantomData)
    }
}

/// The host, as passed to init. Services are looked up then and at no other time.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    raw: *const berth_host,
    init: PhantomData<&'a ()>,
}

impl<'a> Host<'a> {
    pub(crate) fn new(raw: *const berth_host) -> Self {
        Host { raw, init: PhantomData }
    }

    /// The right to use services of the thread that owns the model.
    pub fn cycle(&self) -> Cycle<'a> {
        Cycle::new()
    }

    /// The struct of the ABI, which lives as long as the instance.
    pub fn raw(&self) -> *const berth_host {
        self.raw
    }

    /// The host program with its version; empty before ABI 1.3.
    pub fn name(&self) -> String {
        // SAFETY: the host passed the pointer, and its texts live as long as the instance.
        unsafe {
            member!(self.raw, berth_host, name)
                .map_or_else(String::new, |text| from_abi(text).into_owned())
        }
    }

    /// The schedulerName of the instance's profile; empty before ABI 1.3.
    pub fn profile(&self) -> String {
        // SAFETY: as above.
        unsafe {
            member!(self.raw, berth_host, profile)
                .map_or_else(String::new, |text| from_abi(text).into_owned())
        }
    }

    /// The table of a service by its id, in the ABI's layout. Null if the host does not offer it.
    pub fn find<T>(&self, id: &str) -> *const T {
        // SAFETY: the host passed the pointer, and this is init.
        unsafe {
            match (*self.raw).service {
                Some(service) => service(self.raw, to_abi(id)) as *const T,
                None => std::ptr::null(),
            }
        }
    }

    /// As `find`. Fails with a text if the host does not offer the service.
    pub fn require<T>(&self, id: &str) -> Result<*const T> {
        let found: *const T = self.find(id);
        if found.is_null() {
            return Err(Failure::new(format!("this host has no service {}", id)));
        }
        Ok(found)
    }
}

/// A service with the host that its functions take as first argument. Both live as long as the
/// instance.
pub(crate) struct Service<T> {
    host: *const berth_host,
    table: *const T,
}

impl<T> Clone for Service<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Service<T> {}

// SAFETY: tables do not change, and their functions may be called from the threads of their tags,
// which the services' methods demand.
unsafe impl<T> Send for Service<T> {}
unsafe impl<T> Sync for Service<T> {}

impl<T> Service<T> {
    pub fn require(host: &Host, id: &str) -> Result<Self> {
        Ok(Service { host: host.raw, table: host.require(id)? })
    }

    pub fn find(host: &Host, id: &str) -> Option<Self> {
        let table: *const T = host.find(id);
        if table.is_null() {
            None
        } else {
            Some(Service { host: host.raw, table })
        }
    }

    pub fn host(&self) -> *const berth_host {
        self.host
    }

    pub fn table(&self) -> &T {
        // SAFETY: it lives as long as the instance, which this belongs to.
        unsafe { &*self.table }
    }
}

/// Calls a function of a service. A host that offers a service has all functions of its first
/// version.
macro_rules! serve {
    ($service:expr, $function:ident $(, $argument:expr)*) => {{
        let service = &$service;
        match service.table().$function {
            // SAFETY: the arguments are as the header demands.
            Some(function) => unsafe { function(service.host() $(, $argument)*) },
            None => panic!(concat!("this host has no function ", stringify!($function))),
        }
    }};
}
pub(crate) use serve;
