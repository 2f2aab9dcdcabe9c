#include "plugins/pod_topology_spread/filter.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// The fewest matching pods that a domain has. With fewer domains than minDomains, it is taken as 0.
template <class Call>
int64_t minimum_of(const Call& call, const HardConstraint& constraint) {
  const int64_t domains = call[constraint.domains][0];
  if (domains < constraint.min_domains) return 0;
  return domains == 0 ? INT32_MAX : call[constraint.minimum][0];
}

// The largest count of matching pods that a domain may have before this pod is added.
template <class Call>
int64_t most(const Call& call, const HardConstraint& constraint) {
  return constraint.max_skew - constraint.self + minimum_of(call, constraint);
}

// Keeps earlier verdicts: the first constraint that refuses a node gives the reason.
BERTH_SDK_VECTORISE
void refuse(const uint8_t* has_label, const int64_t* counts, int64_t most, uint8_t* verdicts,
            size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t skewed = counts[i] > most ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    const uint8_t now = has_label[i] != 0 ? skewed : uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE};
    verdicts[i] = verdicts[i] != BERTH_SUCCESS ? verdicts[i] : now;
  }
}

}  // namespace

void SpreadPreFilter::prepare(const sdk::Template& pod, sdk::Preparation&, HasConstraints& state) {
  const PodConstraints found = reader_.read(pod, true);
  if (!found.problem.empty())
    throw sdk::Failure(
        sdk::concat("get constraints from pod: obtaining pod's hard topology spread ",
                    "constraints: ", found.problem));
  state.any = !found.all.empty();
}

void SpreadPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  if (!call.state().any) result.skip();
}

void SpreadFilter::init(sdk::Host host) {
  reader_.init(host);
  strings_ = sdk::Strings(host);
  counts_ = sdk::Counts(host);
}

void SpreadFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                           HardConstraints& state) {
  const PodConstraints found = reader_.read(pod, true);
  Participants participants(reader_, pod, found.all, true);
  for (const Constraint& constraint : found.all) {
    const uint32_t placed = constraint.selects_all ? 0 : BERTH_COUNTS_PLACED;
    const uint32_t query =
        counts_.query({.key = constraint.key,
                       .terms = {constraint.term},
                       .participants = participants.of(constraint),
                       .pods = placed | BERTH_COUNTS_OVERLAID | BERTH_COUNTS_OVERLAID_TERMINATING});
    state.all.push_back(
        {.key = constraint.key,
         .term = constraint.term,
         .has_label = prepared.add<uint8_t>(reader_.column("node.has_label:", constraint.key)),
         .counts = prepared.add<int64_t>(counts_.node_counts(query)),
         .minimum = prepared.add<int64_t>(counts_.minimum(query)),
         .domains = prepared.add<int64_t>(counts_.domains(query)),
         .max_skew = constraint.max_skew,
         .min_domains = constraint.min_domains,
         .self = constraint.self});
  }
}

void SpreadFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  if (!call.ran_pre_filter())
    throw sdk::Failure("reading \"PreFilterPodTopologySpread\" from cycleState: not found");
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  for (const HardConstraint& constraint : call.state().all)
    refuse(call[constraint.has_label].data(), call[constraint.counts].data(),
           most(call, constraint), verdicts.data(), verdicts.size());
}

void SpreadFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  std::vector<uint8_t> verdicts(reasons.size());
  filter(call, verdicts);
  for (size_t i = 0; i < reasons.size(); ++i)
    reasons[i] = verdicts[i] == BERTH_UNSCHEDULABLE ? skewed_ : unlabelled_;
}

void SpreadFilter::numbers(const Call& call, sdk::Numbers& numbers) const {
  for (const HardConstraint& constraint : call.state().all) {
    numbers.item(strings_.text(constraint.key)).term("selector", constraint.term);
    if (call[constraint.has_label][0] == 0) {
      numbers.text("label", "absent");
      continue;
    }
    const int64_t count = call[constraint.counts][0];
    const int64_t minimum = minimum_of(call, constraint);
    numbers.number("count", count)
        .number("minimum", minimum)
        .number("skew", count + constraint.self - minimum)
        .number("maxSkew", constraint.max_skew)
        .number("domains", call[constraint.domains][0]);
    if (constraint.min_domains > 1) numbers.number("minDomains", constraint.min_domains);
    if (count > most(call, constraint)) numbers.pods("counted", constraint.counts);
  }
}

}  // namespace berth::plugins
