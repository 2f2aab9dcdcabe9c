#include "engine/model/cluster/namespaces.h"

#include <utility>

namespace berth::model {

bool Namespaces::put(StringId name, Labels labels) {
  auto [at, fresh] = labels_.try_emplace(name);
  if (!fresh && at->second == labels) return false;
  at->second = std::move(labels);
  return true;
}

bool Namespaces::remove(StringId name) { return labels_.erase(name) != 0; }

const Labels& Namespaces::labels(StringId name) const {
  static const Labels kNone;
  auto at = labels_.find(name);
  return at == labels_.end() ? kNone : at->second;
}

}  // namespace berth::model
