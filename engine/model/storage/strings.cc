#include "engine/model/storage/strings.h"

#include <xxhash.h>

#include <cstring>

#include "engine/base/assert.h"

namespace berth::model {

size_t Strings::Hash::operator()(std::string_view text) const {
  return XXH3_64bits(text.data(), text.size());
}

Strings::Strings() : entries_(new std::unique_ptr<std::string_view[]>[kMostChunks]) {
  entries_[0] = std::make_unique<std::string_view[]>(size_t{1} << kChunkBits);
  next_ = 1;
}

const char* Strings::keep(std::string_view text) {
  if (text.size() > block_left_) {
    size_t size = text.size() > kBytesPerBlock ? text.size() : kBytesPerBlock;
    blocks_.push_back(std::make_unique<char[]>(size));
    block_next_ = blocks_.back().get();
    block_left_ = size;
  }
  char* kept = block_next_;
  if (!text.empty()) std::memcpy(kept, text.data(), text.size());
  block_next_ += text.size();
  block_left_ -= text.size();
  return kept;
}

StringId Strings::intern(std::string_view text) {
  if (auto found = ids_.find(text); found != ids_.end()) return found->second;
  BERTH_ASSERT(next_ != UINT32_MAX);
  StringId id = next_++;
  auto& chunk = entries_[id >> kChunkBits];
  if (!chunk) chunk = std::make_unique<std::string_view[]>(size_t{1} << kChunkBits);
  std::string_view kept(keep(text), text.size());
  chunk[id & kChunkMask] = kept;
  ids_.emplace(kept, id);
  return id;
}

StringId Strings::find(std::string_view text) const {
  auto found = ids_.find(text);
  return found == ids_.end() ? 0 : found->second;
}

}  // namespace berth::model
