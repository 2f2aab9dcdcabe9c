#pragma once

// Pages that get their memory before they are used, on a thread of their own.
//
// The first write to a page is a fault: the kernel finds memory and clears it, while the thread
// that writes waits. That takes 0.2 ms for 2 MiB, the time of hundreds of decisions, and 4 ms in a
// virtual machine that has to get the memory from its host. Memory that grows is mostly used in the
// order of its addresses. So where a page is found used, the pages behind it get memory, and the
// thread that writes to them does not wait.

#include <cstddef>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/base/mutex.h"

namespace berth {

// Address space that is used page by page from its start on; or unit by unit, and each unit from
// its start on, as an allocator takes segments. What gives its memory back and takes it again later
// is not noticed. One thread.
class AheadRegion {
 public:
  static constexpr size_t kPage = size_t{1} << 21;  // whatever pages the kernel has

  // Private memory that may be written, and that outlives the object. Pages that are cut by its
  // ends are left alone. `unit`: bytes, a multiple of the page; 0: there is one.
  AheadRegion(std::byte* begin, size_t size, size_t unit);

  // Gives memory to pages behind those that were used since the last call: to an eighth of those
  // that have some, at least two and at most sixteen. Returns their number. Ends early when it is
  // told to stop, or when the kernel refuses.
  size_t step(const std::stop_token& stop = {});

  // The pages that got memory here and hold only zeros: nobody has used them yet. Reads them.
  size_t unused() const;

  // True if `begin` is what the constructor got.
  bool begins_at(const std::byte* begin) const { return given_ == begin; }

 private:
  size_t step(size_t unit, const std::stop_token& stop);
  bool has_memory(size_t page) const;
  bool prepare(size_t page);
  size_t wanted() const;
  std::byte* at(size_t page) const { return begin_ + page * kPage; }

  const std::byte* given_;
  std::byte* begin_;
  size_t pages_;
  size_t unit_;                 // pages
  std::vector<size_t> ready_;   // by unit: the pages from its start on that have memory
  std::vector<bool> prepared_;  // by page: it got its memory here
  size_t with_memory_ = 0;      // pages: the sum of ready_
};

// Does that for some regions. Functions: any thread.
class PagesAhead {
 public:
  PagesAhead() = default;
  // For memory that many parts of a program share. It never ends, and starts no thread by itself.
  static PagesAhead& of_process();

  // Starts the thread, which ends with the object. To be called once: in a child after fork(), if
  // there. Without it the regions are left alone.
  void start();
  void add(AheadRegion region);
  // Waits until the thread does not use the region.
  void remove(const std::byte* begin);

  // The memory of pages that nobody has used yet, in bytes.
  size_t unused_bytes() const;

 private:
  void run(const std::stop_token& stop);

  mutable Mutex mutex_;
  std::vector<AheadRegion> regions_ BERTH_GUARDED_BY(mutex_);
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace berth
