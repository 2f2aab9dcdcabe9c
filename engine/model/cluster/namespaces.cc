#include "engine/model/cluster/namespaces.h"

#include <utility>

namespace berth::model {

bool Namespaces::put(StringId name, Labels labels) {
  auto [at, fresh] = labels_.try_emplace(name);
  if (!fresh && at->second == labels) return false;
  if (fresh) strings_.retain(name);
  retain(strings_, labels);
  release(strings_, at->second);
  at->second = std::move(labels);
  return true;
}

bool Namespaces::remove(StringId name) {
  const auto at = labels_.find(name);
  if (at == labels_.end()) return false;
  release(strings_, at->second);
  strings_.release(name);
  labels_.erase(at);
  return true;
}

const Labels& Namespaces::labels(StringId name) const {
  static const Labels kNone;
  auto at = labels_.find(name);
  return at == labels_.end() ? kNone : at->second;
}

}  // namespace berth::model
