#include "engine/model/relations/pod_counts.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/saturate.h"
#include "engine/base/sort_once.h"

namespace berth::model {
namespace {

std::string bytes_of(std::span<const uint32_t> ids) {
  return {reinterpret_cast<const char*>(ids.data()), ids.size_bytes()};
}

// `terms`, `participants`: the indices of its lists.
std::string identity_of(const CountQuery& query, size_t terms, size_t participants) {
  std::string identity;
  auto append = [&](uint32_t number) {
    identity.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  append(query.key);
  append(query.resource);
  append(query.pods | uint32_t{query.unlabelled} << 8 | uint32_t{query.unknown_namespaces} << 9);
  append(static_cast<uint32_t>(participants));
  append(static_cast<uint32_t>(terms));
  return identity;
}

}  // namespace

PodCounts::PodCounts(Arena& arena, NodeTable& nodes, Catalog& catalog, Strings& strings,
                     Domains& domains, TopologyKeys& keys, PodShapes& shapes, PodTerms& terms,
                     ChangeLog& log)
    : arena_(arena),
      nodes_(nodes),
      catalog_(catalog),
      strings_(strings),
      domains_(domains),
      keys_(keys),
      shapes_(shapes),
      terms_(terms),
      log_(log) {}

QueryId PodCounts::query(CountQuery what) {
  const size_t terms = term_list(std::exchange(what.terms, {}));
  const size_t all_nodes = SIZE_MAX;
  const size_t taking_part =
      what.participants.empty() ? all_nodes : participants(std::exchange(what.participants, {}));
  auto [at, fresh] = ids_.try_emplace(identity_of(what, terms, taking_part), count() + 1);
  const QueryId id = at->second;
  if (!fresh) return id;
  Query& made = *queries_.emplace_back(std::make_unique<Query>(arena_, std::move(what)));
  made.id = id;
  if (made.what.resource != 0) strings_.retain(made.what.resource);
  made.terms = term_lists_[terms].get();
  if (taking_part != all_nodes) made.participants = participants_[taking_part].get();
  if (made.what.key != 0) {
    made.key = &keys_.of(made.what.key);
    if (made.what.unlabelled) made.unlabelled = domains_.code(made.what.key, strings_.intern(""));
  }
  fill(made);
  index_.add(required(made), id);
  return id;
}

std::optional<size_t> PodCounts::find_participants(std::span<const ColumnId> columns) {
  if (last_participants_ < participants_.size() &&
      std::ranges::equal(participants_[last_participants_]->ids, columns))
    return last_participants_;
  const auto known = participants_ids_.find(bytes_of(columns));
  if (known == participants_ids_.end()) return std::nullopt;
  last_participants_ = known->second;
  return last_participants_;
}

bool PodCounts::knows_participants(std::span<const ColumnId> columns) {
  return find_participants(columns).has_value();
}

// The index of these participants, new or known.
size_t PodCounts::participants(std::vector<ColumnId> columns) {
  if (const std::optional<size_t> known = find_participants(columns)) return *known;
  sort_once(columns);
  if (const std::optional<size_t> known = find_participants(columns)) return *known;
  last_participants_ = participants_.size();
  participants_ids_.emplace(bytes_of(columns), last_participants_);
  Participants& made = *participants_.emplace_back(std::make_unique<Participants>());
  for (ColumnId column : columns)
    made.columns.push_back(&nodes_.column(column, catalog_.info(column)));
  made.ids = std::move(columns);
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) look_at(made, slot);
  return last_participants_;
}

bool PodCounts::knows_terms(std::span<const TermId> terms) const {
  return !term_lists_.empty() && std::ranges::equal(last_terms_, terms);
}

// The index of these terms, new or known.
size_t PodCounts::term_list(std::vector<TermId> terms) {
  if (knows_terms(terms)) return last_term_list_;
  last_terms_ = terms;
  sort_once(terms);
  const auto [at, fresh] = term_lists_ids_.try_emplace(bytes_of(terms), term_lists_.size());
  if (fresh) term_lists_.push_back(std::make_unique<std::vector<TermId>>(std::move(terms)));
  return last_term_list_ = at->second;
}

bool PodCounts::takes_part(const Participants& participants, Slot slot) const {
  const Row row = nodes_.row_of(slot);
  return std::ranges::all_of(participants.columns, [&](const Column* column) {
    return column->values<uint8_t>()[row] != 0;
  });
}

// Notes whether a node takes part, if it is there.
void PodCounts::look_at(Participants& participants, Slot slot) {
  if (slot >= participants.take_part.size()) participants.take_part.resize(nodes_.slots());
  participants.take_part[slot] = nodes_.node(slot).present && takes_part(participants, slot);
}

void PodCounts::clear() {
  for (const auto& query : queries_) {
    if (query->row_column != 0) nodes_.drop_column(query->row_column);
    if (query->what.resource != 0) strings_.release(query->what.resource);
  }
  queries_.clear();
  ids_.clear();
  participants_.clear();
  participants_ids_.clear();
  term_lists_.clear();
  term_lists_ids_.clear();
  index_ = {};
  matched_.clear();
}

std::pair<StringId, StringId> PodCounts::required(const Query& query) const {
  for (TermId term : *query.terms)
    if (auto label = terms_.required(term); label.first != 0) return label;
  return {};
}

bool PodCounts::matches(const Query& query, ShapeId shape) const {
  return std::ranges::all_of(*query.terms, [&](TermId term) {
    return shapes_.matches(term, shape, query.what.unknown_namespaces);
  });
}

const std::vector<QueryId>& PodCounts::matched(ShapeId shape) {
  if (shape >= matched_.size()) matched_.resize(shapes_.size());
  Matched& known = matched_[shape];
  if (known.seen == count()) return known.queries;
  index_.for_each(shapes_.labels(shape), known.seen + 1, [&](QueryId id) {
    if (matches(*queries_[id - 1], shape)) known.queries.push_back(id);
  });
  std::sort(known.queries.begin(), known.queries.end());
  known.seen = count();
  return known.queries;
}

bool PodCounts::counts(const Query& query, const PodOnNode& pod) {
  const uint32_t bit = pod.terminating ? counted::kPlacedTerminating : counted::kPlaced;
  return (query.what.pods & bit) != 0;
}

int64_t PodCounts::requested(const Query& query, const PodOnNode& pod) const {
  return amount_of(shapes_.templates()[pod.pod_template].accounted, query.what.resource);
}

int64_t PodCounts::worth_overlaid(QueryId id, const PodOnNode& pod) const {
  const Query& query = *queries_[id - 1];
  const uint32_t bit = pod.terminating ? counted::kOverlaidTerminating : counted::kOverlaid;
  return (query.what.pods & bit) != 0 && matches(query, pod.shape) ? worth(query, pod) : 0;
}

DomainCode PodCounts::domain(QueryId id, Slot slot) const {
  return nodes_.node(slot).present ? domain_of(*queries_[id - 1], slot) : 0;
}

DomainCode PodCounts::domain_of(const Query& query, Slot slot) const {
  if (query.participants != nullptr && query.participants->take_part[slot] == 0) return 0;
  if (query.key == nullptr) return slot + 1;
  const DomainCode code = query.key->at(nodes_.row_of(slot));
  return code != 0 ? code : query.unlabelled;
}

// Hooks read the counts by the codes of all nodes, also of those that take no part.
void PodCounts::reach(Query& query) {
  if (query.key != nullptr) query.tally.reach(query.key->codes() - 1);
}

// Fills a new query: joins all nodes, then counts all pods; each shape is tried once.
void PodCounts::fill(Query& query) {
  constexpr uint8_t kUnknown = 2;
  reach(query);
  std::vector<uint8_t> match(shapes_.size(), kUnknown);
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    const NodeTable::Node& node = nodes_.node(slot);
    if (!node.present) continue;
    const DomainCode domain = domain_of(query, slot);
    if (domain == 0) continue;
    query.tally.join(domain);
    int64_t sum = 0;
    for (const PodOnNode& pod : nodes_.pods(slot)) {
      if (!counts(query, pod)) continue;
      if (match[pod.shape] == kUnknown) match[pod.shape] = matches(query, pod.shape);
      if (match[pod.shape] != 0) sum = wrapping_sum(sum, worth(query, pod));
    }
    query.tally.add(domain, sum);
  }
}

void PodCounts::join(Query& query, DomainCode domain) {
  query.tally.join(domain);
  log_.append(Table::kCounts, query.id, change::kDomains, domain);
}

void PodCounts::leave(Query& query, DomainCode domain) {
  query.tally.leave(domain);
  log_.append(Table::kCounts, query.id, change::kDomains, domain);
}

void PodCounts::add(Query& query, DomainCode domain, int64_t difference) {
  if (difference == 0) return;
  query.tally.add(domain, difference);
  log_.append(Table::kCounts, query.id, change::kValue, domain);
  if (query.row_column == 0) return;
  if (!query.changed.empty() && query.changed.back() == domain) return;
  query.changed.push_back(domain);
  if (query.changed.size() < query.sort_at) return;
  sort_once(query.changed);
  query.sort_at = std::max(Query::kFewestChanged, 2 * query.changed.size());
}

int64_t PodCounts::at_node(QueryId id, Slot slot) const {
  const Query& query = *queries_[id - 1];
  if (query.key == nullptr) return query.tally.count(slot + 1);
  return query.tally.count(query.key->at(nodes_.row_of(slot)));
}

ColumnId PodCounts::row_column(QueryId id) {
  Query& query = *queries_[id - 1];
  if (query.row_column == 0) {
    query.row_column = catalog_.find("node.count:" + std::to_string(id));
    nodes_.column(query.row_column, catalog_.info(query.row_column));
  }
  return query.row_column;
}

void PodCounts::write_rows(Query& query) {
  sort_once(query.changed);
  for (DomainCode domain : query.changed) {
    const auto count = [now = query.tally.count(domain)](Row) { return now; };
    if (query.key != nullptr) {
      nodes_.set(query.row_column, query.key->rows(domain), count);
    } else if (Row row = nodes_.row_of(domain - 1); row != kNoRow) {
      nodes_.set(query.row_column, {&row, 1}, count);
    }
  }
  query.changed.clear();
}

void PodCounts::node_changes(Slot slot) {
  before_.clear();
  for (QueryId id = 1; id <= count(); ++id) before_.push_back(domain(id, slot));
}

// Domains are joined before pods are added to them, and left after pods are taken from them.
void PodCounts::node_changed(Slot slot) {
  after_.clear();
  for (const auto& participants : participants_) look_at(*participants, slot);
  for (const auto& query : queries_) {
    reach(*query);
    after_.push_back(domain(query->id, slot));
  }
  if (before_ == after_) return;
  auto for_each_moved = [&](const std::vector<DomainCode>& domains, auto&& visit) {
    for (size_t i = 0; i < queries_.size(); ++i)
      if (before_[i] != after_[i] && domains[i] != 0) visit(*queries_[i], domains[i]);
  };
  for_each_moved(after_, [&](Query& query, DomainCode domain) { join(query, domain); });
  move_pods(slot);
  for_each_moved(before_, [&](Query& query, DomainCode domain) { leave(query, domain); });
}

void PodCounts::move_pods(Slot slot) {
  for (const PodOnNode& pod : nodes_.pods(slot))
    for (QueryId id : matched(pod.shape)) {
      Query& query = *queries_[id - 1];
      const DomainCode before = before_[id - 1], after = after_[id - 1];
      if (before == after || !counts(query, pod)) continue;
      const int64_t amount = worth(query, pod);
      if (before != 0) add(query, before, -amount);
      if (after != 0) add(query, after, amount);
    }
}

void PodCounts::count_pod(Slot slot, const PodOnNode& pod, int64_t sign) {
  if (queries_.empty() || !nodes_.node(slot).present) return;
  for (QueryId id : matched(pod.shape)) {
    Query& query = *queries_[id - 1];
    if (!counts(query, pod)) continue;
    if (DomainCode domain = domain_of(query, slot); domain != 0)
      add(query, domain, sign * worth(query, pod));
  }
}

void PodCounts::pod_changes(Slot slot, const PodOnNode& before, const PodOnNode& after) {
  if (queries_.empty()) return;
  matched(std::max(before.shape, after.shape));  // which makes room for both
  if (before.terminating == after.terminating && matched(before.shape) == matched(after.shape))
    return;
  pod_goes(slot, before);
  pod_comes(slot, after);
}

// Computes which queries the pods of the namespace match while its labels are still those that they
// were counted by.
void PodCounts::namespace_changes(StringId name) {
  for (ShapeId shape = 1; shape < shapes_.size(); ++shape)
    if (shapes_[shape].namespace_name == name) matched(shape);
}

void PodCounts::namespace_changed(StringId name) {
  constexpr uint8_t kUnknown = 0, kSame = 1, kOther = 2;
  std::vector<uint8_t> state(shapes_.size(), kUnknown);
  std::vector<std::vector<QueryId>> before(shapes_.size());
  for (ShapeId shape = 1; shape < matched_.size(); ++shape) {
    if (shapes_[shape].namespace_name != name) continue;
    before[shape] = matched(shape);
    matched_[shape] = {};
    state[shape] = before[shape] == matched(shape) ? kSame : kOther;
  }
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    if (!nodes_.node(slot).present) continue;
    for (const PodOnNode& pod : nodes_.pods(slot)) {
      if (state[pod.shape] != kOther) continue;
      auto move = [&](const std::vector<QueryId>& queries, int64_t sign) {
        for (QueryId id : queries) {
          Query& query = *queries_[id - 1];
          const DomainCode domain = counts(query, pod) ? domain_of(query, slot) : 0;
          if (domain != 0) add(query, domain, sign * worth(query, pod));
        }
      };
      move(matched(pod.shape), 1);
      move(before[pod.shape], -1);
    }
  }
}

// Of the rows that hooks read, unless they lag.
std::string PodCounts::row_fault(const Query& query) const {
  if (query.row_column == 0 || !query.changed.empty()) return {};
  const auto* shown =
      nodes_.column(query.row_column, catalog_.info(query.row_column)).values<int64_t>();
  for (Row row = 0; row < nodes_.rows(); ++row) {
    const Slot slot = nodes_.slot_of(row);
    const DomainCode domain = query.key != nullptr ? query.key->at(row) : slot + 1;
    if (shown[row] == query.tally.count(domain)) continue;
    return "count query " + std::to_string(query.id) + " shows " + words(query, shown[row]) +
           " at node \"" + std::string(nodes_.name(slot)) + "\"; its domain has " +
           std::to_string(query.tally.count(domain));
  }
  return {};
}

std::string PodCounts::words(const Query& query, int64_t count) const {
  return std::to_string(count) + (query.what.resource == 0
                                      ? std::string(" pods")
                                      : " of " + std::string(strings_.text(query.what.resource)));
}

std::string PodCounts::query_fault(const Query& query) const {
  struct Domain {
    int64_t sum = 0;
    uint32_t nodes = 0;
    Slot of = kNoSlot;  // one of the nodes
  };
  std::vector<Domain> domains;
  std::vector<int8_t> matched(shapes_.size(), -1);  // -1: not asked
  for (Slot slot = 0; slot < nodes_.slots(); ++slot) {
    const NodeTable::Node& node = nodes_.node(slot);
    const DomainCode code = node.present ? domain_of(query, slot) : 0;
    if (code == 0) continue;
    if (code >= domains.size()) domains.resize(code + size_t{1});
    Domain& domain = domains[code];
    ++domain.nodes;
    domain.of = slot;
    for (const PodOnNode& pod : nodes_.pods(slot)) {
      if (!counts(query, pod)) continue;
      if (matched[pod.shape] < 0) matched[pod.shape] = matches(query, pod.shape);
      if (matched[pod.shape] != 0) domain.sum = wrapping_sum(domain.sum, worth(query, pod));
    }
  }
  TallySummary totals;
  for (DomainCode code = 0; code < domains.size(); ++code) {
    const Domain& domain = domains[code];
    if (query.tally.count(code) != domain.sum)
      return "count query " + std::to_string(query.id) + " holds " +
             words(query, query.tally.count(code)) + " in " +
             (domain.nodes == 0
                  ? std::string("a domain without nodes")
                  : "the domain of node \"" + std::string(nodes_.name(domain.of)) + "\"") +
             "; a recount finds " + std::to_string(domain.sum);
    if (domain.nodes == 0) continue;
    totals.minimum = totals.domains == 0 ? domain.sum : std::min(totals.minimum, domain.sum);
    totals.total = wrapping_sum(totals.total, domain.sum);
    ++totals.domains;
  }
  const TallySummary held = query.tally.totals();
  if (held.total == totals.total && held.minimum == totals.minimum &&
      held.domains == totals.domains)
    return row_fault(query);
  const auto summary = [&](const TallySummary& of) {
    return words(query, of.total) + " in " + std::to_string(of.domains) + " domains, at least " +
           std::to_string(of.minimum) + " in each";
  };
  return "count query " + std::to_string(query.id) + " holds " + summary(held) +
         "; a recount finds " + summary(totals);
}

std::string PodCounts::fault() const {
  for (const auto& kept : participants_)
    for (Slot slot = 0; slot < nodes_.slots(); ++slot)
      if (nodes_.node(slot).present && takes_part(*kept, slot) != (kept->take_part[slot] != 0))
        return "node \"" + std::string(nodes_.name(slot)) +
               (kept->take_part[slot] != 0 ? "\" takes part" : "\" does not take part") +
               " in a count; a recount says otherwise";
  for (const auto& query : queries_)
    if (std::string wrong = query_fault(*query); !wrong.empty()) return wrong;
  return {};
}

}  // namespace berth::model
