#include "engine/kube/api/watch_lines.h"

#include "engine/base/assert.h"

namespace berth::kube {

void WatchLines::feed(std::string_view data) {
  BERTH_ASSERT(data_.empty() && !too_long_ && !joined_);
  data_ = data;
}

std::optional<std::string_view> WatchLines::next() {
  if (joined_) begun_.clear();
  joined_ = false;
  if (too_long_) return std::nullopt;
  const size_t end = data_.find('\n');
  const std::string_view part = data_.substr(0, end);
  if (part.size() > most_bytes_ - begun_.size()) {
    too_long_ = true;
    data_ = {};
    return std::nullopt;
  }
  data_ = end == data_.npos ? std::string_view() : data_.substr(end + 1);
  if (end == part.npos) {
    begun_.append(part);
    return std::nullopt;
  }
  if (begun_.empty()) return part;
  joined_ = true;
  return begun_.append(part);
}

}  // namespace berth::kube
