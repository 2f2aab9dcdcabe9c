//! A QueueSort with keys of 40 bytes: pods leave by priority, and among equals by name.

use berth_plugin::prelude::*;
use berth_plugin::services::Strings;

struct ByName {
    priority: Input<i64>,
    name: Input<u32>,
    strings: Strings,
}

impl Hook for ByName {
    type Plugin = ();
    type State = ();

    fn declare(declare: &mut Declaration, start: &Start<()>) -> Result<Self> {
        Ok(ByName {
            priority: declare.input("pod.priority"),
            name: declare.input("pod.name"),
            strings: Strings::new(start.host())?,
        })
    }
}

impl WideQueueSort for ByName {
    type Key = [u8; 40];

    fn keys(&self, call: &CycleCall<Self>, keys: &mut [[u8; 40]]) -> Result {
        for (i, key) in keys.iter_mut().enumerate() {
            let name = self.strings.text(call[self.name][i]);
            let length = name.len().min(32);
            *key = [0; 40];
            key[..8].copy_from_slice(&SortKey::ordered(-call[self.priority][i]));
            key[8..8 + length].copy_from_slice(&name.as_bytes()[..length]);
        }
        Ok(())
    }
}

berth_plugin::plugin! {
    id: "io.berth.test.rust-order",
    name: "ByName",
    plugin: (),
    hooks: { wide_queue_sort: ByName },
}
