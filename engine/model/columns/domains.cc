#include "engine/model/columns/domains.h"

namespace berth::model {

DomainCode Domains::code(StringId key, StringId value) {
  BERTH_ASSERT(value != 0);
  const auto [at, first] = keys_.try_emplace(key);
  if (first && key != 0) strings_.retain(key);
  Codes& codes = at->second;
  const auto [known, fresh] = codes.of.try_emplace(value, DomainCode{0});
  if (!fresh) return known->second;
  strings_.retain(value);
  if (codes.free.empty()) return known->second = codes.end++;
  known->second = codes.free.back();
  codes.free.pop_back();
  return known->second;
}

DomainCode Domains::size(StringId key) const {
  const auto at = keys_.find(key);
  return at == keys_.end() ? 1 : at->second.end;
}

}  // namespace berth::model
