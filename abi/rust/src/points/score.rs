//! PreScore and Score: `berth/abi/score.h`.

use crate::call::{Call, CycleCall};
use crate::failure::{guarded, Result};
use crate::hook::Hook;
use crate::instance::{bound_of, Point, Slots};
use crate::plugin::Start;
use crate::points::{answer, output, Numbers};
use crate::raw::*;
use crate::text::{slice, slice_mut};

/// The way from raw scores to final ones, 0 to 100. Minimum and maximum are of the scored nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalise {
    /// Raw is final.
    None,
    /// 100 raw / maximum; raw where the maximum is 0.
    Max,
    /// 100 - 100 raw / maximum; 100 where the maximum is 0.
    MaxReversed,
    /// 100 (raw - minimum) / (maximum - minimum), truncated; 0 if both are equal.
    MinMax,
    /// 100 (maximum + minimum - raw) / maximum; 100 where the maximum is 0.
    Spread,
    /// The hook's `normalise`.
    Own,
}

/// Ranks nodes. A position is a node, or a code of the dictionary that the hook runs over.
pub trait Score: Hook {
    /// A raw score of a node that is not scored: it counts in neither minimum nor maximum, and its
    /// final score is 0.
    const NOT_SCORED: i64 = BERTH_NOT_SCORED;

    /// The way from raw scores to final ones.
    const NORMALISE: Normalise;

    /// \[rows\] Writes one raw score per position.
    fn score(&self, call: &Call<'_, Self>, raw: &mut [i64]) -> Result;

    /// \[rows\] The final score. Called only with [`Normalise::Own`], for positions that are scored.
    fn normalise(&self, raw: i64, minimum: i64, maximum: i64) -> i64 {
        let _ = (minimum, maximum);
        raw
    }

    /// \[rows\] The same with the template's state; the call has no inputs. Hosts before ABI 1.3 call
    /// `normalise` alone. Default: `normalise`.
    fn normalise_with(
        &self,
        call: &Call<'_, Self>,
        raw: i64,
        minimum: i64,
        maximum: i64,
    ) -> Result<i64> {
        let _ = call;
        Ok(self.normalise(raw, minimum, maximum))
    }

    /// \[rows\] Writes the numbers behind the raw score of position 0, for people. Default: none.
    fn numbers(&self, call: &Call<'_, Self>, numbers: &mut Numbers<'_>) -> Result {
        let _ = (call, numbers);
        Ok(())
    }
}

unsafe extern "C" fn score_hook<H: Score>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    raw: *mut i64,
) -> berth_code {
    answer(plugin, Point::score, call, |hook: &H| hook.score(&Call::new(call), output(call, raw)))
}

unsafe extern "C" fn normalise_hook<H: Score>(
    plugin: *mut berth_plugin,
    count: u64,
    raw: *const i64,
    minimum: i64,
    maximum: i64,
    finals: *mut i64,
) -> berth_code {
    guarded(std::ptr::null(), || {
        let hook = &bound_of::<H>(plugin, Point::score).hook;
        let raw = slice(raw, count as usize);
        for (score, &raw) in slice_mut(finals, count as usize).iter_mut().zip(raw) {
            *score = match raw {
                BERTH_NOT_SCORED => 0,
                raw => hook.normalise(raw, minimum, maximum),
            };
        }
        Ok(())
    })
}

unsafe extern "C" fn normalise_pod_hook<H: Score>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    raw: *const i64,
    minimum: i64,
    maximum: i64,
    finals: *mut i64,
) -> berth_code {
    answer(plugin, Point::score, call, |hook: &H| {
        let count = (*call).count as usize;
        let view = Call::new(call);
        for (score, &raw) in slice_mut(finals, count).iter_mut().zip(slice(raw, count)) {
            *score = match raw {
                BERTH_NOT_SCORED => 0,
                raw => hook.normalise_with(&view, raw, minimum, maximum)?,
            };
        }
        Ok(())
    })
}

unsafe extern "C" fn numbers_hook<H: Score>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    sink: *const berth_numbers_sink,
) -> berth_code {
    answer(plugin, Point::score, call, |hook: &H| {
        hook.numbers(&Call::new(call), &mut Numbers::new(sink))
    })
}

#[doc(hidden)]
pub fn score<H: Score>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::score }>(start, |hook| berth_score {
        size: size_of::<berth_score>(),
        normalise: match H::NORMALISE {
            Normalise::None => BERTH_NORMALISE_NONE,
            Normalise::Max => BERTH_NORMALISE_MAX,
            Normalise::MaxReversed => BERTH_NORMALISE_MAX_REVERSED,
            Normalise::MinMax => BERTH_NORMALISE_MIN_MAX,
            Normalise::Spread => BERTH_NORMALISE_SPREAD,
            Normalise::Own => BERTH_NORMALISE_OWN,
        },
        hook,
        score: Some(score_hook::<H>),
        normalise_own: Some(normalise_hook::<H>),
        numbers: Some(numbers_hook::<H>),
        normalise_pod: Some(normalise_pod_hook::<H>),
    })
}

/// The feasible nodes that are to be scored.
#[derive(Clone, Copy)]
pub struct Feasible<'a>(&'a berth_feasible);

impl Feasible<'_> {
    /// The number of feasible nodes, at least 2.
    pub fn count(&self) -> usize {
        self.0.feasible as usize
    }

    /// Equal numbers mean equal sets.
    pub fn generation(&self) -> u64 {
        self.0.generation
    }

    /// The feasible rows, values of `node.row`, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (self.0.row_count as usize + 63) / 64;
        // SAFETY: the host's array has a bit for each row.
        let words = unsafe { slice(self.0.rows, words) };
        words.iter().enumerate().flat_map(|(word, &bits)| {
            let rows = (0..64u32).filter(move |bit| bits >> bit & 1 != 0);
            rows.map(move |bit| word as u32 * 64 + bit)
        })
    }
}

/// The answer of a PreScore. Default: score the pod.
pub struct PreScoreResult<'a> {
    raw: &'a mut berth_pre_score_result,
}

impl PreScoreResult<'_> {
    /// This plugin does not score the pod.
    pub fn skip(&mut self) {
        self.raw.code = BERTH_SKIP;
    }

    /// For hooks that depend on the feasible set: raw scores that the host keeps are stale.
    pub fn changed(&mut self) {
        self.raw.changed = 1;
    }
}

/// Called once per pod before its scores.
pub trait PreScore: Hook {
    /// \[cycle\] Leave `result` unchanged to score the pod. `feasible` is there if the hook declared
    /// `depends_on_feasible`.
    fn pre_score(
        &self,
        call: &CycleCall<'_, Self>,
        feasible: Option<Feasible<'_>>,
        result: &mut PreScoreResult<'_>,
    ) -> Result;
}

unsafe extern "C" fn pre_score_hook<H: PreScore>(
    plugin: *mut berth_plugin,
    call: *const berth_call,
    feasible: *const berth_feasible,
    result: *mut berth_pre_score_result,
) -> berth_code {
    answer(plugin, Point::pre_score, call, |hook: &H| {
        let feasible = feasible.as_ref().map(Feasible);
        hook.pre_score(&CycleCall::new(call), feasible, &mut PreScoreResult { raw: &mut *result })
    })
}

#[doc(hidden)]
pub fn pre_score<H: PreScore>(slots: &mut Slots, start: &Start<'_, H::Plugin>) -> Result {
    slots.fill::<H, _, { Point::pre_score }>(start, |hook| berth_pre_score {
        size: size_of::<berth_pre_score>(),
        reserved: 0,
        hook,
        pre_score: Some(pre_score_hook::<H>),
    })
}
