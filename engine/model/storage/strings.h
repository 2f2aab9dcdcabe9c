#pragma once

// Interned strings. Equal texts have equal ids. Ids are dense from 1 and never reused; id 0 means
// "absent". The empty text has an id like any other. Texts stay at their address for the life of
// the store.
//
// Threads: one thread interns. Other threads may read the texts of ids that were handed to them
// after they were interned, because entries neither move nor change.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace berth::model {

using StringId = uint32_t;

class Strings {
 public:
  Strings();

  StringId intern(std::string_view text);
  StringId find(std::string_view text) const;  // 0: it was never interned
  std::string_view text(StringId id) const {   // of id 0: empty
    return entries_[id >> kChunkBits][id & kChunkMask];
  }
  uint32_t size() const { return next_; }  // every id is below it

 private:
  static constexpr uint32_t kChunkBits = 12;
  static constexpr uint32_t kChunkMask = (1u << kChunkBits) - 1;
  static constexpr size_t kMostChunks = size_t{1} << (32 - kChunkBits);
  static constexpr size_t kBytesPerBlock = 64 * 1024;

  struct Hash {
    size_t operator()(std::string_view text) const;
  };

  const char* keep(std::string_view text);

  // The directory has its final size from the start, so readers never see it move.
  std::unique_ptr<std::unique_ptr<std::string_view[]>[]> entries_;
  uint32_t next_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_next_ = nullptr;
  boost::unordered_flat_map<std::string_view, StringId, Hash> ids_;
};

}  // namespace berth::model
