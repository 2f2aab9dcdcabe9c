#pragma once

// Interned strings. Equal texts have equal ids; ids are dense from 1; id 0 means "absent". The
// empty text is a text like any other.
//
// A string that `intern` returned stays for the life of the store: for configurations, and plugins,
// whose ids must stay valid. A string that only `intern_counted` returned stays while it is
// retained, and until the next `collect` after that: for everything that objects of the cluster
// name, whose number is not bounded. The owner of such an id retains it: rows of the pod table and
// of the node table, templates, labels, selectors, images, namespaces, budgets, columns, domains.
//
// Most texts are names, and short. They lie in the entry of their string, so that to look one up
// reads one cache line of it, and to add one allocates nothing.
//
// Texts do not move while their string stays. One thread interns and collects. Other threads may
// read the text of ids that were handed to them after they were interned, if the string stays; and
// size().

#include <atomic>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/memory/chunk_memory.h"
#include "engine/base/memory/mapping.h"
#include "engine/model/columns/reference_counts.h"

namespace berth::model {

using StringId = uint32_t;

class Strings {
 public:
  Strings();
  ~Strings();
  Strings(const Strings&) = delete;
  Strings& operator=(const Strings&) = delete;

  // The id of a text, new or known, which stays for the life of the store.
  StringId intern(std::string_view text);
  // The same for a text that may be retired. The id must be retained before the next `collect`, or
  // not be used after it.
  StringId intern_counted(std::string_view text) { return intern_counted(text, hash(text)); }
  // The same for a text whose hash was computed before, mostly by another thread.
  StringId intern_counted(std::string_view text, uint64_t hash);
  // Any thread.
  static uint64_t hash(std::string_view text);
  // Makes a counted string stay for the life of the store.
  void pin(StringId id) { entry(id).stays = true; }
  // Count the references to a string. Strings that stay can be retained and released as well. Each
  // release() requires a retain() before.
  void retain(StringId id) { counts_.retain(id); }
  void release(StringId id) { counts_.release(id); }

  StringId find(std::string_view text) const;  // 0: no such string
  // Looks all of them up at once, so that the memory for the calls of intern_counted() that follow
  // comes together and not one after the other. Returns how many are known.
  size_t expect(std::span<const std::string_view> texts, std::span<const uint64_t> hashes) const;
  // Empty for 0. Requires: the id is in use. The text is valid while its string stays.
  std::string_view text(StringId id) const { return entry(id).text(); }
  // All ids are below this number. It does not shrink when strings are retired.
  uint32_t size() const { return next_.load(std::memory_order_relaxed); }
  // Number of strings in the store.
  uint32_t count() const { return static_cast<uint32_t>(ids_.size()); }

  // Retires counted strings without references; their ids are used again. Costs the strings whose
  // count dropped to 0 since the last call, not all strings.
  void collect();
  size_t candidates() const { return counts_.candidates(); }  // strings that collect() looks at

 private:
  static constexpr uint32_t kChunkBits = 11;
  static constexpr uint32_t kChunkMask = (1u << kChunkBits) - 1;
  static constexpr size_t kMostChunks = size_t{1} << (32 - kChunkBits);
  static constexpr size_t kShort = 42;  // bytes

  struct alignas(64) Entry {
    uint64_t hash = 0;          // of the text
    const char* far = nullptr;  // an allocation of its own; null: the text is in `near`
    uint32_t size = 0;
    bool stays = false;  // interned for good
    char near[kShort];   // NOLINT(modernize-avoid-c-arrays)

    std::string_view text() const { return {far != nullptr ? far : near, size}; }
  };
  static_assert(sizeof(Entry) == 64);
  // A text that is looked up, and its hash.
  struct Hashed {
    std::string_view text;
    uint64_t hash = 0;
  };
  // Tables of ids know the hashes of their texts, so they grow without reading a text.
  struct Hash {
    using is_transparent = void;
    using is_avalanching = void;
    size_t operator()(StringId id) const { return of->entry(id).hash; }
    size_t operator()(const Hashed& text) const { return text.hash; }
    const Strings* of;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(StringId a, StringId b) const { return a == b; }
    bool operator()(const Hashed& a, StringId b) const {
      const Entry& known = of->entry(b);
      return a.hash == known.hash && a.text == known.text();
    }
    bool operator()(StringId a, const Hashed& b) const { return (*this)(b, a); }
    const Strings* of;
  };

  Entry& entry(StringId id) { return entries_[id >> kChunkBits][id & kChunkMask]; }
  const Entry& entry(StringId id) const { return entries_[id >> kChunkBits][id & kChunkMask]; }
  StringId add(const Hashed& text, bool stays);
  Entry* new_chunk();

  // The directory has its final size from the start, so that readers never see it move. It costs
  // nothing until it is written.
  Mapping directory_;
  Entry** entries_;
  ChunkMemory memory_;  // of entries
  // Atomic for size() alone, which other threads compare an id with. Relaxed order suffices: an id
  // was handed to them with an order of its own, so they see a number above it, and one that was
  // not handed to them they must not use.
  std::atomic<uint32_t> next_{0};
  std::vector<StringId> free_;
  ReferenceCounts counts_;
  boost::unordered_flat_set<StringId, Hash, Equal> ids_{0, Hash{this}, Equal{this}};
};

}  // namespace berth::model
