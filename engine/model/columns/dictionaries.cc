#include "engine/model/columns/dictionaries.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::model {

TaintSets::TaintSets(Arena& arena, Strings& strings, ChangeLog& log)
    : strings_(strings),
      log_(log),
      keys_(arena, BERTH_U32, true),
      values_(arena, BERTH_U32, true),
      effects_(arena, BERTH_U32, true) {
  retain(code({}));  // nodes without taints
}

std::string TaintSets::identity_of(const Ids& ids) {
  std::string identity;
  for (const auto& list : ids)
    identity.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(StringId));
  return identity;
}

void TaintSets::store(uint32_t code, const Ids& ids) {
  Column* const columns[] = {&keys_, &values_, &effects_};
  for (size_t i = 0; i < ids.size(); ++i) {
    columns[i]->resize(std::max<size_t>(columns[i]->count(), code + size_t{1}));
    columns[i]->set_list<StringId>(code, ids[i]);
    columns[i]->touch();
  }
  log_.append(Table::kTaintSets, code, change::kValue);
}

uint32_t TaintSets::code(const std::vector<Taint>& taints) {
  Ids ids;
  for (const Taint& taint : taints) {
    ids[0].push_back(strings_.intern_counted(taint.key));
    ids[1].push_back(strings_.intern_counted(taint.value));
    ids[2].push_back(strings_.intern_counted(taint.effect));
  }
  const uint32_t next = free_.empty() ? size() : free_.back();
  auto [at, fresh] = codes_.try_emplace(identity_of(ids), next);
  if (!fresh) return at->second;
  if (!free_.empty()) free_.pop_back();
  for (const auto& list : ids)
    for (const StringId id : list) strings_.retain(id);
  store(next, ids);
  counts_.add(next);
  return next;
}

void TaintSets::collect() {
  counts_.sweep([&](uint32_t code) {
    Ids gone;
    const Column* const columns[] = {&keys_, &values_, &effects_};
    for (size_t i = 0; i < gone.size(); ++i) {
      const auto list = columns[i]->list_at<StringId>(code);
      gone[i].assign(list.begin(), list.end());
      for (const StringId id : gone[i]) strings_.release(id);
    }
    codes_.erase(identity_of(gone));
    store(code, {});
    free_.push_back(code);
  });
}

std::vector<Taint> TaintSets::taints(uint32_t code) const {
  BERTH_ASSERT(code < size());
  auto text = [&](const Column& column, size_t i) {
    return std::string(strings_.text(column.list_at<StringId>(code)[i]));
  };
  std::vector<Taint> taints;
  for (size_t i = 0; i < keys_.list_at<StringId>(code).size(); ++i)
    taints.push_back({text(keys_, i), text(values_, i), text(effects_, i)});
  return taints;
}

const Column& TaintSets::column(Attribute attribute) const {
  switch (attribute) {
    case Attribute::kTaintKeys:
      return keys_;
    case Attribute::kTaintValues:
      return values_;
    default:
      BERTH_ASSERT(attribute == Attribute::kTaintEffects);
      return effects_;
  }
}

uint32_t Images::code(std::string_view name) {
  const StringId id = strings_.intern_counted(name);
  const uint32_t next = free_.empty() ? size() : free_.back();
  const auto [at, fresh] = codes_.try_emplace(id, next);
  if (!fresh) return at->second;
  strings_.retain(id);
  if (free_.empty()) {
    names_.push_back(id);
    bytes_.push_back(0);
    nodes_.resize(size());
    nodes_.touch();
  } else {
    free_.pop_back();
    names_[next] = id;
  }
  counts_.add(next);
  return next;
}

void Images::collect() {
  counts_.sweep([&](uint32_t image) {
    BERTH_ASSERT(nodes_.values<int64_t>()[image] == 0);
    codes_.erase(names_[image]);
    strings_.release(names_[image]);
    names_[image] = 0;
    free_.push_back(image);
  });
}

void Images::add_node(uint32_t image, int64_t bytes) {
  if (node_count(image) == 0) bytes_[image] = bytes;
  count(image, 1);
}

void Images::count(uint32_t image, int64_t difference) {
  int64_t& nodes = nodes_.values<int64_t>()[image];
  nodes += difference;
  BERTH_ASSERT(nodes >= 0);
  nodes_.touch();
  log_.append(Table::kImages, image, change::kValue);
}

std::string normalised_image(std::string_view name) {
  size_t colon = name.rfind(':');
  size_t slash = name.rfind('/');
  // -1 means not found. A colon before the last slash belongs to a port.
  auto position = [](size_t at) {
    return at == std::string_view::npos ? int64_t{-1} : int64_t(at);
  };
  std::string normalised(name);
  if (position(colon) <= position(slash)) normalised += ":latest";
  return normalised;
}

}  // namespace berth::model
