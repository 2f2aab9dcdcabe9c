//! The arguments of a plugin. Reading is strict and typed: a value of another kind is reported
//! through the host with its path, and the fallback is returned, so that one pass finds every
//! error.

use std::borrow::Cow;
use std::time::Duration;

use crate::raw::*;
use crate::text::{from_abi, to_abi};

/// Arguments, read from a configuration.
pub trait Arguments: Sized {
    #[doc(hidden)]
    const TAKEN: bool = true;

    /// \[any\] Reads every member that the plugin knows, and reports errors. Called to validate and
    /// once more to begin an instance.
    fn read(config: &Config<'_>) -> Self;
}

impl Arguments for () {
    const TAKEN: bool = false;

    fn read(_: &Config<'_>) {}
}

/// A value of the configuration, or a member that is absent. Valid for the call.
#[derive(Clone)]
pub struct Config<'a> {
    config: Option<&'a berth_config>,
    node: u32,
    parent: u32,
    name: &'a str,
}

// A function of the tree; hosts have all of them.
macro_rules! ask {
    ($config:expr, $function:ident $(, $argument:expr)*) => {
        match $config.$function {
            // SAFETY: the tree is valid for the call, and the node one of it.
            Some(function) => unsafe { function($config $(, $argument)*) },
            None => panic!(concat!("this host has no function ", stringify!($function))),
        }
    };
}

// A function that came with ABI 1.2.
macro_rules! ask_since_1_2 {
    ($config:expr, $function:ident $(, $argument:expr)*) => {
        // SAFETY: as above.
        match unsafe { member!($config, berth_config, $function) }.flatten() {
            Some(function) => unsafe { function($config $(, $argument)*) },
            None => panic!("the host reads arguments as before ABI 1.2, which this plugin needs"),
        }
    };
}

impl<'a> Config<'a> {
    /// The root. Null: an empty configuration.
    ///
    /// # Safety
    /// `config` is null or valid for `'a`.
    pub(crate) unsafe fn new(config: *const berth_config) -> Self {
        Config { config: config.as_ref(), node: 0, parent: BERTH_CONFIG_ABSENT, name: "" }
    }

    /// A member of an object. Makes the name a known field for the host.
    pub fn member(&self, name: &'a str) -> Config<'a> {
        let node = match (self.present(), self.config) {
            (true, Some(config)) => ask!(config, member, self.node, to_abi(name)),
            _ => BERTH_CONFIG_ABSENT,
        };
        Config { config: self.config, node, parent: self.node, name }
    }

    /// True if the member exists and is not null.
    pub fn present(&self) -> bool {
        self.kind().map_or(false, |kind| kind != BERTH_CONFIG_NULL)
    }

    fn kind(&self) -> Option<u32> {
        match self.config {
            Some(config) if self.node != BERTH_CONFIG_ABSENT => Some(ask!(config, kind, self.node)),
            _ => None,
        }
    }

    fn read<T>(&self, wanted: &str, value: impl FnOnce(&berth_config) -> Option<T>) -> Option<T> {
        if !self.present() {
            return None;
        }
        let found = self.config.and_then(value);
        if found.is_none() {
            self.error(&format!("must be {wanted}"));
        }
        found
    }

    /// The text, or `None` if it is absent or, which is reported, of another kind.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.read("a string", |config| {
            let mut value = berth_string { data: std::ptr::null(), size: 0 };
            let found = ask!(config, string, self.node, &mut value) != 0;
            // SAFETY: texts are valid for the call.
            found.then(|| unsafe { from_abi(value) })
        })
    }

    /// The value, or `fallback` if it is absent or of another kind.
    pub fn boolean(&self, fallback: bool) -> bool {
        self.read("true or false", |config| {
            let mut value = 0;
            (ask!(config, boolean, self.node, &mut value) != 0).then(|| value != 0)
        })
        .unwrap_or(fallback)
    }

    /// The value, or `fallback` if it is absent, of another kind, or outside of `range`.
    pub fn integer(&self, fallback: i64, range: std::ops::RangeInclusive<i64>) -> i64 {
        let read = self.read("a whole number", |config| {
            let mut value = 0;
            (ask!(config, integer, self.node, &mut value) != 0).then(|| value)
        });
        match read {
            Some(value) if !range.contains(&value) => {
                self.error(&format!("must be from {} to {}", range.start(), range.end()));
                fallback
            }
            Some(value) => value,
            None => fallback,
        }
    }

    /// The value, or `fallback` if it is absent or of another kind.
    pub fn number(&self, fallback: f64) -> f64 {
        self.read("a number", |config| {
            let mut value = 0.0;
            (ask!(config, number, self.node, &mut value) != 0).then(|| value)
        })
        .unwrap_or(fallback)
    }

    /// The elements of a list; empty if it is absent or, which is reported, no list.
    pub fn elements(&self) -> Vec<Config<'a>> {
        let config = match self.config {
            Some(config) if self.is(BERTH_CONFIG_ARRAY, "a list") => config,
            _ => return Vec::new(),
        };
        (0..ask!(config, length, self.node))
            .map(|i| Config { node: ask!(config, element, self.node, i), ..self.clone() })
            .collect()
    }

    /// The members of an object with their names, in the order of the text, all of which become known
    /// fields; empty if it is absent or, which is reported, no object. Panics in hosts before ABI
    /// 1.2.
    pub fn members(&self) -> Vec<(Cow<'a, str>, Config<'a>)> {
        let config = match self.config {
            Some(config) if self.object() => config,
            _ => return Vec::new(),
        };
        let member = |i| {
            let mut name = berth_string { data: std::ptr::null(), size: 0 };
            let node = ask_since_1_2!(config, member_at, self.node, i, &mut name);
            // SAFETY: texts are valid for the call.
            (unsafe { from_abi(name) }, Config { node, parent: self.node, ..self.clone() })
        };
        (0..ask_since_1_2!(config, members, self.node)).map(member).collect()
    }

    /// A Kubernetes quantity ("500m", "2Gi") times `parts`, which is 1 or 1000, rounded up; or
    /// `fallback` if it is absent or, which is reported, no quantity. Panics in hosts before ABI 1.2.
    pub fn quantity(&self, fallback: i64, parts: u32) -> i64 {
        self.read("a quantity such as 500m or 2Gi", |config| {
            let mut value = 0;
            (ask_since_1_2!(config, quantity, self.node, parts, &mut value) != 0).then(|| value)
        })
        .unwrap_or(fallback)
    }

    /// A duration as Kubernetes writes it ("1m30s"), or `fallback` if it is absent or, which is
    /// reported, of another kind or negative. Panics in hosts before ABI 1.2.
    pub fn duration(&self, fallback: Duration) -> Duration {
        self.read("a duration such as 1m30s", |config| {
            let mut value = 0;
            let found = ask_since_1_2!(config, duration, self.node, &mut value) != 0;
            let nanoseconds = u64::try_from(value).ok().filter(|_| found);
            nanoseconds.map(Duration::from_nanos)
        })
        .unwrap_or(fallback)
    }

    /// True for an object. Reports anything else that is present.
    pub fn object(&self) -> bool {
        self.is(BERTH_CONFIG_OBJECT, "an object")
    }

    fn is(&self, kind: u32, wanted: &str) -> bool {
        self.read(wanted, |_| (self.kind() == Some(kind)).then(|| ())).is_some()
    }

    /// Makes everything below known. For a part that the host reads, such as a selector.
    pub fn accept(&self) {
        if let (true, Some(config)) = (self.present(), self.config) {
            ask!(config, accept, self.node)
        }
    }

    /// Reports `what` at this value. An absent member is reported through its parent.
    pub fn error(&self, what: &str) {
        self.error_below("", what)
    }

    /// Reports `what` at `below` under this value: `.shape[0].score`.
    pub fn error_below(&self, below: &str, what: &str) {
        let config = match self.config {
            Some(config) => config,
            None => return,
        };
        if self.node != BERTH_CONFIG_ABSENT {
            return ask!(config, error, self.node, to_abi(below), to_abi(what));
        }
        if self.parent != BERTH_CONFIG_ABSENT {
            let path = format!(".{}{below}", self.name);
            ask!(config, error, self.parent, to_abi(&path), to_abi(what))
        }
    }

    /// The tree and the number of this value, for services that read it.
    pub fn raw(&self) -> (*const berth_config, u32) {
        (self.config.map_or(std::ptr::null(), |config| config), self.node)
    }
}

#[cfg(test)]
mod tests;
