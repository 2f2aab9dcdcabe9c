#include "engine/model/relations/carried_terms.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::model {

CarriedTerms::CarriedTerms(Arena& arena, NodeTable& nodes, Catalog& catalog, Strings& strings,
                           Domains& domains, PodShapes& shapes, PodTerms& terms)
    : arena_(arena),
      nodes_(nodes),
      catalog_(catalog),
      strings_(strings),
      domains_(domains),
      shapes_(shapes),
      terms_(terms) {}

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

// No match set counts the pods yet; only their terms are learned.
void CarriedTerms::learn_all(Class& in) {
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    for (const PodOnNode& pod : nodes_.node(slot).pods) carried(in, pod.shape);
    for (const Nomination& one : nodes_.node(slot).nominated) carried(in, one.pod.shape);
  }
}

void CarriedTerms::clear() {
  for (const auto& set : sets_)
    if (set->row_column != 0) nodes_.drop_column(set->row_column);
  sets_.clear();
  set_ids_.clear();
  ++version_;
  for (auto& in : classes_) {
    in->pairs.clear();
    in->numbers.clear();
    in->index = {};
    in->carried.clear();
    in->matches.clear();
    learn_all(*in);
  }
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
    const StringId key = in.pairs[number].key;
    auto same = std::find_if(set.sums.begin(), set.sums.end(),
                             [&](const Sum& sum) { return sum.key == key; });
    set.sum_of.push_back(static_cast<uint32_t>(same - set.sums.begin()));
    if (same == set.sums.end()) {
      const ColumnId column = catalog_.find("node.domain:" + std::string(strings_.text(key)));
      set.sums.emplace_back(arena_, key, nodes_.column(column, catalog_.info(column)));
      set.sums.back().column.resize(domains_.size(key));
    }
    in.pairs[number].sets.push_back(id);
  }
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    const NodeTable::Node& node = nodes_.node(slot);
    if (!node.present) continue;
    for (const PodOnNode& pod : node.pods)
      for (const Carried& one : carried(in, pod.shape)) add(set, one.pair, node.row, one.weight, 1);
  }
  return id;
}

// Nothing, if the pair is not of the set.
void CarriedTerms::add(MatchSet& set, uint32_t pair, Row row, int64_t weight, int64_t sign) {
  auto at = std::lower_bound(set.pairs.begin(), set.pairs.end(), pair);
  if (at == set.pairs.end() || *at != pair) return;
  const uint32_t number = set.sum_of[static_cast<size_t>(at - set.pairs.begin())];
  Sum& sum = set.sums[number];
  const DomainCode domain = sum.domains->values<uint32_t>()[row];
  if (domain == 0) return;
  if (domain >= sum.column.count()) sum.column.resize(domains_.size(sum.key));
  sum.column.values<int64_t>()[domain] += sign * weight;
  sum.column.touch();
  set.carriers.values<int64_t>()[0] += sign;
  set.carriers.touch();
  const std::pair changed(number, domain);
  if (set.row_column != 0 && (set.changed.empty() || set.changed.back() != changed))
    set.changed.push_back(changed);
}

int64_t CarriedTerms::at_node(MatchSetId id, Slot slot) const {
  const Row row = nodes_.node(slot).row;
  int64_t total = 0;
  for (const Sum& sum : sets_[id - 1]->sums) {
    const DomainCode domain = sum.domains->values<uint32_t>()[row];
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
  std::sort(set.changed.begin(), set.changed.end());
  set.changed.erase(std::unique(set.changed.begin(), set.changed.end()), set.changed.end());
  for (const auto& [number, domain] : set.changed) {
    const Sum& sum = set.sums[number];
    auto& rows = rows_[sum.key];
    if (rows == nullptr) rows = std::make_unique<DomainRows>(*sum.domains);
    if (set.sums.size() == 1) {
      const int64_t now = sum.column.values<int64_t>()[domain];
      nodes_.set(set.row_column, rows->of(domain), [=](Row) { return now; });
    } else {
      nodes_.set(set.row_column, rows->of(domain),
                 [&](Row row) { return at_node(id, nodes_.slot_of(row)); });
    }
  }
  set.changed.clear();
}

void CarriedTerms::count_pod(Slot slot, ShapeId shape, int64_t sign) {
  const NodeTable::Node& node = nodes_.node(slot);
  for (auto& in : classes_)
    for (const Carried& one : carried(*in, shape)) {
      if (!node.present) continue;
      for (MatchSetId set : in->pairs[one.pair].sets)
        add(*sets_[set - 1], one.pair, node.row, one.weight, sign);
    }
}

void CarriedTerms::count_node(Slot slot, int64_t sign) {
  // A node may bring a domain that is new; sums have a place for all domains.
  for (auto& set : sets_)
    for (Sum& sum : set->sums)
      if (sum.column.count() < domains_.size(sum.key)) {
        sum.column.resize(domains_.size(sum.key));
        sum.column.touch();
      }
  for (const PodOnNode& pod : nodes_.node(slot).pods) count_pod(slot, pod.shape, sign);
}

template <typename Take>
void CarriedTerms::for_each_in(MatchSetId id, size_t sum, ShapeId shape, Take&& take) const {
  const MatchSet& set = *sets_[id - 1];
  const Class& in = *classes_[set.of - 1];
  BERTH_ASSERT(shape < in.carried.size() && in.carried[shape]);
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

void CarriedTerms::verify() const {
  for (MatchSetId id = 1; id <= match_sets(); ++id) {
    const MatchSet& set = *sets_[id - 1];
    int64_t carriers = 0;
    for (size_t k = 0; k < set.sums.size(); ++k) {
      const Sum& kept = set.sums[k];
      std::vector<int64_t> values(domains_.size(kept.key));
      for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
        const NodeTable::Node& node = nodes_.node(slot);
        const DomainCode domain =
            node.present ? kept.domains->values<uint32_t>()[node.row] : DomainCode{0};
        if (domain == 0) continue;
        for (const PodOnNode& pod : node.pods) {
          values[domain] += weight_in(id, k, pod.shape);
          carriers += terms_in(id, k, pod.shape);
        }
      }
      for (DomainCode code = 0; code < values.size(); ++code)
        BERTH_ASSERT((code < kept.column.count() ? kept.column.values<int64_t>()[code] : 0) ==
                     values[code]);
    }
    BERTH_ASSERT(set.carriers.values<int64_t>()[0] == carriers);
  }
}

}  // namespace berth::model
