//! The thread, the time, random numbers, metrics and data from outside. They came with ABI 1.3: a plugin that cannot do
//! without them has `needs: 3`.

use std::cell::Cell;
use std::mem::MaybeUninit;

use crate::failure::{Failure, Result};
use crate::host::{serve, Host, Service};
use crate::raw::*;
use crate::text::to_abi;

/// The thread that runs a function, and memory of the host for its own work.
#[derive(Clone, Copy)]
pub struct Worker(Service<berth_worker_service>);

impl Worker {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_WORKER_SERVICE).map(Worker)
    }

    /// The number of threads that at most run functions of the instance at once.
    pub fn count(&self) -> u32 {
        serve!(self.0, count)
    }

    /// The number of the calling thread, below `count`. Panics on a thread of the plugin's own.
    pub fn index(&self) -> u32 {
        match serve!(self.0, index) {
            BERTH_NO_WORKER => panic!("a thread of the plugin's own has no number"),
            index => index,
        }
    }

    /// Calls `work` with `bytes` of memory, aligned to 64 bytes, that hold what earlier calls left
    /// there.
    ///
    /// # Panics
    ///
    /// If `work` asks for scratch memory, if the host has none, for more than
    /// `BERTH_SCRATCH_MAX_BYTES`, and outside of hooks.
    pub fn scratch<T>(&self, bytes: usize, work: impl FnOnce(&mut [MaybeUninit<u8>]) -> T) -> T {
        let _alone = Alone::new();
        let memory = serve!(self.0, scratch, bytes as u64);
        assert!(!memory.is_null(), "the host gives no {} bytes of scratch memory", bytes);
        // SAFETY: the memory is the function's until it returns or asks again, which it does not.
        work(unsafe { std::slice::from_raw_parts_mut(memory.cast(), bytes) })
    }
}

thread_local! {
    static IN_USE: Cell<bool> = Cell::new(false);
}

/// The scratch memory of the thread is in use, once.
struct Alone;

impl Alone {
    fn new() -> Self {
        assert!(!IN_USE.with(|in_use| in_use.replace(true)), "scratch memory is in use");
        Alone
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        IN_USE.with(|in_use| in_use.set(false));
    }
}

/// The time of the run. Only for functions whose answers are not kept: others fail.
#[derive(Clone, Copy)]
pub struct Clock(Service<berth_clock_service>);

impl Clock {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_CLOCK_SERVICE).map(Clock)
    }

    /// Nanoseconds since 1970 by the clock of the run.
    pub fn now(&self) -> i64 {
        serve!(self.0, now)
    }
}

/// Random numbers. Only for functions whose answers are not kept: others fail.
#[derive(Clone, Copy)]
pub struct Random(Service<berth_random_service>);

impl Random {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_RANDOM_SERVICE).map(Random)
    }

    /// 64 random bits of the attempt. `stream`: what the number is for, such as a value of
    /// `node.name`; not a position.
    pub fn bits(&self, stream: u64) -> u64 {
        serve!(self.0, bits, stream)
    }

    /// The same as a number below `bound`, which is not 0.
    pub fn below(&self, bound: u64, stream: u64) -> u64 {
        ((self.bits(stream) as u128 * bound as u128) >> 64) as u64
    }
}

fn made(name: &str, handle: u32) -> Result<u32> {
    match handle {
        0 => Err(Failure::new(format!("the host refuses the metric {name}"))),
        handle => Ok(handle),
    }
}

/// A number that grows, in the summary of a run. It may be used on any thread.
#[derive(Clone, Copy)]
pub struct Counter(Service<berth_metrics_service>, u32);

impl Counter {
    /// `name`: `[a-zA-Z_][a-zA-Z0-9_]*`. Fails if the host refuses it; the log says why.
    pub fn new(host: &Host<'_>, name: &str, help: &str) -> Result<Self> {
        let service = Service::<berth_metrics_service>::require(host, BERTH_METRICS_SERVICE)?;
        let handle = made(name, serve!(service, counter, to_abi(name), to_abi(help)))?;
        Ok(Counter(service, handle))
    }

    /// Adds, once for all positions of a call rather than once for each.
    pub fn add(&self, delta: u64) {
        serve!(self.0, add, self.1, delta)
    }
}

/// A number that the plugin sets, in the summary of a run. It may be used on any thread.
#[derive(Clone, Copy)]
pub struct Gauge(Service<berth_metrics_service>, u32);

impl Gauge {
    /// As `Counter::new`.
    pub fn new(host: &Host<'_>, name: &str, help: &str) -> Result<Self> {
        let service = Service::<berth_metrics_service>::require(host, BERTH_METRICS_SERVICE)?;
        let handle = made(name, serve!(service, gauge, to_abi(name), to_abi(help)))?;
        Ok(Gauge(service, handle))
    }

    /// The last value counts.
    pub fn set(&self, value: i64) {
        serve!(self.0, set, self.1, value)
    }
}

/// A number that stands for data of the plugin: the column `cluster.epoch:NAME`, which hooks declare
/// that read the data. It may be used on any thread.
#[derive(Clone, Copy)]
pub struct Epoch(Service<berth_external_service>, u32);

impl Epoch {
    /// Fails if the host refuses the name; the log says why. In `init`.
    pub fn new(host: &Host<'_>, name: &str) -> Result<Self> {
        let service = Service::<berth_external_service>::require(host, BERTH_EXTERNAL_SERVICE)?;
        match serve!(service, epoch, to_abi(name)) {
            0 => Err(Failure::new(format!("the host refuses the epoch {name}"))),
            number => Ok(Epoch(service, number)),
        }
    }

    /// The data are others now, and were written already: hooks that declare the column are asked
    /// again.
    pub fn raise(&self) {
        serve!(self.0, raise, self.1)
    }
}

/// Wakes pods. It may be used on any thread.
#[derive(Clone, Copy)]
pub struct Waker(Service<berth_external_service>);

impl Waker {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_EXTERNAL_SERVICE).map(Waker)
    }

    /// Pods that the plugin refused may fit now.
    pub fn wake(&self) {
        serve!(self.0, wake)
    }
}

/// The rules of one version of kube-scheduler by which the host decides.
#[derive(Clone, Copy)]
pub struct Rules(Service<berth_rules_service>);

impl Rules {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_RULES_SERVICE).map(Rules)
    }

    /// True if the rule holds in this run. Fails for a name that the host does not know. In `init`.
    pub fn holds(&self, name: &str) -> Result<bool> {
        match serve!(self.0, holds, to_abi(name)) {
            BERTH_RULE_UNKNOWN => Err(Failure::new(format!("this host has no rule {name}"))),
            answer => Ok(answer == BERTH_RULE_YES),
        }
    }
}
