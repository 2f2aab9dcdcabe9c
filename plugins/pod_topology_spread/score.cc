#include "plugins/pod_topology_spread/score.h"

#include <algorithm>
#include <array>

#include "berth/sdk/points/feasible.hpp"
#include "plugins/pod_topology_spread/kernel.h"

namespace berth::plugins {
namespace {

// True if nodes that lack a key are not scored. Only the system defaults score them.
bool needs_all_keys(const PodConstraints& found, const SpreadArgs& args) {
  return found.own || !args.system_defaults;
}

PodConstraints soft_constraints(const ConstraintReader& reader, const sdk::Template& pod) {
  PodConstraints found = reader.read(pod, false);
  if (!found.problem.empty())
    throw sdk::Failure(sdk::concat("calculating preScoreState: obtaining pod's soft topology ",
                                   "spread constraints: ", found.problem));
  return found;
}

}  // namespace

std::shared_ptr<SpreadWeights> WeightsByTemplate::of(const PodConstraints& constraints) {
  std::vector<int64_t> key = {constraints.own};
  for (const Constraint& one : constraints.all)
    key.insert(key.end(), {one.key, one.max_skew, one.min_domains, one.term, one.self,
                           one.selects_all, one.honours_affinity, one.honours_taints});
  if (all_.size() >= clean_at_) {
    std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
    clean_at_ = std::max(kFewest, 2 * all_.size());
  }
  std::weak_ptr<SpreadWeights>& known = all_[std::move(key)];
  std::shared_ptr<SpreadWeights> weights = known.lock();
  if (weights == nullptr) known = weights = std::make_shared<SpreadWeights>();
  weights->of.resize(constraints.all.size());
  return weights;
}

void SpreadPreScore::init(sdk::Host host) {
  reader_.init(host);
  empty_ = sdk::Strings(host).intern("");
}

void SpreadPreScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             SoftDomains& state) {
  const PodConstraints found = soft_constraints(reader_, pod);
  if (found.all.empty()) return prepared.passes();
  state.weights = weights_.of(found);
  state.needs_all_keys = needs_all_keys(found, args_);
  for (const Constraint& one : found.all) {
    SoftDomains::Topology& topology = state.all.emplace_back();
    topology.hostname = one.key == reader_.hostname();
    topology.rows = rows_.of(one.key);
    if (!topology.hostname) {
      topology.domains = prepared.add<uint32_t>(reader_.column("node.domain:", one.key));
      topology.labels = prepared.add<uint32_t>(reader_.column("node.label:", one.key));
    }
    topology.has_label = prepared.add<uint8_t>(reader_.column("node.has_label:", one.key));
  }
}

// Nodes without the label, if they are scored, belong to the domain of the empty value.
int64_t SpreadPreScore::count_domains(const Call& call, const SoftDomains::Topology& topology,
                                      const berth_feasible& feasible, const RowWords* among) const {
  if (topology.hostname) return count_rows(feasible, among);
  topology.rows->read_domains(call.raw().columns[topology.domains.index],
                              call.raw().columns[topology.labels.index], empty_);
  if (topology.rows->knows_domains()) return topology.rows->count_domains(feasible, among);
  return look_at_rows(call, topology, feasible, among);
}

int64_t SpreadPreScore::look_at_rows(const Call& call, const SoftDomains::Topology& topology,
                                     const berth_feasible& feasible, const RowWords* among) const {
  const auto domains = call[topology.domains];
  const auto labels = call[topology.labels];
  const uint32_t codes = call.raw().columns[topology.domains.index].dictionary_size;
  SpreadWeights& weights = *call.state().weights;
  weights.seen.resize(std::max<size_t>(weights.seen.size(), codes));
  const uint64_t now = ++weights.now;
  int64_t found = 0;
  sdk::for_each_feasible(feasible, [&](uint64_t row) {
    if (among != nullptr && ((*among)[row / 64] >> row % 64 & 1) == 0) return true;
    uint64_t& seen = weights.seen[labels[row] == empty_ ? 0 : domains[row]];
    found += seen != now;
    seen = now;
    return found < int64_t{codes};
  });
  return found;
}

const RowWords* SpreadPreScore::rows_with_all_labels(const Call& call) {
  const SoftDomains& state = call.state();
  if (!state.needs_all_keys) return nullptr;
  RowWords& among = state.weights->among;
  const RowWords* found = nullptr;
  for (const SoftDomains::Topology& topology : state.all) {
    topology.rows->read_labels(call.raw().columns[topology.has_label.index]);
    if (topology.rows->all_labelled()) continue;
    const RowWords& labelled = topology.rows->labelled();
    if (found == nullptr) {
      among = labelled;
      found = &among;
    }
    for (size_t word = 0; word < among.size(); ++word) among[word] &= labelled[word];
  }
  return found;
}

void SpreadPreScore::pre_score(const Call& call, const berth_feasible* feasible,
                               sdk::PreScoreResult& result) const {
  const SoftDomains& state = call.state();
  if (state.all.empty()) return result.skip();
  SpreadWeights& weights = *state.weights;
  const RowWords* among = rows_with_all_labels(call);
  for (size_t i = 0; i < state.all.size(); ++i) {
    const double weight = topology_weight(count_domains(call, state.all[i], *feasible, among));
    if (weight != weights.of[i]) ++weights.version;
    weights.of[i] = weight;
  }
  if (*state.version != weights.version) result.changed();
  *state.version = weights.version;
}

void SpreadScore::init(sdk::Host host) {
  reader_.init(host);
  counts_ = sdk::Counts(host);
}

void SpreadScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                          SoftConstraints& state) {
  const PodConstraints found = soft_constraints(reader_, pod);
  if (found.all.empty()) return prepared.passes();
  state.weights = weights_.of(found);
  state.needs_all_keys = needs_all_keys(found, args_);
  Participants participants(reader_, pod, found.all, state.needs_all_keys);
  for (const Constraint& one : found.all) {
    const bool hostname = one.key == reader_.hostname();
    sdk::CountQuery query{.terms = {one.term}, .pods = one.selects_all ? 0 : BERTH_COUNTS_PLACED};
    if (!hostname) {
      query.key = one.key;
      query.participants = participants.of(one);
      if (!state.needs_all_keys) query.flags = BERTH_COUNTS_UNLABELLED;
    }
    state.all.push_back(
        {.has_label = prepared.add<uint8_t>(reader_.column("node.has_label:", one.key)),
         .counts = prepared.add<int64_t>(counts_.node_counts(counts_.query(query))),
         .extra = static_cast<double>(one.max_skew - 1)});
  }
}

void SpreadScore::score(const Call& call, std::span<int64_t> raw) const {
  if (!call.ran_pre_score())
    throw sdk::Failure("error reading \"PreScorePodTopologySpread\" from cycleState: not found");
  constexpr size_t kBlock = 512;
  const SoftConstraints& state = call.state();
  std::array<double, kBlock> scores;
  for (size_t begin = 0; begin < raw.size(); begin += kBlock) {
    const size_t size = std::min(kBlock, raw.size() - begin);
    std::fill_n(scores.begin(), size, 0.0);
    for (size_t k = 0; k < state.all.size(); ++k) {
      const SoftConstraints::Topology& topology = state.all[k];
      add_topology(call[topology.has_label].data() + begin, call[topology.counts].data() + begin,
                   state.weights->of[k], topology.extra, scores.data(), size);
    }
    round_all(scores.data(), raw.data() + begin, size);
    if (!state.needs_all_keys) continue;
    for (const SoftConstraints::Topology& topology : state.all) {
      const uint8_t* has_label = call[topology.has_label].data() + begin;
      for (size_t i = 0; i < size; ++i)
        if (has_label[i] == 0) raw[begin + i] = BERTH_NOT_SCORED;
    }
  }
}

}  // namespace berth::plugins
