#include "engine/framework/ranking/rows/row_classes.h"

#include <algorithm>
#include <cstring>

#include "engine/base/assert.h"
#include "engine/base/draw.h"

namespace berth::framework {
namespace {

// Of one key: with more, there are too many classes.
constexpr uint32_t kMostDomains = RowClasses::kMost;
// A build that leaves fewer places free is not worth it: it would soon be followed by the next.
constexpr uint32_t kMostBuilt = RowClasses::kMost / 4 * 3;

bool counts_by_row(const model::ColumnInfo& info) {
  return info.attribute == model::Attribute::kNodeCount ||
         info.attribute == model::Attribute::kNodeCarried;
}

}  // namespace

bool RowClasses::suits(const BoundHook& hook, const TemplateHook& state,
                       const model::Catalog& catalog) {
  if (hook.over_dictionary() || hook.hook().depends() == BERTH_DEPENDS_EXTERNAL) return false;
  bool counts = false;
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const TemplateHook::Source& source = state.sources[i];
    if (source.column == nullptr || !source.aligned) continue;
    if (source.column->list()) return false;
    counts |= counts_by_row(catalog.info(state.inputs[i]));
  }
  return counts;
}

size_t RowClasses::add(const BoundHook& hook, const TemplateHook& state) {
  BERTH_ASSERT(of_rows_.empty());
  Hook made{&hook, &state, {}};
  for (size_t i = 0; i < state.inputs.size(); ++i)
    made.sources.push_back(source_of(hook, state, i));
  hooks_.push_back(std::move(made));
  return hooks_.size() - 1;
}

RowClasses::Source RowClasses::source_of(const BoundHook& hook, const TemplateHook& state,
                                         size_t input) {
  const TemplateHook::Source& source = state.sources[input];
  if (source.column == nullptr) return {Source::Kind::kPod};
  if (!source.aligned) return {Source::Kind::kWhole};
  const model::ColumnId id = state.inputs[input];
  const model::ColumnInfo& info = cluster_->catalog().info(id);
  if (!counts_by_row(info)) {
    inputs_ |= info.changes;
    return {Source::Kind::kKey, key_of(*source.column)};
  }
  if (few_domains(info)) return {Source::Kind::kCount, count_of(id, info)};
  inputs_ |= info.changes;  // of a row alone: its node has other labels
  if (std::ranges::find(counted_, id) == counted_.end()) {
    counted_.push_back(id);
    counting_.push_back(&hook);
  }
  return {Source::Kind::kKey, key_of(*source.column)};
}

size_t RowClasses::key_of(const model::Column& column) {
  const auto known = std::ranges::find(keys_, &column, &Key::column);
  if (known == keys_.end()) keys_.push_back({&column, model::element_size(column.type()), {}});
  return static_cast<size_t>(std::ranges::find(keys_, &column, &Key::column) - keys_.begin());
}

size_t RowClasses::count_of(model::ColumnId column, const model::ColumnInfo& info) {
  const auto known = std::ranges::find(counts_, column, &Count::column);
  if (known != counts_.end()) return static_cast<size_t>(known - counts_.begin());
  Count made{column, info.attribute == model::Attribute::kNodeCarried, info.number, {}};
  if (made.carried) {
    const model::CarriedTerms& carried = cluster_->carried();
    for (size_t sum = 0; sum < carried.sums(made.number); ++sum)
      made.keys.push_back(key_of(*carried.domain_column(made.number, sum)));
  } else {
    made.keys.push_back(key_of(*cluster_->counts().domain_column(made.number)));
  }
  inputs_ |= model::change::kLabels;  // of which domains are made
  counts_.push_back(std::move(made));
  return counts_.size() - 1;
}

// True if all domains of the count have several nodes each, as zones have.
bool RowClasses::few_domains(const model::ColumnInfo& info) const {
  const auto few = [](const model::Column* domains) {
    return domains != nullptr && domains->view().dictionary_size <= kMostDomains;
  };
  if (info.attribute == model::Attribute::kNodeCount)
    return few(cluster_->counts().domain_column(info.number));
  const model::CarriedTerms& carried = cluster_->carried();
  for (size_t sum = 0; sum < carried.sums(info.number); ++sum)
    if (!few(carried.domain_column(info.number, sum))) return false;
  return true;
}

void RowClasses::refresh() const {
  for (size_t i = 0; i < counted_.size(); ++i) counting_[i]->refresh(counted_[i]);
}

uint64_t RowClasses::value_at(const Key& key, model::Row row) {
  switch (key.width) {
    case 1:
      return key.column->values<uint8_t>()[row];
    case sizeof(uint32_t):
      return key.column->values<uint32_t>()[row];
    default:
      return key.column->values<uint64_t>()[row];
  }
}

void RowClasses::read_key(model::Row row) {
  for (size_t key = 0; key < keys_.size(); ++key) identity_[key] = value_at(keys_[key], row);
}

// The class of the identity; kNone: it would be one too many.
RowClass RowClasses::find_or_add() {
  uint64_t hash = 0;
  for (const uint64_t word : identity_) hash = mix(hash ^ word);
  size_t place = hash % kPlaces;
  for (; places_[place] != 0; place = (place + 1) % kPlaces) {
    const auto found = static_cast<RowClass>(places_[place] - 1);
    if (std::equal(identity_.begin(), identity_.end(),
                   identities_.begin() + static_cast<ptrdiff_t>(found * identity_.size())))
      return found;
  }
  return count_ == kMost ? kNone : add_class(place);
}

RowClass RowClasses::add_class(size_t place) {
  const auto made = static_cast<RowClass>(count_++);
  places_[place] = static_cast<uint8_t>(made + 1);
  identities_.insert(identities_.end(), identity_.begin(), identity_.end());
  rows_in_[made] = 0;
  for (size_t key = 0; key < keys_.size(); ++key) {
    const size_t width = keys_[key].width;
    std::memcpy(keys_[key].values.bytes.data() + made * width, &identity_[key], width);
  }
  ++made_;
  return made;
}

// Divides the groups of of_rows_ by the values of one more key. False: they become too many, or a
// value is too high for a table.
template <typename T>
bool RowClasses::divide(const Key& key, model::Row rows) {
  constexpr uint64_t kValues = 64;
  const T* values = key.column->values<T>();
  if (std::all_of(values, values + rows, [&](T value) { return value == values[0]; })) return true;
  group_of_.assign(groups_ * kValues, kNone);
  groups_ = 0;
  for (model::Row row = 0; row < rows; ++row) {
    const auto value = static_cast<uint64_t>(values[row]);
    if (value >= kValues) return false;
    RowClass& group = group_of_[of_rows_[row] * kValues + value];
    if (group == kNone) {
      if (groups_ == kMost) return false;
      group = static_cast<RowClass>(groups_++);
    }
    of_rows_[row] = group;
  }
  return true;
}

// Groups all rows, key by key, and makes the groups classes; numbered by their first rows. False:
// the keys have to be looked at row by row.
bool RowClasses::group(model::Row rows) {
  if (rows == 0) return true;
  std::fill(of_rows_.begin(), of_rows_.begin() + rows, RowClass{0});
  groups_ = 1;
  for (const Key& key : keys_) {
    const bool divided = key.width == 1                  ? divide<uint8_t>(key, rows)
                         : key.width == sizeof(uint32_t) ? divide<uint32_t>(key, rows)
                                                         : divide<uint64_t>(key, rows);
    if (!divided) return false;
  }
  std::array<RowClass, kMost> classes;
  classes.fill(kNone);
  for (model::Row row = 0; row < rows; ++row) {
    RowClass& of = classes[of_rows_[row]];
    if (of == kNone) {
      read_key(row);
      of = find_or_add();
    }
    of_rows_[row] = of;
    ++rows_in_[of];
  }
  return true;
}

bool RowClasses::build(model::Row rows) {
  const auto begin = [&] {
    count_ = 0;
    ++made_;
    places_.fill(0);
    identities_.clear();
    identity_.resize(keys_.size());
    of_rows_.assign((size_t{rows} + 63) / 64 * 64, kNone);
  };
  begin();
  if (group(rows)) return true;
  begin();
  for (model::Row row = 0; row < rows; ++row) {
    read_key(row);
    const RowClass of = find_or_add();
    if (of == kNone) return false;
    of_rows_[row] = of;
    ++rows_in_[of];
  }
  return true;
}

// Groups all rows again when classes without rows took the last place.
RowClasses::Followed RowClasses::make_room(model::Row rows) {
  return build(rows) && count_ <= kMostBuilt ? Followed::kBuilt : Followed::kTooMany;
}

RowClasses::Followed RowClasses::follow(const RowChanges& changes, model::Row rows,
                                        std::vector<MovedRow>& moved) {
  const auto build_again = [&] { return build(rows) ? Followed::kBuilt : Followed::kTooMany; };
  changed_.clear();
  if (!changes.concern(inputs_, counted_, changed_)) return build_again();
  of_rows_.resize((size_t{rows} + 63) / 64 * 64, kNone);
  for (const model::Row row : changed_) {
    read_key(row);
    const RowClass of = find_or_add();
    if (of == kNone) return make_room(rows);
    const RowClass was = of_rows_[row];
    if (of == was) continue;
    if (was != kNone) --rows_in_[was];
    ++rows_in_[of];
    of_rows_[row] = of;
    moved.push_back({row, was, of});
  }
  return Followed::kMoved;
}

uint64_t RowClasses::key_at(size_t key, RowClass of) const {
  return identities_[of * keys_.size() + key];
}

uint64_t RowClasses::generation_of(const Count& count) const {
  if (!count.carried) return cluster_->counts().tally(count.number).counts().generation();
  uint64_t sum = 0;
  for (size_t i = 0; i < count.keys.size(); ++i)
    sum += cluster_->carried().sum(count.number, i).generation();
  return sum;
}

int64_t RowClasses::count_at(const Count& count, RowClass of) const {
  if (!count.carried)
    return cluster_->counts()
        .tally(count.number)
        .count(static_cast<model::DomainCode>(key_at(count.keys[0], of)));
  int64_t total = 0;
  for (size_t i = 0; i < count.keys.size(); ++i) {
    const model::Column& sum = cluster_->carried().sum(count.number, i);
    const uint64_t domain = key_at(count.keys[i], of);
    if (domain < sum.count()) total += sum.values<int64_t>()[domain];
  }
  return total;
}

void RowClasses::read_counts() {
  for (Count& count : counts_) {
    const uint64_t generation = generation_of(count) + made_;
    if (generation == count.generation) continue;
    count.generation = generation;
    bool differs = false;
    auto* values = reinterpret_cast<int64_t*>(count.values.bytes.data());
    for (uint32_t of = 0; of < count_; ++of) {
      const int64_t now = count_at(count, static_cast<RowClass>(of));
      differs |= values[of] != now;
      values[of] = now;
    }
    count.version += differs;
  }
}

uint64_t RowClasses::stamp(size_t hook) const {
  uint64_t sum = made_;
  for (const Source& source : hooks_[hook].sources)
    if (source.kind == Source::Kind::kCount) sum += counts_[source.number].version;
  return sum;
}

void RowClasses::columns(size_t hook, CallColumns& out) const {
  const Hook& of = hooks_[hook];
  out.columns.resize(of.sources.size());
  for (size_t i = 0; i < of.sources.size(); ++i) {
    berth_column& column = out.columns[i];
    const Source& source = of.sources[i];
    if (source.kind == Source::Kind::kPod) {
      column = of.state->pod_columns[i];
      continue;
    }
    column = of.state->sources[i].column->view();
    if (source.kind == Source::Kind::kWhole) continue;
    const Values& values = source.kind == Source::Kind::kKey ? keys_[source.number].values
                                                             : counts_[source.number].values;
    column.data = values.bytes.data();
    column.count = count_;
    column.generation = 0;  // as of any gathered column
  }
}

size_t RowClasses::bytes() const {
  return of_rows_.capacity() + identities_.capacity() * sizeof(uint64_t) +
         keys_.capacity() * sizeof(Key) + counts_.capacity() * sizeof(Count);
}

}  // namespace berth::framework
