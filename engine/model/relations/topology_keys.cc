#include "engine/model/relations/topology_keys.h"

#include <algorithm>
#include <string>

namespace berth::model {

std::span<const Row> TopologyKey::rows(DomainCode code) {
  if (generation_ != domains_.generation()) sort();
  if (size_t{code} + 1 >= begins_.size()) return {};
  return {rows_.data() + begins_[code], begins_[code + 1] - begins_[code]};
}

// A counting sort: the rows of a code stand behind those of all lower codes.
void TopologyKey::sort() {
  generation_ = domains_.generation();
  ++sorts_;
  const auto* codes = domains_.values<uint32_t>();
  const size_t count = domains_.count();
  DomainCode most = 0;
  for (size_t row = 0; row < count; ++row) most = std::max(most, codes[row]);
  begins_.assign(size_t{most} + 2, 0);
  for (size_t row = 0; row < count; ++row) ++begins_[codes[row] + 1];
  for (size_t code = 1; code < begins_.size(); ++code) begins_[code] += begins_[code - 1];
  rows_.resize(count);
  std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
  for (Row row = 0; row < count; ++row) rows_[next[codes[row]]++] = row;
}

TopologyKey& TopologyKeys::of(StringId key) {
  std::unique_ptr<TopologyKey>& known = keys_[key];
  if (known == nullptr) {
    const ColumnId column = catalog_.find("node.domain:" + std::string(strings_.text(key)));
    known =
        std::make_unique<TopologyKey>(key, nodes_.column(column, catalog_.info(column)), domains_);
  }
  return *known;
}

}  // namespace berth::model
