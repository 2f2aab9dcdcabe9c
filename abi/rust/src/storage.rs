//! The objects of storage, as the volumes service and events of storage have them: claims, volumes,
//! classes and what CSI drivers publish. The structs are in `berth/abi/volumes.h`.
//!
//! Names and texts are string ids; 0 is "absent". An object is valid until the call of the plugin's
//! function ends, and shows what is assumed of it meanwhile.

use std::marker::PhantomData;
use std::os::raw::c_void;

use crate::raw::*;
use crate::text::slice;

/// An object of storage. Implemented by the types of this module alone.
pub trait StorageObject<'a>: Copy + private::Sealed {
    #[doc(hidden)]
    type Raw;
    #[doc(hidden)]
    const KIND: u32;
    /// Null: none.
    ///
    /// # Safety
    /// `raw` is null or valid for `'a`.
    #[doc(hidden)]
    unsafe fn new(raw: *const Self::Raw) -> Option<Self>;
    /// The struct of the ABI.
    fn raw(&self) -> *const Self::Raw;
}

mod private {
    pub trait Sealed {}
}

// An object is a pointer and not a reference: the host changes it when something is assumed.
macro_rules! objects {
    ($($(#[$about:meta])* $name:ident: $raw:ident, $kind:ident {
        $($(#[$what:meta])* $member:ident: $type:ty,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub struct $name<'a>(*const $raw, PhantomData<&'a $raw>);

        impl $name<'_> {
            $(
                $(#[$what])*
                pub fn $member(&self) -> $type {
                    // SAFETY: the object is valid for the call.
                    unsafe { (*self.0).$member }
                }
            )*
        }

        impl private::Sealed for $name<'_> {}

        impl<'a> StorageObject<'a> for $name<'a> {
            type Raw = $raw;
            const KIND: u32 = $kind;

            unsafe fn new(raw: *const $raw) -> Option<Self> {
                if raw.is_null() { None } else { Some($name(raw, PhantomData)) }
            }

            fn raw(&self) -> *const $raw {
                self.0
            }
        }
    )*};
}

objects! {
    /// A PersistentVolumeClaim.
    VolumeClaim: berth_claim, BERTH_ON_CLAIM {
        /// `BERTH_CLAIM_` bits.
        flags: u32,
        /// The namespace.
        namespace_name: u32,
        /// The name.
        name: u32,
        /// The uid.
        uid: u32,
        /// The uid of the managing owner.
        owner_uid: u32,
        /// The name of the volume that the claim is bound to.
        volume: u32,
        /// 0: none.
        storage_class: u32,
        /// 0: none is selected.
        selected_node: u32,
        /// `BERTH_READ_` bits.
        access_modes: u32,
        /// 0: none.
        attributes_class: u32,
        /// The request, in bytes.
        storage: i64,
    }

    /// A PersistentVolume.
    PersistentVolume: berth_volume, BERTH_ON_VOLUME {
        /// `BERTH_VOLUME_` bits.
        flags: u32,
        /// The name.
        name: u32,
        /// The namespace of the claim that the volume is for.
        claim_namespace: u32,
        /// The name of that claim.
        claim_name: u32,
        /// The uid of that claim.
        claim_uid: u32,
        /// 0: none.
        storage_class: u32,
        /// `BERTH_READ_` bits.
        access_modes: u32,
        /// 0: none.
        attributes_class: u32,
        /// A handle of the selectors service; 0: any node.
        node_affinity: u32,
        /// The CSI driver.
        csi_driver: u32,
        /// The driver's name for the volume.
        csi_handle: u32,
        /// The plugin of an in-tree source that a CSI driver replaces.
        plugin: u32,
        /// That plugin's name for the volume.
        plugin_handle: u32,
        /// The capacity, in bytes.
        storage: i64,
    }

    /// A StorageClass.
    StorageClass: berth_storage_class, BERTH_ON_STORAGE_CLASS {
        /// `BERTH_CLASS_` bits.
        flags: u32,
        /// The name.
        name: u32,
        /// The provisioner.
        provisioner: u32,
        /// A handle of a node selector; 0: any node.
        allowed_topologies: u32,
    }

    /// A CSINode.
    CsiNode: berth_csi_node, BERTH_ON_CSI_NODE {
        /// The name.
        name: u32,
        /// The text of the annotation about migrated plugins.
        migrated_plugins: u32,
    }

    /// A CSIDriver.
    CsiDriver: berth_csi_driver, BERTH_ON_CSI_DRIVER {
        /// The name.
        name: u32,
        /// 1: capacities are published and count.
        storage_capacity: u32,
    }

    /// A CSIStorageCapacity.
    CsiCapacity: berth_csi_capacity, BERTH_ON_CSI_CAPACITY {
        /// `BERTH_CAPACITY_` bits.
        flags: u32,
        /// The class.
        storage_class: u32,
        /// A handle of a node selector; 0: no node, unless it is everywhere.
        topology: u32,
        /// The size of the largest volume, in bytes.
        limit: i64,
    }

    /// A VolumeAttachment.
    VolumeAttachment: berth_volume_attachment, BERTH_ON_VOLUME_ATTACHMENT {
        /// The attacher.
        attacher: u32,
        /// The node.
        node_name: u32,
        /// The name of the volume; 0: none.
        volume: u32,
    }
}

impl VolumeClaim<'_> {
    /// The claim as `pod.claims` and `node.claims` list it.
    pub fn key(&self) -> u64 {
        u64::from(self.namespace_name()) << 32 | u64::from(self.name())
    }
}

impl<'a> PersistentVolume<'a> {
    /// The labels, as pairs of a key and a value.
    pub fn labels(&self) -> impl Iterator<Item = (u32, u32)> + 'a {
        // SAFETY: the object is valid for the call; it has two texts for each label.
        let texts = unsafe { slice((*self.0).labels, 2 * (*self.0).label_count as usize) };
        texts.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// The value of a label.
    pub fn label(&self, key: u32) -> Option<u32> {
        self.labels().find(|label| label.0 == key).map(|label| label.1)
    }
}

impl<'a> CsiNode<'a> {
    /// The drivers, and how many volumes of each the node takes, if that is limited.
    pub fn drivers(&self) -> impl Iterator<Item = (u32, Option<i64>)> + 'a {
        // SAFETY: the object is valid for the call; the two arrays are in step.
        let (drivers, limits) = unsafe {
            let count = (*self.0).driver_count as usize;
            (slice((*self.0).drivers, count), slice((*self.0).limits, count))
        };
        let limits = limits.iter().map(|&limit| Some(limit).filter(|&limit| limit >= 0));
        drivers.iter().copied().zip(limits)
    }
}

impl CsiCapacity<'_> {
    /// The storage for new volumes, in bytes; `None`: not known, as in hosts before ABI 1.2.
    pub fn capacity(&self) -> Option<i64> {
        // SAFETY: the object is valid for the call.
        unsafe { member!(self.0, berth_csi_capacity, capacity) }.filter(|&bytes| bytes != 0)
    }
}

/// The object of an event of storage, if it is one of that kind.
///
/// # Safety
/// `object` is null, or the object of an event of the kind, valid for `'a`.
pub(crate) unsafe fn of_event<'a, O: StorageObject<'a>>(
    kind: u32,
    object: *const c_void,
) -> Option<O> {
    if kind == O::KIND {
        O::new(object as *const O::Raw)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeroed<T>() -> T {
        // SAFETY: the structs of storage hold numbers and pointers alone.
        unsafe { std::mem::zeroed() }
    }

    #[test]
    fn labels_are_pairs() {
        let texts = [1, 2, 3, 4];
        let raw = berth_volume { labels: texts.as_ptr(), label_count: 2, ..zeroed() };
        let volume = unsafe { PersistentVolume::new(&raw) }.unwrap();
        assert_eq!(volume.labels().collect::<Vec<_>>(), [(1, 2), (3, 4)]);
        assert_eq!((volume.label(3), volume.label(2)), (Some(4), None));
        let bare = berth_volume { ..zeroed() };
        assert_eq!(unsafe { PersistentVolume::new(&bare) }.unwrap().labels().count(), 0);
    }

    #[test]
    fn drivers_have_limits() {
        let (drivers, limits) = ([5, 6], [-1, 20]);
        let raw = berth_csi_node {
            driver_count: 2,
            drivers: drivers.as_ptr(),
            limits: limits.as_ptr(),
            ..zeroed()
        };
        let node = unsafe { CsiNode::new(&raw) }.unwrap();
        assert_eq!(node.drivers().collect::<Vec<_>>(), [(5, None), (6, Some(20))]);
    }

    #[test]
    fn a_capacity_of_a_former_host_is_not_read() {
        let mut raw = berth_csi_capacity { capacity: 7, ..zeroed() };
        raw.size = size_of::<berth_csi_capacity>();
        assert_eq!(unsafe { CsiCapacity::new(&raw) }.unwrap().capacity(), Some(7));
        raw.size -= 8;
        assert_eq!(unsafe { CsiCapacity::new(&raw) }.unwrap().capacity(), None);
    }

    #[test]
    fn a_claim_has_the_key_of_columns() {
        let raw = berth_claim { namespace_name: 3, name: 9, ..zeroed() };
        assert_eq!(unsafe { VolumeClaim::new(&raw) }.unwrap().key(), 3 << 32 | 9);
    }

    #[test]
    fn objects_of_events_have_a_kind() {
        let raw = berth_claim { name: 9, ..zeroed() };
        let object = &raw as *const berth_claim as *const c_void;
        let claim: Option<VolumeClaim> = unsafe { of_event(BERTH_ON_CLAIM, object) };
        assert_eq!(claim.unwrap().name(), 9);
        assert!(unsafe { of_event::<PersistentVolume>(BERTH_ON_CLAIM, object) }.is_none());
        assert!(unsafe { of_event::<VolumeClaim>(BERTH_ON_CLAIM, std::ptr::null()) }.is_none());
    }
}
