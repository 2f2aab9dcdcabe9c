#include "engine/explain/change/node_change.h"

#include <algorithm>
#include <set>

#include "engine/base/saturate.h"
#include "engine/framework/evaluation/nominated.h"

namespace berth::explain {
namespace {

constexpr uint32_t kSteps = 62;          // a number is changed by 2^0 .. 2^61
constexpr size_t kMostLabelValues = 64;  // of one label, that are tried

// `from` changed by `difference` in the candidate's direction, as far as there is room.
int64_t moved(int64_t from, int64_t difference, bool up) {
  return up ? saturating_sum(from, difference) : std::max<int64_t>(0, from - difference);
}

template <typename Item>
std::vector<Item> without(const std::vector<Item>& all, const std::vector<bool>& removed) {
  std::vector<Item> kept;
  for (size_t i = 0; i < all.size(); ++i)
    if (!removed[i]) kept.push_back(all[i]);
  return kept;
}

}  // namespace

std::optional<std::vector<NodeChange>> NodeChangeFinder::smallest_change(
    const framework::DecisionContext& cycle, model::Row row) {
  cycle.refresh_filters();
  cycle_ = &cycle;
  row_ = row;
  pods_.clear();
  removed_.clear();
  auto found = search();
  if (!away_.empty() || !labels_.added().empty()) {
    labels_.put_back();
    away_.put_all_back();
    cycle.refresh_filters();
  }
  return found;
}

std::optional<std::vector<NodeChange>> NodeChangeFinder::search() {
  // Each round removes a pod at least, or adds the labels.
  begin_rows();
  while (const std::optional<size_t> unsolved = solve_all())
    if (!find_labels(*unsolved) && !find_removals(*unsolved) && !find_removals_elsewhere(*unsolved))
      return std::nullopt;
  // A later filter's change may be one that an earlier filter does not like.
  for (const auto& changed : rows_)
    if (filters_.pass(*cycle_, row_, changed.get()).refuser != framework::kFeasible)
      return std::nullopt;
  if (!away_.empty() || std::find(removed_.begin(), removed_.end(), true) != removed_.end())
    changes_.push_back(removal());
  for (const auto& [key, value] : labels_.added()) {
    NodeChange& change = changes_.emplace_back();
    change.column = cluster_.find_column("node.label:" + std::string(cluster_.text(key)));
    change.to = value;
  }
  return changes_;
}

// The row without the removed pods and without other changes, and the same with nominated pods.
void NodeChangeFinder::begin_rows() {
  changes_.clear();
  rows_.clear();
  const auto begin = [&]() -> framework::ChangedRow& {
    rows_.push_back(std::make_unique<framework::ChangedRow>(cluster_, calls_));
    rows_.back()->begin(*cycle_, row_);
    for (size_t i = 0; i < removed_.size(); ++i)
      if (removed_[i]) rows_.back()->remove_pod(pods_[i]);
    return *rows_.back();
  };
  begin();
  if (any_nominated(cluster_, row_, *cycle_)) begin().add_nominated();
}

std::optional<size_t> NodeChangeFinder::solve_all() {
  const auto& filters = cycle_->profile->filter;
  for (size_t i = 0; i < filters.size(); ++i)
    if (cycle_->calls(filters[i]) && !passes(i) && !solve(i)) return i;
  return std::nullopt;
}

bool NodeChangeFinder::passes(size_t filter) {
  std::string error;
  return std::all_of(rows_.begin(), rows_.end(), [&](const auto& changed) {
    return filters_.verdict(*cycle_, filter, row_, changed.get(), error) == BERTH_SUCCESS;
  });
}

bool NodeChangeFinder::solve(size_t filter) {
  find_candidates(filter);
  uint32_t step = 0;
  if (!find_generous(filter, step) && !try_labels(filter, step) && !try_counts(filter, step))
    return false;
  for (Candidate& candidate : candidates_) minimise(filter, step, candidate);
  for (Candidate& candidate : candidates_) {
    NodeChange& change = candidate.change;
    bool none = change.from == change.to && change.taints.empty() && change.ports.empty();
    if (none) continue;
    if (candidate.kind == Candidate::Kind::kMore) look_at_freeing(filter, candidate);
    auto known = std::find_if(changes_.begin(), changes_.end(), [&](const NodeChange& earlier) {
      return earlier.column == change.column;
    });
    if (known == changes_.end()) {
      changes_.push_back(change);
      continue;
    }
    known->to = change.to;
    known->or_freed = known->or_freed && change.or_freed;
    known->taints.insert(known->taints.end(), change.taints.begin(), change.taints.end());
    known->ports.insert(known->ports.end(), change.ports.begin(), change.ports.end());
  }
  return true;
}

void NodeChangeFinder::find_candidates(size_t filter) {
  candidates_.clear();
  auto& hook = cycle_->profile->filter[filter];
  if (hook.bound.over_dictionary()) add_candidate(hook.bound.space());
  const std::vector<model::ColumnId> inputs = cycle_->filter_states()[filter]->inputs;
  for (model::ColumnId column : inputs)
    if (column != 0) add_candidate(column);
  // Less use is a candidate only if no allocatable amount can grow instead.
  auto can_grow = [&](const Candidate& used) {
    const model::ColumnInfo& info = cluster_.catalog().info(used.change.column);
    std::string resource = info.attribute == model::Attribute::kNodePods
                               ? "pods"
                               : std::string(cluster_.text(info.key));
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
      return other.kind == Candidate::Kind::kMore &&
             cluster_.text(cluster_.catalog().info(other.change.column).key) == resource;
    });
  };
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates_)
    if (candidate.kind != Candidate::Kind::kLess || !can_grow(candidate)) kept.push_back(candidate);
  candidates_ = std::move(kept);
}

int64_t NodeChangeFinder::number_at(model::ColumnId column, model::Row row) {
  for (const NodeChange& change : changes_)
    if (change.column == column && row == row_) return change.to;
  berth_column values = cluster_.view(column);
  if (values.type == BERTH_U8) return static_cast<const uint8_t*>(values.data)[row];
  if (values.type == BERTH_U32) return static_cast<const uint32_t*>(values.data)[row];
  return static_cast<const int64_t*>(values.data)[row];
}

void NodeChangeFinder::add_candidate(model::ColumnId column) {
  using Kind = Candidate::Kind;
  Candidate candidate;
  switch (cluster_.catalog().info(column).attribute) {
    case model::Attribute::kNodeAllocatable:
      candidate.kind = Kind::kMore;
      break;
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested:
    case model::Attribute::kNodePods:
      candidate.kind = Kind::kLess;
      break;
    case model::Attribute::kNodeUnschedulable:
    case model::Attribute::kNodeMatches:
      candidate.kind = Kind::kFlag;
      break;
    case model::Attribute::kNodeTaints:
      candidate.kind = Kind::kTaints;
      break;
    case model::Attribute::kNodePorts:
      candidate.kind = Kind::kPorts;
      break;
    case model::Attribute::kNodeLabel:
      candidate.kind = Kind::kLabel;
      break;
    case model::Attribute::kNodeCount:
      candidate.kind = Kind::kCount;
      break;
    default:
      return;
  }
  candidate.change.column = column;
  if (candidate.kind != Kind::kPorts)
    candidate.change.from = candidate.change.to = number_at(column, row_);
  if (candidate.kind == Kind::kLess && candidate.change.from < 0) return;
  for (const Candidate& known : candidates_)
    if (known.change.column == column) return;
  candidates_.push_back(std::move(candidate));
}

// The least power of two by which all numbers change at once, with everything else as good as it
// can be.
bool NodeChangeFinder::find_generous(size_t filter, uint32_t& step) {
  bool numbers = std::any_of(candidates_.begin(), candidates_.end(), [](const Candidate& one) {
    return one.kind == Candidate::Kind::kMore || one.kind == Candidate::Kind::kLess;
  });
  for (step = 0; step < (numbers ? kSteps : 1); ++step) {
    for (const Candidate& candidate : candidates_) be_generous(candidate, step);
    if (passes(filter)) return true;
  }
  return false;
}

void NodeChangeFinder::be_generous(const Candidate& candidate, uint32_t step) {
  const NodeChange& change = candidate.change;
  switch (candidate.kind) {
    case Candidate::Kind::kMore:
    case Candidate::Kind::kLess:
      return set(change.column,
                 moved(change.from, int64_t{1} << step, candidate.kind == Candidate::Kind::kMore));
    case Candidate::Kind::kFlag: {
      bool bad =
          cluster_.catalog().info(change.column).attribute == model::Attribute::kNodeUnschedulable;
      return set(change.column, bad ? 0 : 1);
    }
    case Candidate::Kind::kTaints:
      return set_taints(change.column, {});
    case Candidate::Kind::kPorts:
      return set_ports(change.column, {});
    case Candidate::Kind::kLabel:
    case Candidate::Kind::kCount:
      return;
  }
}

// One label with a value that it has on another node, or without it.
bool NodeChangeFinder::try_labels(size_t filter, uint32_t& step) {
  for (Candidate& candidate : candidates_) {
    if (candidate.kind != Candidate::Kind::kLabel) continue;
    NodeChange& change = candidate.change;
    std::set<std::pair<std::string_view, int64_t>> values;
    for (model::Row row = 0; row < cluster_.nodes().rows(); ++row) {
      int64_t value = number_at(change.column, row);
      if (values.size() == kMostLabelValues) break;
      if (value != 0) values.insert({cluster_.text(static_cast<model::StringId>(value)), value});
    }
    std::vector<int64_t> tried;
    for (const auto& [text, value] : values) tried.push_back(value);
    tried.push_back(0);
    for (int64_t value : tried) {
      set(change.column, change.to = value);
      if (value != change.from && find_generous(filter, step)) return true;
    }
    set(change.column, change.to = change.from);
  }
  return false;
}

// A matching pod in domains that have none.
bool NodeChangeFinder::try_counts(size_t filter, uint32_t& step) {
  std::vector<NodeChange*> empty;
  for (Candidate& candidate : candidates_)
    if (candidate.kind == Candidate::Kind::kCount && candidate.change.from == 0)
      empty.push_back(&candidate.change);
  const auto put = [&](NodeChange& change, int64_t count) {
    set(change.column, change.to = count);
  };
  for (NodeChange* change : empty) put(*change, 1);
  if (empty.empty() || !find_generous(filter, step)) {
    for (NodeChange* change : empty) put(*change, 0);
    return false;
  }
  for (NodeChange* change : empty) {
    put(*change, 0);
    if (!passes(filter)) put(*change, 1);
  }
  return true;
}

// Precondition: the filter passes, with this candidate as generous as at `step`. The same holds
// after it, with the least that is needed of it.
void NodeChangeFinder::minimise(size_t filter, uint32_t step, Candidate& candidate) {
  NodeChange& change = candidate.change;
  switch (candidate.kind) {
    case Candidate::Kind::kMore:
    case Candidate::Kind::kLess:
      return minimise_number(filter, step, candidate);
    case Candidate::Kind::kFlag:
      set(change.column, change.from);
      if (passes(filter)) return;
      be_generous(candidate, step);
      change.to = 1 - change.from;
      return;
    case Candidate::Kind::kTaints: {
      auto put = [&](const auto& kept) { set_taints(change.column, kept); };
      std::vector<model::Taint> all =
          cluster_.taint_sets().taints(static_cast<uint32_t>(change.from));
      change.taints = fewest(filter, all, put);
      std::erase_if(all, [&](const model::Taint& taint) {
        return std::find(change.taints.begin(), change.taints.end(), taint) != change.taints.end();
      });
      change.to = cluster_.taint_sets().code(all);
      return;
    }
    case Candidate::Kind::kPorts: {
      berth_column ports = cluster_.view(change.column);
      const auto* first = static_cast<const uint64_t*>(ports.data) + ports.starts[row_];
      std::vector<uint64_t> all(first, first + ports.sizes[row_]);
      for (const NodeChange& earlier : changes_)
        if (earlier.column == change.column)
          std::erase_if(all, [&](uint64_t port) {
            return std::find(earlier.ports.begin(), earlier.ports.end(), port) !=
                   earlier.ports.end();
          });
      change.ports = fewest(filter, all, [&](const auto& kept) { set_ports(change.column, kept); });
      return;
    }
    case Candidate::Kind::kLabel:
    case Candidate::Kind::kCount:
      return;
  }
}

void NodeChangeFinder::minimise_number(size_t filter, uint32_t step, Candidate& candidate) {
  NodeChange& change = candidate.change;
  bool up = candidate.kind == Candidate::Kind::kMore;
  auto passes_with = [&](int64_t difference) {
    set(change.column, moved(change.from, difference, up));
    return passes(filter);
  };
  int64_t enough = int64_t{1} << step;
  if (passes_with(0)) return;
  int64_t too_little = 0;
  while (enough - too_little > 1) {
    int64_t middle = too_little + (enough - too_little) / 2;
    (passes_with(middle) ? enough : too_little) = middle;
  }
  change.to = moved(change.from, enough, up);
  set(change.column, change.to);
}

// The items that must go so that the filter passes: one if that does, else as many as do not go
// back. Leaves the row with the others; precondition: the filter passes without any.
template <typename Item, typename Put>
std::vector<Item> NodeChangeFinder::fewest(size_t filter, const std::vector<Item>& all, Put&& put) {
  auto passes_without = [&](const std::vector<bool>& removed) {
    put(without(all, removed));
    return passes(filter);
  };
  std::vector<bool> none(all.size(), false);
  if (passes_without(none)) return {};
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<bool> one = none;
    one[i] = true;
    if (passes_without(one)) return {all[i]};
  }
  std::vector<bool> removed(all.size(), true);
  for (size_t i = 0; i < all.size(); ++i) {
    removed[i] = false;
    if (!passes_without(removed)) removed[i] = true;
  }
  put(without(all, removed));
  removed.flip();
  return without(all, removed);
}

void NodeChangeFinder::look_at_freeing(size_t filter, Candidate& candidate) {
  NodeChange& change = candidate.change;
  const model::StringId resource = cluster_.catalog().info(change.column).key;
  bool pods = cluster_.text(resource) == "pods";
  const std::vector<model::ColumnId> inputs = cycle_->filter_states()[filter]->inputs;
  for (model::ColumnId column : inputs) {
    if (column == 0) continue;
    const model::ColumnInfo& info = cluster_.catalog().info(column);
    bool used = pods ? info.attribute == model::Attribute::kNodePods
                     : info.attribute == model::Attribute::kNodeRequested && info.key == resource;
    if (!used) continue;
    int64_t now = number_at(column, row_);
    int64_t left = now - (change.to - change.from);
    if (left < 0) return;
    set(change.column, change.from);
    set(column, left);
    change.or_freed = passes(filter);
    set(column, now);
    set(change.column, change.to);
    return;
  }
}

void NodeChangeFinder::set(model::ColumnId column, int64_t value) {
  for (const auto& changed : rows_) changed->overlay().set(column, value);
}

void NodeChangeFinder::set_taints(model::ColumnId column, const std::vector<model::Taint>& taints) {
  set(column, static_cast<int64_t>(cluster_.taint_sets().code(taints)));
}

void NodeChangeFinder::set_ports(model::ColumnId column, const std::vector<uint64_t>& ports) {
  for (const auto& changed : rows_) changed->overlay().set(column, ports);
}

}  // namespace berth::explain
