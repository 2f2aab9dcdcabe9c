#include "engine/model/storage/dictionaries.h"

#include "engine/base/assert.h"

namespace berth::model {

TaintSets::TaintSets(Arena& arena, Strings& strings, ChangeLog& log)
    : strings_(strings),
      log_(log),
      keys_(arena, BERTH_U32, true),
      values_(arena, BERTH_U32, true),
      effects_(arena, BERTH_U32, true) {
  code({});
}

uint32_t TaintSets::code(const std::vector<Taint>& taints) {
  std::vector<StringId> keys, values, effects;
  for (const Taint& taint : taints) {
    keys.push_back(strings_.intern(taint.key));
    values.push_back(strings_.intern(taint.value));
    effects.push_back(strings_.intern(taint.effect));
  }
  std::string identity;
  for (const auto* ids : {&keys, &values, &effects})
    identity.append(reinterpret_cast<const char*>(ids->data()), ids->size() * sizeof(StringId));
  auto [at, fresh] = codes_.try_emplace(std::move(identity), size());
  if (!fresh) return at->second;

  uint32_t code = at->second;
  auto store = [&](Column& column, const std::vector<StringId>& ids) {
    column.resize(code + 1);
    column.set_list<StringId>(code, ids);
    column.touch();
  };
  store(keys_, keys);
  store(values_, values);
  store(effects_, effects);
  log_.append(Table::kTaintSets, code, change::kValue);
  return code;
}

std::vector<Taint> TaintSets::taints(uint32_t code) const {
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

uint32_t Images::code(StringId name) {
  auto [at, fresh] = codes_.try_emplace(name, size());
  if (fresh) {
    names_.push_back(name);
    nodes_.resize(size());
    nodes_.touch();
  }
  return at->second;
}

void Images::count(uint32_t image, int64_t difference) {
  nodes_.values<int64_t>()[image] += difference;
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
