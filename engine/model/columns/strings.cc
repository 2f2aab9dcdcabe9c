#include "engine/model/columns/strings.h"

#include <xxhash.h>

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::model {

uint64_t Strings::hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

Strings::Strings()
    : directory_(map_zeros(kMostChunks * sizeof(Entry*))),
      entries_(reinterpret_cast<Entry**>(directory_.get())) {
  entries_[0] = new_chunk();
  next_.store(1, std::memory_order_relaxed);
}

Strings::~Strings() {
  for (StringId id = 1; id < size(); ++id) delete[] entry(id).far;
}

Strings::Entry* Strings::new_chunk() { return memory_.make_rows<Entry>(size_t{1} << kChunkBits); }

StringId Strings::add(const Hashed& hashed, bool stays) {
  const std::string_view text = hashed.text;
  BERTH_ASSERT(text.size() <= UINT32_MAX);
  StringId id = size();
  if (free_.empty()) {
    BERTH_ASSERT(id != UINT32_MAX);
    next_.store(id + 1, std::memory_order_relaxed);
    Entry*& chunk = entries_[id >> kChunkBits];
    if (chunk == nullptr) chunk = new_chunk();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Entry& made = entry(id);
  char* to = made.near;
  if (text.size() > kShort) made.far = to = new char[text.size()];
  std::ranges::copy(text, to);
  made.size = static_cast<uint32_t>(text.size());
  made.hash = hashed.hash;
  made.stays = stays;
  ids_.insert(id);
  counts_.add(id);
  return id;
}

StringId Strings::intern(std::string_view text) {
  const Hashed hashed{text, hash(text)};
  const auto found = ids_.find(hashed);
  if (found == ids_.end()) return add(hashed, true);
  entry(*found).stays = true;
  return *found;
}

StringId Strings::intern_counted(std::string_view text, uint64_t hash) {
  const Hashed hashed{text, hash};
  const auto found = ids_.find(hashed);
  return found == ids_.end() ? add(hashed, false) : *found;
}

size_t Strings::expect(std::span<const std::string_view> texts,
                       std::span<const uint64_t> hashes) const {
  size_t known = 0;
  for (size_t i = 0; i < texts.size(); ++i)
    known += ids_.contains(Hashed{texts[i], hashes[i]}) ? 1 : 0;
  return known;
}

StringId Strings::find(std::string_view text) const {
  const auto found = ids_.find(Hashed{text, hash(text)});
  return found == ids_.end() ? 0 : *found;
}

void Strings::collect() {
  counts_.sweep([&](StringId id) {
    Entry& gone = entry(id);
    if (gone.stays) return;
    ids_.erase(id);
    delete[] gone.far;
    gone = {};
    free_.push_back(id);
  });
}

}  // namespace berth::model
