//! Claims, volumes and the objects of storage: `berth/abi/volumes.h`.
//!
//! A hook that uses the service declares the column `pod.volumes_version`, so that the states of
//! pods with volumes are prepared again whenever an answer may differ.

use crate::failure::Result;
use crate::host::{serve, Cycle, Host, Service};
use crate::raw::*;
use crate::storage::{
    CsiCapacity, CsiDriver, CsiNode, PersistentVolume, StorageClass, StorageObject,
    VolumeAttachment, VolumeClaim,
};

/// The objects of storage, and what the scheduler decides about them. `pod` is a value of
/// `pod.handle`; `key` names a claim, as an element of `pod.claims` and `node.claims` does; other
/// names are string ids.
#[derive(Clone, Copy)]
pub struct Volumes(Service<berth_volumes_service>);

type Next<T> = Option<unsafe extern "C" fn(*const berth_host, *const T) -> *const T>;

/// The namespace and the name of a claim.
fn names(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

impl Volumes {
    /// Fails if the host does not offer the service.
    pub fn new(host: &Host<'_>) -> Result<Self> {
        Service::require(host, BERTH_VOLUMES_SERVICE).map(Volumes)
    }

    /// Differs whenever an answer may.
    pub fn version(&self, _: Cycle<'_>) -> u64 {
        serve!(self.0, version)
    }

    /// The claim, with what was assumed of it.
    pub fn claim<'a>(&self, _: Cycle<'a>, key: u64) -> Option<VolumeClaim<'a>> {
        let (namespace, name) = names(key);
        found(serve!(self.0, claim, namespace, name))
    }

    /// The volume, with what was assumed of it.
    pub fn volume<'a>(&self, _: Cycle<'a>, name: u32) -> Option<PersistentVolume<'a>> {
        found(serve!(self.0, volume, name))
    }

    /// The class.
    pub fn storage_class<'a>(&self, _: Cycle<'a>, name: u32) -> Option<StorageClass<'a>> {
        found(serve!(self.0, storage_class, name))
    }

    /// The driver.
    pub fn csi_driver<'a>(&self, _: Cycle<'a>, name: u32) -> Option<CsiDriver<'a>> {
        found(serve!(self.0, csi_driver, name))
    }

    /// All claims.
    pub fn claims<'a>(&self, _: Cycle<'a>) -> impl Iterator<Item = VolumeClaim<'a>> + 'a {
        self.each(self.0.table().next_claim)
    }

    /// All volumes.
    pub fn volumes<'a>(&self, _: Cycle<'a>) -> impl Iterator<Item = PersistentVolume<'a>> + 'a {
        self.each(self.0.table().next_volume)
    }

    /// All CSINodes.
    pub fn csi_nodes<'a>(&self, _: Cycle<'a>) -> impl Iterator<Item = CsiNode<'a>> + 'a {
        self.each(self.0.table().next_csi_node)
    }

    /// All CSIStorageCapacities.
    pub fn capacities<'a>(&self, _: Cycle<'a>) -> impl Iterator<Item = CsiCapacity<'a>> + 'a {
        self.each(self.0.table().next_capacity)
    }

    /// All VolumeAttachments.
    pub fn attachments<'a>(&self, _: Cycle<'a>) -> impl Iterator<Item = VolumeAttachment<'a>> + 'a {
        self.each(self.0.table().next_attachment)
    }

    /// True if the claim's selector matches the volume's labels, or the claim has none.
    pub fn selects(
        &self,
        _: Cycle<'_>,
        claim: VolumeClaim<'_>,
        volume: PersistentVolume<'_>,
    ) -> bool {
        serve!(self.0, selects, claim.raw(), volume.raw()) != 0
    }

    /// True if the node that is there under this name matches the selector (selectors service).
    pub fn node_matches(&self, _: Cycle<'_>, selector: u32, node_name: u32) -> bool {
        serve!(self.0, node_matches, selector, node_name) != 0
    }

    /// The volume is for the claim, until the pod forgets it. False: there is no such object.
    pub fn assume_volume(
        &self,
        _: Cycle<'_>,
        pod: u64,
        volume: u32,
        claim: VolumeClaim<'_>,
    ) -> bool {
        serve!(self.0, assume_volume, pod, volume, claim.raw()) == BERTH_SUCCESS
    }

    /// The claim's volume is made for the node, until the pod forgets it. False: there is no such
    /// object.
    pub fn assume_claim(&self, _: Cycle<'_>, pod: u64, key: u64, node_name: u32) -> bool {
        let (namespace, name) = names(key);
        serve!(self.0, assume_claim, pod, namespace, name, node_name) == BERTH_SUCCESS
    }

    /// The pod takes back what it assumed of the volume.
    pub fn forget_volume(&self, _: Cycle<'_>, pod: u64, volume: u32) {
        serve!(self.0, forget_volume, pod, volume)
    }

    /// The pod takes back what it assumed of the claim.
    pub fn forget_claim(&self, _: Cycle<'_>, pod: u64, key: u64) {
        let (namespace, name) = names(key);
        serve!(self.0, forget_claim, pod, namespace, name)
    }

    /// Writes to the API server what the pod assumed. False: the pod does not assume it any more,
    /// because the object changed or is gone.
    pub fn write_volume(
        &self,
        _: Cycle<'_>,
        pod: u64,
        volume: u32,
        claim: VolumeClaim<'_>,
    ) -> bool {
        serve!(self.0, write_volume, pod, volume, claim.raw()) == BERTH_SUCCESS
    }

    /// As `write_volume`, of a claim.
    pub fn write_claim(&self, _: Cycle<'_>, pod: u64, key: u64, node_name: u32) -> bool {
        let (namespace, name) = names(key);
        serve!(self.0, write_claim, pod, namespace, name, node_name) == BERTH_SUCCESS
    }

    /// The claim as the API server has it, without what is assumed.
    pub fn written_claim<'a>(&self, _: Cycle<'a>, key: u64) -> Option<VolumeClaim<'a>> {
        let (namespace, name) = names(key);
        found(serve!(self.0, written_claim, namespace, name))
    }

    /// The volume as the API server has it.
    pub fn written_volume<'a>(&self, _: Cycle<'a>, name: u32) -> Option<PersistentVolume<'a>> {
        found(serve!(self.0, written_volume, name))
    }

    fn each<'a, O: StorageObject<'a> + 'a>(
        &self,
        next: Next<O::Raw>,
    ) -> impl Iterator<Item = O> + 'a {
        let host = self.0.host();
        let after = move |at: *const O::Raw| match next {
            // SAFETY: `at` is null or an object of the host, which is there until the call ends.
            Some(next) => found(unsafe { next(host, at) }),
            None => panic!("this host does not list objects of storage"),
        };
        std::iter::successors(after(std::ptr::null()), move |at: &O| after(at.raw()))
    }
}

fn found<'a, O: StorageObject<'a>>(object: *const O::Raw) -> Option<O> {
    // SAFETY: null, or an object that is valid until the call of the plugin's function ends.
    unsafe { O::new(object) }
}
