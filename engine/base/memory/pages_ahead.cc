#include "engine/base/memory/pages_ahead.h"

#include <linux/mman.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "engine/base/program/signals.h"

namespace berth {
namespace {

constexpr size_t kFewest = 2, kMost = 16, kShare = 8;  // pages that are prepared together

// Between two looks: the longer the more often nothing was found.
constexpr std::chrono::milliseconds kShortest{1}, kLongest{8};

bool is_zero(const std::byte* page) {
  return page[0] == std::byte{0} && std::memcmp(page, page + 1, AheadRegion::kPage - 1) == 0;
}

}  // namespace

AheadRegion::AheadRegion(std::byte* begin, size_t size, size_t unit) : given_(begin) {
  const size_t cut = (kPage - reinterpret_cast<uintptr_t>(begin) % kPage) % kPage;
  begin_ = begin + cut;
  pages_ = cut < size ? (size - cut) / kPage : 0;
  unit_ = unit != 0 ? unit / kPage : std::max<size_t>(pages_, 1);
  ready_.resize((pages_ + unit_ - 1) / unit_);
  prepared_.resize(pages_);
}

bool AheadRegion::has_memory(size_t page) const {
  unsigned char resident = 0;
  return mincore(at(page), 1, &resident) == 0 && (resident & 1) != 0;
}

bool AheadRegion::prepare(size_t page) {
  if (madvise(at(page), kPage, MADV_POPULATE_WRITE) != 0) return false;
  prepared_[page] = true;
  ++with_memory_;
  return true;
}

size_t AheadRegion::wanted() const { return std::clamp(with_memory_ / kShare, kFewest, kMost); }

// A page behind those that are ready has memory only if it was used.
size_t AheadRegion::step(size_t unit, const std::stop_token& stop) {
  const size_t first = unit * unit_, end = std::min(unit_, pages_ - first);
  size_t& ready = ready_[unit];
  const size_t before = ready;
  while (ready < end && has_memory(first + ready)) ++ready;
  if (ready == before) return 0;
  with_memory_ += ready - before;
  const size_t begin = ready, last = std::min(end, ready + wanted());
  while (ready < last && !has_memory(first + ready) && !stop.stop_requested() &&
         prepare(first + ready))
    ++ready;
  return ready - begin;
}

size_t AheadRegion::step(const std::stop_token& stop) {
  size_t prepared = 0;
  for (size_t unit = 0; unit < ready_.size(); ++unit) {
    if (unit != 0 && ready_[unit - 1] == 0) break;  // the units behind are not in use
    prepared += step(unit, stop);
  }
  return prepared;
}

size_t AheadRegion::unused() const {
  size_t unused = 0;
  for (size_t unit = 0; unit < ready_.size(); ++unit)
    for (size_t page = unit * unit_; page < unit * unit_ + ready_[unit]; ++page)
      if (prepared_[page] && has_memory(page) && is_zero(at(page))) ++unused;
  return unused;
}

PagesAhead& PagesAhead::of_process() {
  static auto* const pages = new PagesAhead();
  return *pages;
}

void PagesAhead::start() {
  const SignalsBlocked in_the_thread;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void PagesAhead::add(AheadRegion region) {
  const MutexLock lock(mutex_);
  regions_.push_back(std::move(region));
}

void PagesAhead::remove(const std::byte* begin) {
  const MutexLock lock(mutex_);
  std::erase_if(regions_, [&](const AheadRegion& region) { return region.begins_at(begin); });
}

size_t PagesAhead::unused_bytes() const {
  const MutexLock lock(mutex_);
  size_t pages = 0;
  for (const AheadRegion& region : regions_) pages += region.unused();
  return pages * AheadRegion::kPage;
}

void PagesAhead::run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;  // notified by the request to stop alone
  std::chrono::milliseconds wait = kShortest;
  while (!stop.stop_requested()) {
    size_t prepared = 0;
    {
      const MutexLock lock(mutex_);
      for (AheadRegion& region : regions_) prepared += region.step(stop);
    }
    wait = prepared != 0 ? kShortest : std::min(wait * 2, kLongest);
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, wait, [] { return false; });
  }
}

}  // namespace berth
