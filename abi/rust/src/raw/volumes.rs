//! Volumes and claims: `berth/abi/volumes.h`, whose comments are the contract.

use super::berth_host;

structs! {
    berth_claim {
        size: u32,
        flags: u32,
        namespace_name: u32,
        name: u32,
        uid: u32,
        owner_uid: u32,
        volume: u32,
        storage_class: u32,
        selected_node: u32,
        access_modes: u32,
        attributes_class: u32,
        reserved: u32,
        storage: i64,
    }
    berth_volume {
        size: u32,
        flags: u32,
        name: u32,
        claim_namespace: u32,
        claim_name: u32,
        claim_uid: u32,
        storage_class: u32,
        access_modes: u32,
        attributes_class: u32,
        node_affinity: u32,
        csi_driver: u32,
        csi_handle: u32,
        plugin: u32,
        plugin_handle: u32,
        storage: i64,
        labels: *const u32,
        label_count: u32,
        reserved: u32,
    }
    berth_storage_class {
        size: u32,
        flags: u32,
        name: u32,
        provisioner: u32,
        allowed_topologies: u32,
        reserved: u32,
    }
    berth_csi_node {
        size: u32,
        name: u32,
        migrated_plugins: u32,
        driver_count: u32,
        drivers: *const u32,
        limits: *const i64,
    }
    berth_csi_driver {
        size: u32,
        name: u32,
        storage_capacity: u32,
        reserved: u32,
    }
    berth_csi_capacity {
        size: u32,
        flags: u32,
        storage_class: u32,
        topology: u32,
        limit: i64,
        capacity: i64,
    }
    berth_volume_attachment {
        size: u32,
        attacher: u32,
        node_name: u32,
        volume: u32,
    }
    berth_volumes_service {
        size: u32,
        reserved: u32,
        version: Option<unsafe extern "C" fn(*const berth_host) -> u64>,
        claim: Option<unsafe extern "C" fn(*const berth_host, u32, u32) -> *const berth_claim>,
        volume: Option<unsafe extern "C" fn(*const berth_host, u32) -> *const berth_volume>,
        storage_class: Option<unsafe extern "C" fn(
            *const berth_host, u32,
        ) -> *const berth_storage_class>,
        csi_driver: Option<unsafe extern "C" fn(*const berth_host, u32) -> *const berth_csi_driver>,
        next_claim: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_claim,
        ) -> *const berth_claim>,
        next_volume: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_volume,
        ) -> *const berth_volume>,
        next_csi_node: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_csi_node,
        ) -> *const berth_csi_node>,
        next_capacity: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_csi_capacity,
        ) -> *const berth_csi_capacity>,
        next_attachment: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_volume_attachment,
        ) -> *const berth_volume_attachment>,
        selects: Option<unsafe extern "C" fn(
            *const berth_host, *const berth_claim, *const berth_volume,
        ) -> u32>,
        node_matches: Option<unsafe extern "C" fn(*const berth_host, u32, u32) -> u32>,
        assume_volume: Option<unsafe extern "C" fn(
            *const berth_host, u64, u32, *const berth_claim,
        ) -> i32>,
        assume_claim: Option<unsafe extern "C" fn(*const berth_host, u64, u32, u32, u32) -> i32>,
        forget_volume: Option<unsafe extern "C" fn(*const berth_host, u64, u32)>,
        forget_claim: Option<unsafe extern "C" fn(*const berth_host, u64, u32, u32)>,
        write_volume: Option<unsafe extern "C" fn(
            *const berth_host, u64, u32, *const berth_claim,
        ) -> i32>,
        write_claim: Option<unsafe extern "C" fn(*const berth_host, u64, u32, u32, u32) -> i32>,
        written_claim: Option<unsafe extern "C" fn(
            *const berth_host, u32, u32,
        ) -> *const berth_claim>,
        written_volume: Option<unsafe extern "C" fn(*const berth_host, u32) -> *const berth_volume>,
    }
}

numbers! {
    BERTH_READ_WRITE_ONCE: u32 = 1;
    BERTH_READ_ONLY_MANY: u32 = 2;
    BERTH_READ_WRITE_MANY: u32 = 4;
    BERTH_READ_WRITE_ONCE_POD: u32 = 8;
    BERTH_CLAIM_BIND_COMPLETED: u32 = 1;
    BERTH_CLAIM_LOST: u32 = 2;
    BERTH_CLAIM_TERMINATING: u32 = 4;
    BERTH_CLAIM_BLOCK: u32 = 8;
    BERTH_CLAIM_HAS_STORAGE: u32 = 16;
    BERTH_CLAIM_USED: u32 = 32;
    BERTH_VOLUME_AVAILABLE: u32 = 1;
    BERTH_VOLUME_TERMINATING: u32 = 2;
    BERTH_VOLUME_BLOCK: u32 = 4;
    BERTH_VOLUME_HAS_CLAIM: u32 = 8;
    BERTH_VOLUME_ASSUMED: u32 = 16;
    BERTH_CLASS_HAS_BINDING_MODE: u32 = 1;
    BERTH_CLASS_WAITS: u32 = 2;
    BERTH_CAPACITY_HAS_LIMIT: u32 = 1;
    BERTH_CAPACITY_EVERYWHERE: u32 = 2;
}

texts! {
    BERTH_VOLUMES_SERVICE = "berth.volumes/0";
}
