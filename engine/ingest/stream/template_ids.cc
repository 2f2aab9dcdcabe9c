#include "engine/ingest/stream/template_ids.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/error.h"
#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

TemplateIds::Id TemplateIds::id_of(std::string identity) {
  if (const auto known = ids_.find(identity); known != ids_.end()) {
    known->second.used = true;
    return {known->second.id, false};
  }
  const bool again = !free_.empty();
  const auto id = again ? free_.back() : static_cast<uint32_t>(ids_.size());
  if (id > kMaxTemplateId) throw Error("a stream cannot have more than 2^20 templates at a time");
  ids_.emplace(std::move(identity), Template{id, true, false});
  if (again) free_.pop_back();
  return {id, true};
}

// The next time is due after as many new templates as there are old ones that come again and again:
// these stay, and retiring costs each new template at most three looks. Counting all that are left
// instead would make the wait longer each time.
std::vector<uint32_t> TemplateIds::retire() {
  std::vector<uint32_t> retired;
  size_t old = 0;
  boost::unordered::erase_if(ids_, [&](auto& entry) {
    Template& one = entry.second;
    if (!std::exchange(one.used, false)) {
      retired.push_back(one.id);
      return true;
    }
    if (std::exchange(one.old, true)) ++old;
    return false;
  });
  ids_.rehash(0);
  std::sort(retired.begin(), retired.end(), std::greater<>());
  free_.insert(free_.end(), retired.begin(), retired.end());
  retire_at_ = ids_.size() + std::max(kKept, old);
  return retired;
}

}  // namespace berth::ingest
