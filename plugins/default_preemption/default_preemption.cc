#include "plugins/default_preemption/default_preemption.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "berth/sdk/field_errors.hpp"
#include "plugins/default_preemption/potential.h"

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

// The potential nodes, round about from one of them on.
class Tour {
 public:
  // `first`: number of the first one among them.
  Tour(std::span<const uint8_t> codes, size_t first) : codes_(codes), left_(codes.size()) {
    for (size_t node = 0;; ++node) {
      if (codes[node] != BERTH_UNSCHEDULABLE) continue;
      at_ = node;
      if (first-- == 0) return;
    }
  }

  std::optional<size_t> next() {
    while (left_ != 0) {
      const size_t node = at_;
      at_ = at_ + 1 == codes_.size() ? 0 : at_ + 1;
      --left_;
      if (codes_[node] == BERTH_UNSCHEDULABLE) return node;
    }
    return std::nullopt;
  }

 private:
  std::span<const uint8_t> codes_;
  size_t at_ = 0, left_;
};

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
    nomination.clears = 1;
    return answer(call, BERTH_UNSCHEDULABLE, explain(call, found), nomination);
  }
  std::vector<Candidate> changed;
  if (!ask_extenders(call, found.candidates, changed, nomination)) return;
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

// Tries no more nodes at once than have to be tried one after the other, so that threads do not try
// nodes in vain; and takes the results in the order of the nodes.
Preemption::Search Preemption::search(const Call& call, std::span<const uint8_t> codes,
                                      uint64_t draw) const {
  Search search;
  const auto lowest = call[lowest_priority_];
  const int64_t priority = call.one(priority_);
  const PotentialNodes potential = potential_nodes(codes, lowest, priority);
  if (!potential.can_help()) {
    search.without_victims = potential.count;
    return search;
  }
  runs_.begin(what_ifs_.kept(), call.generation(allowed_), codes.size());
  const auto rows = call[row_];
  Tour tour(codes, draw % potential.count);
  CandidateList found(args_.candidates(potential.count));
  while (!found.enough()) {
    batch_.clear();
    stale_.clear();
    const size_t missing = found.missing();
    while (batch_.size() < missing) {
      const std::optional<size_t> node = tour.next();
      if (!node) break;
      // A node without a pod of lower priority needs no dry run.
      if (lowest[*node] >= priority) {
        ++search.without_victims;
        continue;
      }
      batch_.push_back(*node);
      if (!runs_.holds(rows[*node])) stale_.push_back(*node);
    }
    if (batch_.empty()) break;
    try_nodes(call, stale_);
    for (const size_t node : batch_) take(call, node, found, search);
  }
  search.candidates = found.take();
  return search;
}

void Preemption::try_nodes(const Call& call, std::span<const size_t> nodes) const {
  const auto rows = call[row_];
  const auto allowed = call[allowed_];
  const int64_t priority = call.one(priority_);
  parallel_.for_each(nodes.size(), [&](size_t i) {
    const uint32_t at = rows[nodes[i]];
    sdk::WhatIf row = what_ifs_.begin(at);
    dry_run(row, placed_, priority, allowed, runs_.run(at));
  });
  for (const size_t node : nodes) {
    KeptRuns::Run& run = runs_.run(rows[node]);
    if (run.result == DryRun::Result::kRefused)
      run.list = runs_.reasons().number_of(std::move(run.reasons));
    // What failed is tried again.
    run.result == DryRun::Result::kFailed ? runs_.forget(rows[node]) : runs_.keep(rows[node]);
  }
}

void Preemption::take(const Call& call, size_t node, CandidateList& found, Search& search) const {
  KeptRuns::Run& run = runs_.run(call[row_][node]);
  switch (run.result) {
    case DryRun::Result::kRefused:
      if (run.list >= search.refused.size()) search.refused.resize(run.list + size_t{1});
      ++search.refused[run.list];
      return;
    case DryRun::Result::kFailed:
      for (const std::string& error : run.reasons) search.errors.push_back(error);
      return;
    case DryRun::Result::kCandidate:
      break;
  }
  if (run.candidate.victims.empty()) {
    search.errors.push_back(sdk::concat("expected at least one victim pod on node ",
                                        sdk::quoted(strings_.text(call[name_][node]))));
    return;
  }
  run.candidate.node = node;
  found.add(run.candidate);
}

std::string Preemption::explain(const Call& call, const Search& search) const {
  std::map<std::string, size_t> reasons;
  size_t explained = search.without_victims;
  if (search.without_victims != 0) reasons[std::string(kNoVictims)] = search.without_victims;
  for (uint32_t list = 0; list < search.refused.size(); ++list) {
    explained += search.refused[list];
    if (search.refused[list] == 0) continue;
    for (const std::string& reason : runs_.reasons()[list]) reasons[reason] += search.refused[list];
  }
  if (explained < call.size()) reasons[std::string(kNotHelpful)] += call.size() - explained;
  return fit_error(call.size(), reasons);
}

// Extenders answer in no order: of candidates that do equal harm the first node counts.
bool Preemption::ask_extenders(const Call& call, std::vector<const Candidate*>& candidates,
                               std::vector<Candidate>& changed,
                               berth_nomination& nomination) const {
  if (!extenders_.present()) return true;
  const auto rows = call[row_];
  std::vector<std::vector<uint64_t>> handles(candidates.size());
  std::vector<berth_preempt_choice> asked;
  for (size_t i = 0; i < candidates.size(); ++i) {
    for (const PlacedPod& pod : candidates[i]->victims) handles[i].push_back(pod.handle);
    asked.push_back({sizeof asked.front(), rows[candidates[i]->node], handles[i].data(),
                     handles[i].size(), candidates[i]->harm.violations});
  }
  const auto take = [&](const berth_preempt_choice& one) {
    const auto at =
        static_cast<size_t>(std::find(rows.begin(), rows.end(), one.row) - rows.begin());
    if (at == rows.size()) throw sdk::Failure("an extender named a node that does not exist");
    const sdk::WhatIf row = what_ifs_.begin(one.row);
    Candidate& left = changed.emplace_back();
    left.node = at;
    left.victims = placed_.named(row.pods(), {one.victims, one.victim_count});
    left.weigh(one.violations);
  };
  try {
    if (!extenders_.choose(asked, take)) return true;
  } catch (const sdk::Failure& failure) {
    answer(call, BERTH_ERROR, failure.what(), nomination);
    return false;
  }
  if (changed.empty()) {
    answer(call, BERTH_UNSCHEDULABLE, "no candidate node for preemption", nomination);
    return false;
  }
  std::sort(changed.begin(), changed.end(),
            [](const Candidate& a, const Candidate& b) { return a.node < b.node; });
  candidates.clear();
  for (const Candidate& candidate : changed) candidates.push_back(&candidate);
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
