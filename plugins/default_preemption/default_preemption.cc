#include "plugins/default_preemption/default_preemption.h"

#include <algorithm>
#include <set>

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {
namespace {

constexpr std::string_view kNoVictims = "No preemption victims found for incoming pod";
constexpr std::string_view kNotHelpful = "Preemption is not helpful for scheduling";

// "0/5 nodes are available: 2 REASON, 3 OTHER REASON." Source: kube-scheduler framework FitError.
std::string fit_error(size_t nodes, const std::map<std::string, size_t>& reasons) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : reasons) parts.push_back(sdk::concat(count, " ", reason));
  std::sort(parts.begin(), parts.end());
  std::string text = sdk::concat("0/", nodes, " nodes are available:");
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " " : ", ") + parts[i];
  return parts.empty() ? text : text + ".";
}

// Errors as Kubernetes joins them: each once.
std::string joined(const std::vector<std::string>& errors) {
  std::set<std::string> said;
  std::string text;
  for (const std::string& error : errors)
    if (said.insert(error).second) text += (text.empty() ? "" : ", ") + error;
  return said.size() == 1 ? text : sdk::concat('[', text, ']');
}

void answer(const Preemption::Call& call, berth_code code, std::string_view text,
            berth_nomination& nomination) {
  nomination.code = code;
  call.error().write(sdk::concat("preemption: ", text));
}

}  // namespace

void Preemption::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  what_ifs_ = sdk::WhatIfs(host);
  parallel_ = sdk::Parallel(host);
  extenders_ = sdk::PreemptExtenders(host);
  never_ = strings_.intern("Never");
}

void Preemption::post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                             berth_nomination& nomination) const {
  if (const std::string_view why = not_eligible(call, codes); !why.empty())
    return answer(call, BERTH_UNSCHEDULABLE, why, nomination);
  Search found = search(call, codes, draw);
  if (found.candidates.empty() && !found.errors.empty())
    return answer(call, BERTH_ERROR, joined(found.errors), nomination);
  if (found.candidates.empty()) {
    if (found.explained < call.size())
      found.reasons[std::string(kNotHelpful)] += call.size() - found.explained;
    nomination.clears = 1;
    return answer(call, BERTH_UNSCHEDULABLE, fit_error(call.size(), found.reasons), nomination);
  }
  if (!ask_extenders(call, found.candidates, nomination)) return;
  nominate(call, best_candidate(found.candidates), nomination);
}

std::string_view Preemption::not_eligible(const Call& call, std::span<const uint8_t> codes) const {
  if (call.one(policy_) == never_) return "not eligible due to preemptionPolicy=Never.";
  const uint32_t nominated = call.one(nominated_node_);
  if (nominated == 0) return {};
  const auto names = call[name_];
  const auto at =
      static_cast<size_t>(std::find(names.begin(), names.end(), nominated) - names.begin());
  // A node that no eviction makes fit is no reason to wait.
  if (at == names.size() || codes[at] == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE) return {};
  const sdk::WhatIf row = what_ifs_.begin(call[row_][at]);
  if (!placed_.any_preempted(row.pods(), call.one(priority_))) return {};
  return "not eligible due to a terminating pod on the nominated node.";
}

Preemption::Search Preemption::search(const Call& call, std::span<const uint8_t> codes,
                                      uint64_t draw) const {
  std::vector<size_t> potential;
  potential.reserve(codes.size());
  for (size_t i = 0; i < codes.size(); ++i)
    if (codes[i] == BERTH_UNSCHEDULABLE) potential.push_back(i);
  Search search;
  if (potential.empty()) return search;
  const size_t wanted = args_.candidates(potential.size());
  const auto offset = static_cast<ptrdiff_t>(draw % potential.size());
  std::rotate(potential.begin(), potential.begin() + offset, potential.end());
  // A node without a pod of lower priority needs no dry run.
  const auto lowest = call[lowest_priority_];
  const int64_t priority = call.one(priority_);
  search.explained = std::erase_if(potential, [&](size_t i) { return lowest[i] >= priority; });
  if (search.explained != 0) search.reasons[std::string(kNoVictims)] = search.explained;
  try_nodes(call, potential, wanted, search);
  return search;
}

// Tries no more nodes at once than have to be tried one after the other, so that threads do not try
// nodes in vain; and takes the results in the order of the nodes.
void Preemption::try_nodes(const Call& call, const std::vector<size_t>& nodes, size_t wanted,
                           Search& search) const {
  const auto rows = call[row_];
  const auto allowed = call[allowed_];
  const int64_t priority = call.one(priority_);
  CandidateList found(wanted);
  std::vector<DryRun> runs;
  for (size_t next = 0; next < nodes.size() && !found.enough();) {
    runs.assign(std::min(found.missing(), nodes.size() - next), {});
    parallel_.for_each(runs.size(), [&](size_t i) {
      const size_t node = nodes[next + i];
      sdk::WhatIf row = what_ifs_.begin(rows[node]);
      runs[i] = dry_run(row, placed_, node, priority, allowed);
    });
    for (DryRun& run : runs) take(call, run, nodes[next++], found, search);
  }
  search.candidates = found.take();
}

void Preemption::take(const Call& call, DryRun& run, size_t node, CandidateList& found,
                      Search& search) const {
  if (run.candidate && !run.candidate->victims.empty()) {
    found.add(std::move(*run.candidate));
    return;
  }
  if (run.candidate) {
    run.failed = true;
    run.reasons = {sdk::concat("expected at least one victim pod on node ",
                               sdk::quoted(strings_.text(call[name_][node])))};
  }
  if (run.failed) {
    for (std::string& error : run.reasons) search.errors.push_back(std::move(error));
    return;
  }
  ++search.explained;
  for (std::string& reason : run.reasons) ++search.reasons[std::move(reason)];
}

// Extenders answer in no order: of candidates that do equal harm the first node counts.
bool Preemption::ask_extenders(const Call& call, std::vector<Candidate>& candidates,
                               berth_nomination& nomination) const {
  const auto rows = call[row_];
  std::vector<std::vector<uint64_t>> handles(candidates.size());
  std::vector<berth_preempt_candidate> asked;
  for (size_t i = 0; i < candidates.size(); ++i) {
    for (const PlacedPod& pod : candidates[i].victims) handles[i].push_back(pod.handle);
    asked.push_back({rows[candidates[i].node], 0, handles[i].data(), handles[i].size(),
                     candidates[i].violations});
  }
  std::vector<Candidate> left;
  const auto take = [&](const berth_preempt_candidate& one) {
    const auto at =
        static_cast<size_t>(std::find(rows.begin(), rows.end(), one.row) - rows.begin());
    if (at == rows.size()) throw sdk::Failure("an extender named a node that does not exist");
    const sdk::WhatIf row = what_ifs_.begin(one.row);
    left.push_back(
        {at, placed_.named(row.pods(), {one.victims, one.victim_count}), one.violations});
  };
  try {
    if (!extenders_.ask(asked, take)) return true;
  } catch (const sdk::Failure& failure) {
    answer(call, BERTH_ERROR, failure.what(), nomination);
    return false;
  }
  if (left.empty()) {
    answer(call, BERTH_UNSCHEDULABLE, "no candidate node for preemption", nomination);
    return false;
  }
  std::sort(left.begin(), left.end(),
            [](const Candidate& a, const Candidate& b) { return a.node < b.node; });
  candidates = std::move(left);
  return true;
}

void Preemption::nominate(const Call& call, const Candidate& candidate,
                          berth_nomination& nomination) const {
  victims_.clear();
  for (const PlacedPod& pod : candidate.victims) victims_.push_back(pod.handle);
  nomination.code = BERTH_SUCCESS;
  nomination.node = call[name_][candidate.node];
  nomination.victims = victims_.data();
  nomination.victim_count = victims_.size();
}

}  // namespace berth::plugins
