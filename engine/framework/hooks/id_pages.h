#pragma once

// A table by small ids of the model, in pages. A page appears when one of its ids is looked up and
// can be dropped when none of them was for a while, so that memory follows the ids in use and not
// the largest id. The root takes 8 bytes for each 1,024 ids.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace berth::framework {

// One thread. T is default-constructible; an entry that was never written equals T().
template <typename T>
class IdPages {
 public:
  static constexpr uint32_t kPage = 1024;  // ids

  // The entry of `id`; a new one is T(). Marks its page as used in `epoch`. The reference is valid
  // until drop_older() or clear().
  T& at(uint32_t id, uint64_t epoch) {
    const size_t page = id / kPage;
    if (page >= pages_.size() || pages_[page] == nullptr) [[unlikely]]
      make(page);
    Page& in = *pages_[page];
    in.used_in = epoch;
    return in.values[id % kPage];
  }

  // Drops pages whose last use is before `epoch`.
  void drop_older(uint64_t epoch) {
    for (auto& page : pages_) {
      if (page == nullptr || page->used_in >= epoch) continue;
      page.reset();
      --made_;
    }
    while (!pages_.empty() && pages_.back() == nullptr) pages_.pop_back();
  }

  template <typename Visit>  // visit(entry)
  void for_each(Visit&& visit) {
    for (auto& page : pages_)
      if (page != nullptr)
        for (T& value : page->values) visit(value);
  }

  void clear() {
    pages_.clear();
    made_ = 0;
  }
  size_t pages() const { return made_; }  // pages that have memory
  size_t bytes() const { return made_ * sizeof(Page) + pages_.capacity() * sizeof(pages_[0]); }

 private:
  struct Page {
    uint64_t used_in = 0;
    std::array<T, kPage> values{};
  };

  void make(size_t page) {
    if (page >= pages_.size()) pages_.resize(page + 1);
    pages_[page] = std::make_unique<Page>();
    ++made_;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  size_t made_ = 0;
};

}  // namespace berth::framework
