#include "engine/queue/queue_event.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::queue {
namespace {

void insert(std::vector<RefuserId>& sorted, RefuserId refuser) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), refuser);
  if (at == sorted.end() || *at != refuser) sorted.insert(at, refuser);
}

}  // namespace

void Refusers::add(RefuserId refuser, bool pending) {
  BERTH_ASSERT(refuser != kNobody);
  insert(all_, refuser);
  if (pending) insert(pending_, refuser);
}

void Refusers::clear() {
  all_.clear();
  pending_.clear();
}

bool Refusers::contains(RefuserId refuser) const {
  return std::binary_search(all_.begin(), all_.end(), refuser);
}

bool Refusers::pending(RefuserId refuser) const {
  return std::binary_search(pending_.begin(), pending_.end(), refuser);
}

}  // namespace berth::queue
