//! The example shuffle.cc in Rust, with the same name, so that it draws and binds the same: random
//! numbers, the time, scratch memory and metrics.

use berth_plugin::prelude::*;
use berth_plugin::services::{Clock, Counter, Gauge, Random, Worker};

struct Shuffle {
    name: Input<u32>,
    pods: Input<i64>,
    random: Random,
    clock: Clock,
    worker: Worker,
    scores: Counter,
    time: Gauge,
}

impl Hook for Shuffle {
    type Plugin = ();
    type State = ();

    fn declare(declare: &mut Declaration, start: &Start<()>) -> Result<Self> {
        declare.depends_on_external();
        let host = start.host();
        Ok(Shuffle {
            name: declare.input("node.name"),
            pods: declare.input("node.pods"),
            random: Random::new(host)?,
            clock: Clock::new(host)?,
            worker: Worker::new(host)?,
            scores: Counter::new(host, "shuffle_scores_total", "Scores that were drawn.")?,
            time: Gauge::new(host, "shuffle_time_seconds", "The time of the latest scores.")?,
        })
    }
}

impl Score for Shuffle {
    const NORMALISE: Normalise = Normalise::Max;

    fn score(&self, call: &Call<Self>, raw: &mut [i64]) -> Result {
        assert!(self.worker.index() < self.worker.count());
        let (names, pods) = (&call[self.name], &call[self.pods]);
        self.worker.scratch(raw.len(), |dirty| {
            for (position, byte) in dirty.iter_mut().enumerate() {
                byte.write(position as u8);
            }
        });
        for (position, raw) in raw.iter_mut().enumerate() {
            let draw = self.random.below(1_000_000, u64::from(names[position]));
            *raw = draw as i64 / (1 + pods[position]);
        }
        self.scores.add(raw.len() as u64);
        self.time.set(self.clock.now() / 1_000_000_000);
        Ok(())
    }
}

berth_plugin::plugin! {
    id: "com.example.shuffle",
    name: "Shuffle",
    plugin: (),
    hooks: { score: Shuffle },
    version: "1.0.0",
    needs: 3,
}
