//! Pods that wait in Permit: `berth_waiting_service` in `berth/abi/bind.h`.

use std::os::raw::c_void;

use crate::failure::Result;
use crate::host::{serve, Cycle, Host, Service};
use crate::raw::*;
use crate::text::to_abi;

/// A pod that waits in Permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// As in `pod.handle`.
    pub pod: u64,
    /// String id of the node's name.
    pub node: u32,
}

/// The pods of all profiles that wait in Permit.
#[derive(Clone, Copy)]
pub struct WaitingPods(Service<berth_waiting_service>);

unsafe extern "C" fn push(context: *mut c_void, pod: u64, node: u32) {
    (*(context as *mut Vec<Waiting>)).push(Waiting { pod, node });
}

impl WaitingPods {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_WAITING_SERVICE).map(WaitingPods)
    }

    /// The pods that wait now, in the order in which they began to.
    pub fn all(&self, _: Cycle<'_>) -> Vec<Waiting> {
        let mut pods = Vec::new();
        serve!(self.0, each, &mut pods as *mut Vec<Waiting> as *mut c_void, Some(push));
        pods
    }

    /// This plugin no longer holds the pod. False: it did not.
    pub fn allow(&self, _: Cycle<'_>, pod: u64) -> bool {
        serve!(self.0, allow, pod) == BERTH_SUCCESS
    }

    /// Refuses the pod. False: it does not wait.
    pub fn reject(&self, _: Cycle<'_>, pod: u64, reason: &str) -> bool {
        serve!(self.0, reject, pod, to_abi(reason)) == BERTH_SUCCESS
    }

    /// Queued pods are tried next, whatever keeps them but a gate.
    pub fn activate(&self, _: Cycle<'_>, pods: &[u64]) {
        serve!(self.0, activate, pods.len() as u64, pods.as_ptr())
    }
}
