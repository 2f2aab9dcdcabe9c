//! Services that most plugins use.

use crate::column::Code;
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::host::{serve, Binding, Cycle, Host, Service};
use crate::raw::*;
use crate::text::{from_abi, push_text, to_abi};

/// String ids. Equal ids mean equal texts; 0 is "absent".
#[derive(Clone, Copy)]
pub struct Strings(Service<berth_strings_service>);

impl Strings {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_STRINGS_SERVICE).map(Strings)
    }

    /// The id of a text, which is made if it is new.
    pub fn intern(&self, _: Cycle<'_>, text: &str) -> u32 {
        serve!(self.0, intern, to_abi(text))
    }

    /// The id of a text; 0 if nothing has the text.
    pub fn find(&self, _: Cycle<'_>, text: &str) -> u32 {
        serve!(self.0, find, to_abi(text))
    }

    /// \[any\] A copy of the text of a string id; empty for id 0.
    pub fn text(&self, id: u32) -> String {
        if id == 0 {
            return String::new();
        }
        let text = serve!(self.0, text, id);
        // SAFETY: the text is valid as long as the id, which the caller has.
        unsafe { from_abi(text) }.into_owned()
    }

    /// \[any\] The same for many ids, with one question to a host in another process.
    pub fn texts(&self, ids: &[u32]) -> Vec<String> {
        // SAFETY: the table is the host's.
        match unsafe { member!(self.0.table(), berth_strings_service, read_all) }.flatten() {
            Some(read_all) => {
                let mut texts = vec![to_abi(""); ids.len()];
                // SAFETY: the arrays have one element for each id, which the caller has.
                unsafe {
                    read_all(self.0.host(), ids.len() as u64, ids.as_ptr(), texts.as_mut_ptr());
                    texts.into_iter().map(|text| from_abi(text).into_owned()).collect()
                }
            }
            None => ids.iter().map(|&id| self.text(id)).collect(),
        }
    }
}

/// Ids of columns.
#[derive(Clone, Copy)]
pub struct ColumnIds(Service<berth_columns_service>);

impl ColumnIds {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_COLUMNS_SERVICE).map(ColumnIds)
    }

    pub(crate) fn find_service(host: &Host<'_>) -> Option<Self> {
        Service::find(host, BERTH_COLUMNS_SERVICE).map(ColumnIds)
    }

    /// The number of a column. Fails if there is no such column.
    pub fn find(&self, _: Cycle<'_>, id: &str) -> Result<u32> {
        match serve!(self.0, find, to_abi(id)) {
            0 => Err(Failure::new(format!("this host has no column {id}"))),
            column => Ok(column),
        }
    }
}

/// Log messages for people, from any thread. The host drops those above its level.
#[derive(Clone, Copy)]
pub struct Log(Service<berth_log_service>);

impl Log {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_LOG_SERVICE).map(Log)
    }

    pub(crate) fn find_service(host: &Host<'_>) -> Option<Self> {
        Service::find(host, BERTH_LOG_SERVICE).map(Log)
    }

    /// True if messages of this `BERTH_LOG_` level are shown now.
    pub fn shows(&self, level: u32) -> bool {
        // SAFETY: the table is the host's.
        match unsafe { member!(self.0.table(), berth_log_service, shows) }.flatten() {
            Some(shows) => unsafe { shows(self.0.host(), level) != 0 },
            None => level <= self.0.table().level,
        }
    }

    fn write(&self, level: u32, text: &str) {
        if self.shows(level) {
            serve!(self.0, write, level, to_abi(text))
        }
    }

    /// Something is wrong.
    pub fn error(&self, text: &str) {
        self.write(BERTH_LOG_ERROR, text)
    }

    /// Something may be wrong.
    pub fn warning(&self, text: &str) {
        self.write(BERTH_LOG_WARNING, text)
    }

    /// Something happened.
    pub fn info(&self, text: &str) {
        self.write(BERTH_LOG_INFO, text)
    }

    /// For authors of plugins.
    pub fn debug(&self, text: &str) {
        self.write(BERTH_LOG_DEBUG, text)
    }
}

/// Receives bindings. The usual caller is DefaultBinder.
#[derive(Clone, Copy)]
pub struct Bindings(Service<berth_bindings_service>);

impl Bindings {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_BINDINGS_SERVICE).map(Bindings)
    }

    /// Writes one binding per position: values of `pod.handle` and `node.name`.
    pub fn write(&self, _: Binding<'_>, pods: &[u64], nodes: &[u32]) -> Result {
        assert_eq!(pods.len(), nodes.len(), "a binding has a pod and a node");
        match serve!(self.0, write, pods.len() as u64, pods.as_ptr(), nodes.as_ptr()) {
            BERTH_SUCCESS => Ok(()),
            _ => Err("the bindings were not written".into()),
        }
    }

    /// The same with a code for each position.
    pub fn write_each(&self, _: Binding<'_>, pods: &[u64], nodes: &[u32], codes: &mut [Code]) {
        assert_eq!(pods.len(), nodes.len(), "a binding has a pod and a node");
        assert_eq!(pods.len(), codes.len(), "a binding has a code");
        // SAFETY: the table is the host's.
        match unsafe { member!(self.0.table(), berth_bindings_service, write_each) }.flatten() {
            // SAFETY: the arrays have one element for each pod, and a code is one byte.
            Some(write_each) => unsafe {
                write_each(
                    self.0.host(),
                    pods.len() as u64,
                    pods.as_ptr(),
                    nodes.as_ptr(),
                    codes.as_mut_ptr() as *mut u8,
                )
            },
            None => {
                for ((pod, node), code) in pods.iter().zip(nodes).zip(codes) {
                    *code = Code(serve!(self.0, write, 1, pod, node) as u8);
                }
            }
        }
    }
}

/// Node selectors and label selectors, as handles; 0 is no selector.
#[derive(Clone, Copy)]
pub struct Selectors(Service<berth_selectors_service>);

impl Selectors {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_SELECTORS_SERVICE).map(Selectors)
    }

    /// The column that is 1 on the nodes that match the selector.
    pub fn match_column(&self, _: Cycle<'_>, selector: u32) -> u32 {
        serve!(self.0, match_column, selector)
    }

    /// The errors of a selector; empty if it is well-formed.
    pub fn problems(&self, _: Cycle<'_>, selector: u32) -> Vec<String> {
        let mut texts = Vec::new();
        let sink = berth_text_sink {
            size: size_of::<berth_text_sink>(),
            reserved: 0,
            context: &mut texts as *mut Vec<String> as *mut _,
            write: Some(push_text),
        };
        serve!(self.0, problem, selector, &sink);
        texts
    }

    /// The handle of a v1.NodeSelector in a configuration. 0: malformed, and reported there.
    pub fn node_selector(&self, _: &Host<'_>, config: &Config<'_>) -> u32 {
        let (tree, node) = config.raw();
        serve!(self.0, node_selector, tree, node)
    }

    /// The handle of a v1.NodeSelectorTerm.
    pub fn node_selector_term(&self, _: &Host<'_>, config: &Config<'_>) -> u32 {
        let (tree, node) = config.raw();
        serve!(self.0, node_selector_term, tree, node)
    }

    /// The handle of a metav1.LabelSelector, which the counts service takes.
    pub fn label_selector(&self, _: &Host<'_>, config: &Config<'_>) -> u32 {
        let (tree, node) = config.raw();
        serve!(self.0, label_selector, tree, node)
    }
}
