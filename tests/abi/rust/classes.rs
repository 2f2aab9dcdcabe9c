//! A plugin about volumes: claims of a storage class may ask for no more than the arguments say, and
//! a pod is bound only when each of its claims has a volume that is written.
//!
//!   {"classes": {"fast": {"most": "10Gi"}}, "patience": "1m"}

use std::collections::HashMap;
use std::time::Duration;

use berth_plugin::prelude::*;
use berth_plugin::raw;
use berth_plugin::services::{Log, Strings, Volumes};
use berth_plugin::storage::VolumeClaim;

struct Given {
    most: HashMap<String, i64>,
    patience: Duration,
}

impl Arguments for Given {
    fn read(config: &Config) -> Self {
        let classes = config.member("classes");
        let most = classes.members().into_iter().map(|(name, class)| {
            let most = class.member("most");
            if !most.present() {
                most.error("must say how much");
            }
            (name.into_owned(), most.quantity(0, 1))
        });
        Given {
            most: most.collect(),
            patience: config.member("patience").duration(Duration::from_secs(60)),
        }
    }
}

struct Shared {
    given: Given,
    strings: Strings,
    volumes: Volumes,
    log: Log,
}

impl Plugin for Shared {
    type Arguments = Given;

    fn init(host: &Host, given: Given) -> Result<Self> {
        Ok(Shared {
            given,
            strings: Strings::new(host)?,
            volumes: Volumes::new(host)?,
            log: Log::new(host)?,
        })
    }
}

struct Sizes {
    claims: ListInput<u64>,
    shared: Arc<Shared>,
}

/// The class of the first claim that asks for too much.
struct TooLarge(Option<String>);

impl Hook for Sizes {
    type Plugin = Shared;
    type State = TooLarge;

    fn declare(declare: &mut Declaration, start: &Start<Shared>) -> Result<Self> {
        declare.input::<i64>("pod.volumes_version");
        Ok(Sizes { claims: declare.list("pod.claims"), shared: start.plugin().clone() })
    }

    fn describe(&self, call: &Call<Self>, _: u32, texts: &Texts) -> Result {
        let class = call.state().0.as_deref().unwrap_or_default();
        texts.write(&format!("a claim asks for too much of the class {class}"));
        Ok(())
    }
}

impl Prepare<Sizes> for TooLarge {
    fn prepare(hook: &Sizes, pod: &Template, preparation: &mut Preparation) -> Result<Self> {
        let shared = &hook.shared;
        let mut claims = pod
            .one_list(hook.claims)
            .iter()
            .filter_map(|&key| shared.volumes.claim(pod.cycle(), key));
        let class = claims.find_map(|claim| {
            let class = shared.strings.text(claim.storage_class());
            let most = shared.given.most.get(&class)?;
            (claim.storage() > *most).then(|| class)
        });
        if class.is_none() {
            preparation.passes();
        }
        Ok(TooLarge(class))
    }
}

impl PreFilter for Sizes {
    fn pre_filter(&self, call: &CycleCall<Self>, result: &mut PreFilterResult) -> Result {
        match &call.state().0 {
            Some(_) => result.refuse(Code::UNRESOLVABLE, 1u32),
            None => result.skip(),
        }
        Ok(())
    }
}

/// Events about the claims of a refused pod: a new one may help, and a smaller request.
struct ClaimEvents {
    claims: ListInput<u64>,
}

impl Hook for ClaimEvents {
    type Plugin = Shared;
    type State = ();

    fn declare(declare: &mut Declaration, _: &Start<Shared>) -> Result<Self> {
        Ok(ClaimEvents { claims: declare.list("pod.claims") })
    }
}

impl Hints for ClaimEvents {
    fn actions(&self, kind: u32) -> u32 {
        if kind == raw::BERTH_ON_CLAIM {
            raw::BERTH_DID_ANYTHING
        } else {
            0
        }
    }

    fn hint(&self, call: &CycleCall<Self>, event: &Event) -> Result<bool> {
        let before: Option<VolumeClaim> = event.object_before();
        let after = match event.object_after::<VolumeClaim>() {
            Some(after) if call.one_list(self.claims).contains(&after.key()) => after,
            _ => return Ok(false),
        };
        Ok(before.map_or(true, |before| after.storage() < before.storage()))
    }
}

struct Written {
    claims: ListInput<u64>,
    shared: Arc<Shared>,
}

impl Hook for Written {
    type Plugin = Shared;
    type State = ();

    fn declare(declare: &mut Declaration, start: &Start<Shared>) -> Result<Self> {
        Ok(Written { claims: declare.list("pod.claims"), shared: start.plugin().clone() })
    }
}

impl Written {
    /// The volume of a claim, as the API server knows both.
    fn volume(&self, call: &CycleCall<Self>, key: u64) -> Option<String> {
        let volumes = &self.shared.volumes;
        let claim = volumes.written_claim(call.cycle(), key)?;
        let volume = volumes.written_volume(call.cycle(), claim.volume())?;
        let listed = volumes.volumes(call.cycle()).any(|other| other.name() == volume.name());
        assert!(listed && volumes.selects(call.cycle(), claim, volume));
        assert_eq!((claim.key(), volume.claim_uid()), (key, claim.uid()));
        Some(self.shared.strings.text(volume.name()))
    }
}

impl PreBindOnCycle for Written {
    fn pre_flight(&self, call: &CycleCall<Self>, codes: &mut [Code]) -> Result {
        let lists = call.lists(self.claims);
        for (position, code) in codes.iter_mut().enumerate() {
            *code = if lists.at(position).is_empty() { Code::SKIP } else { Code::SUCCESS };
        }
        Ok(())
    }

    fn pre_bind(&self, call: &CycleCall<Self>, answer: &mut PreBindAnswer) -> Result {
        for (position, code) in answer.codes.iter_mut().enumerate() {
            let keys = call.lists(self.claims).at(position);
            let names: Option<Vec<_>> = keys.iter().map(|&key| self.volume(call, key)).collect();
            let waited = Duration::from_nanos(answer.waited_nanoseconds[position] as u64);
            *code = match names {
                Some(names) => {
                    self.shared.log.info(&format!("written: {}", names.join(", ")));
                    Code::SUCCESS
                }
                None if waited < self.shared.given.patience => Code::WAIT,
                None => return Err("a claim has no volume".into()),
            };
        }
        Ok(())
    }
}

berth_plugin::plugin! {
    id: "io.berth.test.classes",
    name: "Classes",
    plugin: Shared,
    hooks: { pre_filter: Sizes, hints: ClaimEvents, pre_bind_on_cycle: Written },
    needs: 2,
}
