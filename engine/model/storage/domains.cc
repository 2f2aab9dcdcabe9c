#include "engine/model/storage/domains.h"

namespace berth::model {

DomainCode Domains::code(StringId key, StringId value) {
  auto [at, fresh] = codes_.try_emplace(uint64_t{key} << 32 | value, DomainCode{0});
  if (fresh) {
    DomainCode& next = sizes_.try_emplace(key, DomainCode{1}).first->second;
    at->second = next++;
  }
  return at->second;
}

DomainCode Domains::size(StringId key) const {
  auto at = sizes_.find(key);
  return at == sizes_.end() ? 1 : at->second;
}

}  // namespace berth::model
