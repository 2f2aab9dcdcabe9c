#include "engine/framework/decision/decide.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/draw.h"

namespace berth::framework {
namespace {

constexpr uint32_t kFewestNodes = 100;
constexpr int32_t kLowestPercentage = 5;

std::string joined(const std::vector<std::string>& names) {
  std::string text = "[";
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : " ") + names[i];
  return text + "]";
}

std::string joined_reasons(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : ", ") + reason;
  return text;
}

}  // namespace

uint32_t nodes_to_find(int32_t percentage, uint32_t nodes) {
  if (nodes < kFewestNodes) return nodes;
  if (percentage == 0)
    percentage = std::max(kLowestPercentage, 50 - static_cast<int32_t>(nodes / 125));
  auto found = static_cast<uint32_t>(uint64_t{nodes} * static_cast<uint32_t>(percentage) / 100);
  return std::max(found, kFewestNodes);
}

Decider::Decider(model::Cluster& cluster, Evaluator& evaluator, host::CallContext& worker,
                 DecideOptions options)
    : cluster_(cluster),
      evaluator_(evaluator),
      worker_(worker),
      options_(options),
      reasons_(cluster, worker),
      rows_(cluster, worker) {}

Decision Decider::decide(Profile& profile, const Request& request) {
  BERTH_ASSERT(profile.filter.size() <= kMostFilters);
  Decision decision;
  decision.next_start = request.start;
  narrowed_.reset();
  nominated_.reset();
  scores_.clear();
  window_.begin(cluster_.nodes().rows());
  cycle_.profile = &profile;
  cycle_.pod = request.pod;
  cycle_.priority = request.pod->priority;
  if (cluster_.nodes().rows() == 0) {
    decision.outcome = Outcome::kUnschedulable;
    decision.message = "no nodes available to schedule pods";
    return decision;
  }
  if (!pre_filter(decision) || try_nominated(decision)) return decision;
  search(request, decision);
  if (window_.error) {
    fail(decision, window_.error->text);
  } else if (window_.feasible == 0) {
    explain_refusals(decision);
  } else if (window_.feasible == 1) {
    decision.outcome = Outcome::kScheduled;
    window_.for_each_row([&](model::Row row) {
      if (window_.refuser[row] == kFeasible) decision.row = row;
    });
  } else if (pre_score(decision) && score(request, decision)) {
    pick(request, decision);
  }
  return decision;
}

void Decider::fail(Decision& decision, std::string message) {
  decision.outcome = Outcome::kError;
  decision.message = std::move(message);
}

void Decider::search(const Request& request, Decision& decision) {
  Search search;
  model::Row all = cluster_.nodes().rows();
  auto count = narrowed_ ? static_cast<uint32_t>(narrowed_->rows.size()) : all;
  if (narrowed_) search.only = &narrowed_->rows;
  search.wanted = wanted(count);
  search.start = count == 0 ? 0 : request.start % count;
  if (count != 0) evaluator_.filter(cycle_, search, window_);
  if (nominated_) {
    bool searched = false;
    window_.for_each_row([&](model::Row row) { searched |= row == nominated_->row; });
    nominated_->outside = !searched;
  }
  uint32_t statuses = window_.refused + (nominated_ && nominated_->outside ? 1 : 0);
  decision.feasible = window_.feasible;
  decision.evaluated = window_.feasible + statuses;
  decision.next_start = (request.start + decision.evaluated) % all;
}

uint32_t Decider::wanted(uint32_t nodes) const {
  if (options_.every_node) return nodes;
  if (cycle_.profile->score.empty()) return 1;
  int32_t percentage = cycle_.profile->percentage_of_nodes_to_score().value_or(
      options_.percentage_of_nodes_to_score);
  return nodes_to_find(options_.forced_percentage.value_or(percentage), nodes);
}

// A feasible nominated node is taken at once, and leaves the start index alone. An error there is
// found again, or not, by the search that follows.
bool Decider::try_nominated(Decision& decision) {
  if (cycle_.pod->nominated_node == 0) return false;
  model::Slot slot = cluster_.nodes().find(cycle_.pod->nominated_node);
  if (slot == model::NodeTable::kNoSlot) return false;
  model::Row row = cluster_.nodes().node(slot).row;
  if (row == model::kNoRow) return false;
  RowVerdict verdict = rows_.check(cycle_, row);
  if (verdict.refuser == kFeasible) {
    window_.listed = true;
    window_.list.push_back(row);
    window_.refuser[row] = kFeasible;
    window_.feasible = 1;
    decision.outcome = Outcome::kScheduled;
    decision.row = row;
    decision.evaluated = decision.feasible = 1;
    return true;
  }
  if (verdict.code != BERTH_ERROR) nominated_ = NominatedRefusal{row, std::move(verdict), false};
  return false;
}

bool Decider::pre_score(Decision& decision) {
  // Who scores nothing prepares nothing. Source: kube-scheduler schedule_one prioritizeNodes.
  if (cycle_.profile->score.empty()) return true;
  auto& hooks = cycle_.profile->pre_score;
  cycle_.pre_score_ran.assign(hooks.size(), false);
  cycle_.pre_score_skipped.assign(hooks.size(), false);
  cycle_.pre_score_versions.assign(hooks.size(), 0);
  for (size_t i = 0; i < hooks.size(); ++i) {
    auto& hook = hooks[i];
    TemplateHook& state = hook.bound.of(*cycle_.pod, worker_);
    uint64_t stamp = hook.bound.stamp(state);
    std::string error = state.error;
    if (!state.failed && state.pre_score.stamp != stamp) {
      host::PreScoreAnswer answer;
      hook.bound.gather_pods(&state, {&cycle_.pod, 1}, {}, columns_);
      berth_call call = BoundHook::call(columns_, 1, &state, cycle_.ran(hook));
      berth_feasible feasible = feasible_set();
      bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
      if (host::CallError failure =
              hook.point->call(worker_, call, follows ? &feasible : nullptr, answer)) {
        error = failure.text();
      } else {
        state.pre_score.stamp = follows ? 0 : stamp;
        state.pre_score.skip = answer.skip;
        if (answer.changed) state.pre_score.version = ++pre_score_changes_;
      }
    }
    if (!error.empty() || state.failed) {
      fail(decision, "running PreScore plugin \"" + hook.point->plugin() + "\": " + error);
      return false;
    }
    (state.pre_score.skip ? cycle_.pre_score_skipped : cycle_.pre_score_ran)[i] = true;
    cycle_.pre_score_versions[i] = state.pre_score.version;
  }
  return true;
}

berth_feasible Decider::feasible_set() {
  feasible_bits_.assign((cluster_.nodes().rows() + 63) / 64, 0);
  window_.for_each_row([&](model::Row row) {
    if (window_.refuser[row] == kFeasible) feasible_bits_[row / 64] |= uint64_t{1} << row % 64;
  });
  berth_feasible feasible{};
  feasible.size = sizeof feasible;
  feasible.rows = feasible_bits_.data();
  feasible.row_count = cluster_.nodes().rows();
  feasible.feasible = window_.feasible;
  feasible.generation = ++feasible_generation_;
  return feasible;
}

bool Decider::score(const Request&, Decision& decision) {
  std::string error = evaluator_.score(cycle_, window_, scores_);
  if (!error.empty()) {
    fail(decision, std::move(error));
    return false;
  }
  decision.scored = true;
  return true;
}

// The best total; among several the one that the draw names, counted in row order, or the first by
// name.
void Decider::pick(const Request& request, Decision& decision) {
  decision.outcome = Outcome::kScheduled;
  best_.find(window_);
  if (options_.tie_break == TieBreak::kName) {
    decision.row = best_.first_by(
        [&](model::Row a, model::Row b) { return cluster_.node_name(a) < cluster_.node_name(b); });
    return;
  }
  decision.draw = draw(options_.seed, request.pod->arrival, request.attempt, Purpose::kTieBreak);
  decision.row = best_.at(below(decision.draw, best_.count()));
}

void Decider::explain_refusals(Decision& decision) {
  decision.outcome = Outcome::kUnschedulable;
  decision.reasons = reasons_.count(cycle_, window_);
  model::Row rows = cluster_.nodes().rows();
  if (nominated_ && nominated_->outside) {
    for (std::string& reason :
         rows_.reasons(cycle_, nominated_->verdict.refuser - size_t{1}, nominated_->row))
      ++decision.reasons[std::move(reason)];
  }
  if (narrowed_ && decision.evaluated < rows)
    decision.reasons["node(s) didn't satisfy plugin(s) " + joined(narrowed_->plugins)] +=
        rows - decision.evaluated;
  decision.message = fit_error(rows, decision.reasons);
}

std::optional<Refusal> Decider::refusal(model::Row row) {
  bool searched = false;
  window_.for_each_row([&](model::Row seen) { searched |= seen == row; });
  RowVerdict verdict{window_.refuser[row], window_.code[row], {}};
  if (!searched && nominated_ && nominated_->row == row) {
    verdict = nominated_->verdict;
  } else if (!searched && narrowed_ &&
             !std::binary_search(narrowed_->rows.begin(), narrowed_->rows.end(), row)) {
    return Refusal{"PreFilter",
                   BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                   {"node(s) didn't satisfy plugin(s) " + joined(narrowed_->plugins)}};
  } else if (!searched) {
    verdict = rows_.check(cycle_, row);
  }
  if (verdict.refuser == kFeasible) return std::nullopt;
  size_t filter = verdict.refuser - size_t{1};
  std::vector<std::string> reasons = verdict.code == BERTH_ERROR
                                         ? std::vector<std::string>{verdict.error}
                                         : rows_.reasons(cycle_, filter, row);
  return Refusal{cycle_.profile->filter[filter].point->plugin(), verdict.code, std::move(reasons)};
}

// PreFilter, in order. False: the decision is made.
bool Decider::pre_filter(Decision& decision) {
  auto& hooks = cycle_.profile->pre_filter;
  cycle_.pre_filter_ran.assign(hooks.size(), false);
  cycle_.pre_filter_skipped.assign(hooks.size(), false);
  std::optional<PreFilterRefusal> last;  // an Unschedulable goes on; the last one counts
  for (size_t i = 0; i < hooks.size(); ++i) {
    auto& hook = hooks[i];
    TemplateHook& state = hook.bound.of(*cycle_.pod, worker_);
    PreFilterCache& answer = state.pre_filter;
    std::string error = state.error;
    if (!state.failed) error = ask_pre_filter(hook, state, answer);
    if (!error.empty() || state.failed) {
      fail(decision, "running PreFilter plugin \"" + hook.point->plugin() + "\": " + error);
      return false;
    }
    if (answer.code == BERTH_SKIP) {
      cycle_.pre_filter_skipped[i] = true;
      continue;
    }
    cycle_.pre_filter_ran[i] = answer.code == BERTH_SUCCESS;
    if (answer.code != BERTH_SUCCESS) {
      last = describe_pre_filter(hook, state, answer);
      if (answer.code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE) break;
      continue;
    }
    if (answer.narrows && !narrow(hook.point->plugin(), answer.node_names)) {
      last = PreFilterRefusal{{}, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {empty_set_reason()}};
      break;
    }
  }
  if (!last) return true;
  decision.outcome = Outcome::kUnschedulable;
  decision.message = fit_error(cluster_.nodes().rows(), joined_reasons(last->reasons));
  decision.pre_filter = std::move(last);
  return false;
}

std::string Decider::ask_pre_filter(HookAt<host::PreFilter>& hook, TemplateHook& state,
                                    PreFilterCache& answer) {
  uint64_t stamp = hook.bound.stamp(state);
  if (answer.stamp == stamp) return {};
  host::PreFilterAnswer fresh;
  hook.bound.gather_pods(&state, {&cycle_.pod, 1}, {}, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, 0);
  if (host::CallError failure = hook.point->call(worker_, call, fresh)) return failure.text();
  answer.stamp = stamp;
  answer.code = fresh.code;
  answer.reason = fresh.reason;
  answer.narrows = fresh.narrows;
  answer.node_names.assign(fresh.node_names.begin(), fresh.node_names.end());
  return {};
}

PreFilterRefusal Decider::describe_pre_filter(HookAt<host::PreFilter>& hook, TemplateHook& state,
                                              const PreFilterCache& answer) {
  PreFilterRefusal refusal{hook.point->plugin(), static_cast<uint8_t>(answer.code), {}};
  hook.bound.gather_pods(&state, {&cycle_.pod, 1}, {}, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, 0);
  if (host::CallError failure = hook.point->describe(worker_, call, answer.reason, refusal.reasons))
    refusal.reasons.assign(1, failure.text());
  return refusal;
}

// False if the named nodes and those named before have nothing in common. Names of nodes that do
// not exist count as names: they make the search come up empty, not the set.
bool Decider::narrow(const std::string& plugin, const std::vector<model::StringId>& names) {
  bool first = !narrowed_;
  if (first) narrowed_.emplace();
  auto at = std::lower_bound(narrowed_->plugins.begin(), narrowed_->plugins.end(), plugin);
  narrowed_->plugins.insert(at, plugin);
  std::vector<model::StringId> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (first) {
    narrowed_->names = std::move(sorted);
  } else {
    std::erase_if(narrowed_->names, [&](model::StringId name) {
      return !std::binary_search(sorted.begin(), sorted.end(), name);
    });
  }
  narrowed_->rows.clear();
  for (model::StringId name : narrowed_->names) {
    model::Slot slot = cluster_.nodes().find(name);
    if (slot == model::NodeTable::kNoSlot) continue;
    model::Row row = cluster_.nodes().node(slot).row;
    if (row != model::kNoRow) narrowed_->rows.push_back(row);
  }
  std::sort(narrowed_->rows.begin(), narrowed_->rows.end());
  return !narrowed_->names.empty();
}

std::string Decider::empty_set_reason() const {
  const auto& plugins = narrowed_->plugins;
  if (plugins.size() == 1) return "node(s) didn't satisfy plugin " + plugins[0];
  return "node(s) didn't satisfy plugin(s) " + joined(plugins) + " simultaneously";
}

}  // namespace berth::framework
