//! A plugin that uses what the templates of `berth plugin new` do not: arguments, data that hooks
//! share, columns that `prepare` chooses, lists, reasons with a text of their own, numbers for
//! `berth explain`, a function of its own for normalising, failures and panics.
//!
//! A pod with the label example.com/slots runs on nodes with that many free slots: those of the
//! resource that the arguments name, less the host ports in use.

use std::sync::atomic::{AtomicU64, Ordering};

use berth_plugin::prelude::*;
use berth_plugin::services::{Log, Strings};

struct SlotArguments {
    resource: String,
    spare: i64,
}

impl Arguments for SlotArguments {
    fn read(config: &Config) -> Self {
        let resource = config.member("resource");
        let text = resource.text().unwrap_or_else(|| "example.com/slots".into());
        if text.is_empty() || text.len() > 200 || !text.is_ascii() {
            resource.error("must name a resource");
        }
        for name in config.member("ignored").elements() {
            name.text();
        }
        SlotArguments {
            resource: text.into_owned(),
            spare: config.member("spare").integer(0, 0..=1000),
        }
    }
}

struct Shared {
    arguments: SlotArguments,
    prepared: AtomicU64,
    log: Log,
}

impl Plugin for Shared {
    type Arguments = SlotArguments;

    fn init(host: &Host, arguments: SlotArguments) -> Result<Self> {
        Ok(Shared { arguments, prepared: AtomicU64::new(0), log: Log::new(host)? })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        assert!(self.prepared.load(Ordering::Relaxed) < 1 << 40);
    }
}

struct Slots {
    wanted: Input<u32>,
    ports: ListInput<u64>,
    few: Reason,
    strings: Strings,
    shared: Arc<Shared>,
}

struct Wanted {
    slots: i64,
    allocatable: Slot<i64>,
}

impl Hook for Slots {
    type Plugin = Shared;
    type State = Wanted;

    fn declare(declare: &mut Declaration, start: &Start<Shared>) -> Result<Self> {
        declare.family("node.allocatable:*");
        Ok(Slots {
            wanted: declare.input("pod.label:example.com/slots"),
            ports: declare.list("node.ports"),
            few: declare.reason("node(s) had too few slots"),
            strings: Strings::new(start.host())?,
            shared: start.plugin().clone(),
        })
    }

    fn describe(&self, call: &Call<Self>, reason: u32, texts: &Texts) -> Result {
        if reason == self.few.id() {
            texts.write_declared(reason);
        } else {
            texts.write(&format!("node(s) had no slots, of {} wanted", call.state().slots));
        }
        Ok(())
    }
}

impl Prepare<Slots> for Wanted {
    fn prepare(hook: &Slots, pod: &Template, preparation: &mut Preparation) -> Result<Self> {
        hook.shared.prepared.fetch_add(1, Ordering::Relaxed);
        let label = hook.strings.text(pod.one(hook.wanted));
        let slots = match label.as_str() {
            "" => 0,
            "many" => return Err("the label example.com/slots is no number: many".into()),
            text => text.parse().expect("a number of slots"),
        };
        if slots == 0 {
            preparation.passes();
        }
        preparation.keep(&hook.ports)?;
        let id = format!("node.allocatable:{}", hook.shared.arguments.resource);
        Ok(Wanted { slots, allocatable: preparation.add(&id)? })
    }
}

impl Slots {
    fn free(&self, call: &Call<Self>, position: usize) -> i64 {
        let used = call.lists(self.ports).at(position).len() as i64;
        call[call.state().allocatable][position] - used - self.shared.arguments.spare
    }
}

impl Filter for Slots {
    fn filter(&self, call: &Call<Self>, verdicts: &mut [Code]) -> Result {
        let wanted = call.state().slots;
        for (position, verdict) in verdicts.iter_mut().enumerate() {
            let fits = wanted == 0 || self.free(call, position) >= wanted;
            *verdict = if fits { Code::SUCCESS } else { Code::UNSCHEDULABLE };
        }
        Ok(())
    }

    fn reasons(&self, call: &Call<Self>, reasons: &mut [u32]) -> Result {
        for (position, reason) in reasons.iter_mut().enumerate() {
            let none = call[call.state().allocatable][position] == 0;
            *reason = if none { 100 } else { self.few.id() };
        }
        Ok(())
    }

    fn numbers(&self, call: &Call<Self>, numbers: &mut Numbers) -> Result {
        let state = call.state();
        numbers
            .item(&self.shared.arguments.resource)
            .number("wanted", state.slots, Unit::One)
            .number("free", self.free(call, 0), Unit::One);
        Ok(())
    }
}

/// Prefers nodes with few slots; those without any are not scored.
struct Frugal {
    slots: Input<i64>,
    shared: Arc<Shared>,
}

impl Hook for Frugal {
    type Plugin = Shared;
    type State = ();

    fn declare(declare: &mut Declaration, start: &Start<Shared>) -> Result<Self> {
        let shared = start.plugin().clone();
        let id = format!("node.allocatable:{}", shared.arguments.resource);
        shared.log.debug(&format!("scores by {id}"));
        Ok(Frugal { slots: declare.input(&id), shared })
    }
}

impl Score for Frugal {
    const NORMALISE: Normalise = Normalise::Own;

    fn score(&self, call: &Call<Self>, raw: &mut [i64]) -> Result {
        for (raw, &slots) in raw.iter_mut().zip(&call[self.slots]) {
            *raw = if slots == 0 { Self::NOT_SCORED } else { slots };
        }
        Ok(())
    }

    fn normalise(&self, raw: i64, minimum: i64, maximum: i64) -> i64 {
        if maximum == minimum {
            return 100;
        }
        100 * (maximum - raw) / (maximum - minimum)
    }

    fn numbers(&self, call: &Call<Self>, numbers: &mut Numbers) -> Result {
        let name = &self.shared.arguments.resource;
        numbers.item(name).number("slots", call[self.slots][0], Unit::One);
        Ok(())
    }
}

berth_plugin::plugin! {
    id: "io.berth.test.slots",
    name: "Slots",
    plugin: Shared,
    hooks: { filter: Slots, score: Frugal },
    version: "2.3.4",
    needs: 0,
}
