#include "engine/model/relations/carried_terms.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/sort_once.h"

namespace berth::model {
CarriedTerms::CarriedTerms(Arena& arena, NodeTable& nodes, Catalog& catalog, TopologyKeys& keys,
                           PodShapes& shapes, PodTerms& terms, ChangeLog& log)
    : arena_(arena),
      nodes_(nodes),
      catalog_(catalog),
      keys_(keys),
      shapes_(shapes),
      terms_(terms),
      log_(log) {}

ClassId CarriedTerms::carry(const CarriedClass& what) {
  for (ClassId id = 1; id <= classes(); ++id) {
    const CarriedClass& known = classes_[id - 1]->what;
    if (known.group == what.group && known.factor == what.factor &&
        known.unknown_namespaces == what.unknown_namespaces)
      return id;
  }
  Class& made = *classes_.emplace_back(std::make_unique<Class>());
  made.what = what;
  learn_all(made);
  return classes();
}

// Registers the terms of all placed and nominated pods. No match set of the class exists yet, so
// there is nothing to count.
void CarriedTerms::learn_all(Class& in) {
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    for (const PodOnNode& pod : nodes_.pods(slot)) carried(in, pod.shape);
    for (const Nomination& one : nodes_.nominations().at(slot)) carried(in, one.pod.shape);
  }
}

void CarriedTerms::clear() {
  for (const auto& set : sets_)
    if (set->row_column != 0) nodes_.drop_column(set->row_column);
  sets_.clear();
  set_ids_.clear();
  used_.clear();
  ++version_;
  for (auto& in : classes_) {
    in->pairs.clear();
    in->numbers.clear();
    in->index = {};
    in->carried.clear();
    in->matches.clear();
  }
}

void CarriedTerms::learn_again() {
  for (auto& in : classes_) learn_all(*in);
}

uint32_t CarriedTerms::pair(Class& in, TermId term, StringId key) {
  auto [at, fresh] =
      in.numbers.try_emplace(uint64_t{term} << 32 | key, static_cast<uint32_t>(in.pairs.size()));
  if (fresh) {
    in.pairs.push_back({term, key, {}});
    in.index.add(terms_.required(term), at->second);
    ++version_;
  }
  return at->second;
}

const std::vector<CarriedTerms::Carried>& CarriedTerms::carried(Class& in, ShapeId shape) {
  if (shape >= in.carried.size()) in.carried.resize(shapes_.size());
  auto& known = in.carried[shape];
  if (known) return *known;
  known.emplace();
  const TermList& list = shapes_.terms(shape).of(in.what.group);
  for (size_t i = 0; i < list.terms.size(); ++i) {
    const int64_t weight = list.weights.empty() ? 1 : list.weights[i];
    known->push_back({pair(in, list.terms[i], list.keys[i]), in.what.factor * weight});
  }
  return *known;
}

void CarriedTerms::learn(ShapeId shape) {
  for (auto& in : classes_) carried(*in, shape);
}

MatchSetId CarriedTerms::match_set(ClassId of, ShapeId shape) {
  Class& in = *classes_[of - 1];
  if (in.pairs.empty()) return 0;
  if (shape >= in.matches.size()) in.matches.resize(shapes_.size());
  Match& known = in.matches[shape];
  if (known.version == version_) return known.set;
  std::vector<uint32_t> pairs;
  in.index.for_each(shapes_.labels(shape), 0, [&](uint32_t number) {
    if (shapes_.matches(in.pairs[number].term, shape, in.what.unknown_namespaces))
      pairs.push_back(number);
  });
  std::sort(pairs.begin(), pairs.end());
  known = {version_, pairs.empty() ? 0 : make(of, std::move(pairs))};
  return known.set;
}

uint32_t CarriedTerms::number_of(const TopologyKey& key) {
  const auto number = std::find(used_.begin(), used_.end(), &key) - used_.begin();
  if (static_cast<size_t>(number) == used_.size()) used_.push_back(&key);
  return static_cast<uint32_t>(number);
}

MatchSetId CarriedTerms::make(ClassId of, std::vector<uint32_t> pairs) {
  std::string identity(reinterpret_cast<const char*>(&of), sizeof of);
  identity.append(reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof pairs[0]);
  auto [at, fresh] = set_ids_.try_emplace(std::move(identity), match_sets() + 1);
  const MatchSetId id = at->second;
  if (!fresh) return id;
  MatchSet& set = *sets_.emplace_back(std::make_unique<MatchSet>(arena_));
  Class& in = *classes_[of - 1];
  set.of = of;
  set.pairs = std::move(pairs);
  for (uint32_t number : set.pairs) {
    TopologyKey& key = keys_.of(in.pairs[number].key);
    auto same = std::find_if(set.sums.begin(), set.sums.end(),
                             [&](const Sum& sum) { return sum.key == &key; });
    set.sum_of.push_back(static_cast<uint32_t>(same - set.sums.begin()));
    if (same == set.sums.end()) set.sums.emplace_back(arena_, key, number_of(key));
    in.pairs[number].sets.push_back(id);
  }
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    const NodeTable::Node& node = nodes_.node(slot);
    if (!node.present) continue;
    for (const PodOnNode& pod : nodes_.pods(slot))
      for (const Carried& one : carried(in, pod.shape))
        if (const uint32_t sum = sum_of(set, one.pair); sum < set.sums.size())
          add(id, sum, set.sums[sum].key->at(nodes_.row_of(slot)), one.weight, 1);
  }
  return id;
}

// The number of sums, if the pair is not of the set.
uint32_t CarriedTerms::sum_of(const MatchSet& set, uint32_t pair) {
  auto at = std::lower_bound(set.pairs.begin(), set.pairs.end(), pair);
  if (at == set.pairs.end() || *at != pair) return static_cast<uint32_t>(set.sums.size());
  return set.sum_of[static_cast<size_t>(at - set.pairs.begin())];
}

void CarriedTerms::add(MatchSetId id, uint32_t number, DomainCode domain, int64_t weight,
                       int64_t sign) {
  if (domain == 0) return;
  MatchSet& set = *sets_[id - 1];
  Sum& sum = set.sums[number];
  if (domain >= sum.column.count()) sum.column.resize(sum.key->codes());
  sum.column.values<int64_t>()[domain] += sign * weight;
  sum.column.touch();
  set.carriers.values<int64_t>()[0] += sign;
  set.carriers.touch();
  log_.append(Table::kCarried, id, change::kValue, domain);
  const std::pair changed(number, domain);
  if (set.row_column == 0 || (!set.changed.empty() && set.changed.back() == changed)) return;
  set.changed.push_back(changed);
  if (set.changed.size() < set.sort_at) return;
  sort_once(set.changed);
  set.sort_at = std::max(MatchSet::kFewestChanged, 2 * set.changed.size());
}

int64_t CarriedTerms::at_node(MatchSetId id, Slot slot) const {
  const Row row = nodes_.row_of(slot);
  int64_t total = 0;
  for (const Sum& sum : sets_[id - 1]->sums) {
    const DomainCode domain = sum.key->at(row);
    if (domain < sum.column.count()) total += sum.column.values<int64_t>()[domain];
  }
  return total;
}

ColumnId CarriedTerms::row_column(MatchSetId id) {
  MatchSet& set = *sets_[id - 1];
  if (set.row_column == 0) {
    set.row_column = catalog_.find("node.carried:" + std::to_string(id));
    nodes_.column(set.row_column, catalog_.info(set.row_column));
  }
  return set.row_column;
}

void CarriedTerms::write_rows(MatchSetId id, MatchSet& set) {
  sort_once(set.changed);
  for (const auto& [number, domain] : set.changed) {
    const Sum& sum = set.sums[number];
    const std::span<const Row> rows = sum.key->rows(domain);
    if (set.sums.size() == 1) {
      const int64_t now = sum.column.values<int64_t>()[domain];
      nodes_.set(set.row_column, rows, [=](Row) { return now; });
    } else {
      nodes_.set(set.row_column, rows, [&](Row row) { return at_node(id, nodes_.slot_of(row)); });
    }
  }
  set.changed.clear();
}

void CarriedTerms::count_pod(Slot slot, ShapeId shape, int64_t sign) {
  if (shapes_.terms_id(shape) == kNoTerms) return;
  const NodeTable::Node& node = nodes_.node(slot);
  for (auto& in : classes_)
    for (const Carried& one : carried(*in, shape)) {
      if (!node.present) continue;
      for (MatchSetId id : in->pairs[one.pair].sets) {
        const uint32_t sum = sum_of(*sets_[id - 1], one.pair);
        add(id, sum, sets_[id - 1]->sums[sum].key->at(nodes_.row_of(slot)), one.weight, sign);
      }
    }
}

void CarriedTerms::pod_changes(Slot slot, const PodOnNode& before, const PodOnNode& after) {
  const ShapeTermsId terms = shapes_.terms_id(after.shape);
  if (shapes_.terms_id(before.shape) == terms) {
    if (terms != kNoTerms) learn(after.shape);
    return;
  }
  pod_goes(slot, before);
  pod_comes(slot, after);
}

void CarriedTerms::read_domains(Slot slot, std::vector<DomainCode>& domains) const {
  const NodeTable::Node& node = nodes_.node(slot);
  domains.clear();
  for (const TopologyKey* key : used_)
    domains.push_back(node.present ? key->at(nodes_.row_of(slot)) : 0);
}

void CarriedTerms::node_changes(Slot slot) { read_domains(slot, before_); }

void CarriedTerms::node_changed(Slot slot) {
  read_domains(slot, after_);
  if (before_ == after_) return;
  grow_sums();
  for (const PodOnNode& pod : nodes_.pods(slot)) move_pod(pod.shape);
}

// Sums have a place for each domain that a node has.
void CarriedTerms::grow_sums() {
  for (auto& set : sets_)
    for (Sum& sum : set->sums)
      if (sum.column.count() < sum.key->codes()) {
        sum.column.resize(sum.key->codes());
        sum.column.touch();
      }
}

void CarriedTerms::move_pod(ShapeId shape) {
  for (auto& in : classes_)
    for (const Carried& one : carried(*in, shape))
      for (MatchSetId id : in->pairs[one.pair].sets) {
        const uint32_t number = sum_of(*sets_[id - 1], one.pair);
        const uint32_t key = sets_[id - 1]->sums[number].number;
        if (before_[key] == after_[key]) continue;
        add(id, number, before_[key], one.weight, -1);
        add(id, number, after_[key], one.weight, 1);
      }
}

template <typename Take>
void CarriedTerms::for_each_in(MatchSetId id, size_t sum, ShapeId shape, Take&& take) const {
  const MatchSet& set = *sets_[id - 1];
  const Class& in = *classes_[set.of - 1];
  if (shape >= in.carried.size() || !in.carried[shape]) return;  // it has no terms
  for (const Carried& one : *in.carried[shape]) {
    auto at = std::lower_bound(set.pairs.begin(), set.pairs.end(), one.pair);
    if (at == set.pairs.end() || *at != one.pair) continue;
    if (set.sum_of[static_cast<size_t>(at - set.pairs.begin())] == sum) take(one.weight);
  }
}

int64_t CarriedTerms::weight_in(MatchSetId set, size_t sum, ShapeId shape) const {
  int64_t total = 0;
  for_each_in(set, sum, shape, [&](int64_t weight) { total += weight; });
  return total;
}

int64_t CarriedTerms::terms_in(MatchSetId set, size_t sum, ShapeId shape) const {
  int64_t total = 0;
  for_each_in(set, sum, shape, [&](int64_t) { ++total; });
  return total;
}

std::string CarriedTerms::sum_fault(MatchSetId id, size_t k, int64_t& carriers) const {
  const Sum& kept = sets_[id - 1]->sums[k];
  std::vector<int64_t> values(kept.key->codes());
  std::vector<Slot> of(values.size(), kNoSlot);  // a node of each domain
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    const NodeTable::Node& node = nodes_.node(slot);
    const DomainCode domain = node.present ? kept.key->at(nodes_.row_of(slot)) : DomainCode{0};
    if (domain == 0) continue;
    of[domain] = slot;
    for (const PodOnNode& pod : nodes_.pods(slot)) {
      values[domain] += weight_in(id, k, pod.shape);
      carriers += terms_in(id, k, pod.shape);
    }
  }
  for (DomainCode code = 0; code < values.size(); ++code) {
    const int64_t stored = code < kept.column.count() ? kept.column.values<int64_t>()[code] : 0;
    if (stored == values[code]) continue;
    const std::string where =
        of[code] == kNoSlot ? "a domain without nodes"
                            : "the domain of node \"" + std::string(nodes_.name(of[code])) + "\"";
    return "match set " + std::to_string(id) + " holds " + std::to_string(stored) + " in " + where +
           "; the terms of its pods add up to " + std::to_string(values[code]);
  }
  return {};
}

std::string CarriedTerms::fault() const {
  for (MatchSetId id = 1; id <= match_sets(); ++id) {
    int64_t carriers = 0;
    for (size_t k = 0; k < sums(id); ++k)
      if (std::string wrong = sum_fault(id, k, carriers); !wrong.empty()) return wrong;
    const int64_t stored = sets_[id - 1]->carriers.values<int64_t>()[0];
    if (stored != carriers)
      return "match set " + std::to_string(id) + " holds " + std::to_string(stored) +
             " carried terms; placed pods carry " + std::to_string(carriers);
  }
  return {};
}

}  // namespace berth::model
