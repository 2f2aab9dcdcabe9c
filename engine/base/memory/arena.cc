#include "engine/base/memory/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/memory/pages_ahead.h"

namespace berth {
namespace {

// Reserving address space costs nothing, but a limit (ulimit -v, strict overcommit) may refuse the
// larger sizes.
constexpr size_t kMostReserved = size_t{256} << 30;
constexpr size_t kLeastReserved = size_t{256} << 20;

// Whoever gets the descriptor can read, and nothing else.
constexpr int kSeals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE;

// Core dumps have the region up to a multiple of this.
constexpr size_t kDumpStep = size_t{16} << 20;

}  // namespace

Arena::Arena(Backing backing) {
  if (backing != Backing::kAnonymous) {
    descriptor_ = memfd_create("berth-columns", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor_ < 0)
      throw Error(std::string("cannot make shared memory for columns: ") + std::strerror(errno));
  }
  for (size_t size = kMostReserved; size >= kLeastReserved; size /= 2) {
    if (!map(size)) continue;
    if (backing != Backing::kGuarded || show(size)) {
      seal();
      return;
    }
    munmap(std::exchange(region_, nullptr), size);
  }
  std::string reason = std::strerror(errno);
  if (descriptor_ >= 0) close(descriptor_);
  throw Error("cannot reserve " + std::to_string(kLeastReserved) +
              " bytes of address space for columns: " + reason);
}

// Reserves the region; false if the system refuses.
bool Arena::map(size_t size) {
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return false;
  const int flags = MAP_NORESERVE | (descriptor_ >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  void* region = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, descriptor_, 0);
  if (region == MAP_FAILED) return false;
  region_ = static_cast<std::byte*>(region);
  reserved_ = size;
  // Nobody wants to wait for a dump of what was never handed out.
  madvise(region_, reserved_, MADV_DONTDUMP);
  madvise(region_, reserved_, MADV_HUGEPAGE);  // a wish
  if (descriptor_ < 0) PagesAhead::of_process().add({region_, reserved_, 0});
  return true;
}

// Maps the region a second time, read-only; false if the system refuses.
bool Arena::show(size_t size) {
  void* shown = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (shown == MAP_FAILED) return false;
  madvise(shown, size, MADV_DONTDUMP);
  to_shown_ = static_cast<std::byte*>(shown) - region_;
  return true;
}

// The region is mapped for writing by now.
void Arena::seal() {
  if (descriptor_ < 0 || fcntl(descriptor_, F_ADD_SEALS, kSeals) == 0) return;
  const std::string refused = std::strerror(errno);
  unmap();
  throw Error("cannot protect the shared memory for columns: " + refused);
}

Arena::~Arena() { unmap(); }

void Arena::unmap() {
  if (descriptor_ < 0) PagesAhead::of_process().remove(region_);
  if (to_shown_ != 0) munmap(region_ + to_shown_, reserved_);
  munmap(region_, reserved_);
  if (descriptor_ >= 0) close(descriptor_);
}

size_t Arena::block_size(size_t bytes) {
  return bytes <= kAlignment ? kAlignment : std::bit_ceil(bytes);
}

void* Arena::allocate(size_t bytes) {
  size_t block = block_size(bytes);
  auto& reusable = free_[static_cast<size_t>(std::countr_zero(block))];
  if (!reusable.empty()) {
    void* reused = reusable.back();
    reusable.pop_back();
    return std::memset(reused, 0, block);
  }
  if (block > reserved_ - used_)
    throw Error("out of memory for columns: " + std::to_string(reserved_) +
                " bytes are reserved and all in use; the cluster is too large for this machine");
  void* fresh = region_ + used_;
  used_ += block;
  if (used_ > dumped_) dump_more();
  return fresh;
}

void Arena::dump_more() {
  const size_t wanted = (used_ + kDumpStep - 1) / kDumpStep * kDumpStep;
  const size_t end = std::min(wanted, reserved_);
  madvise(region_ + dumped_, end - dumped_, MADV_DODUMP);
  dumped_ = end;
}

void Arena::release(void* block, size_t bytes) {
  auto* first = static_cast<std::byte*>(block);
  BERTH_ASSERT(first >= region_ && first < region_ + used_);
  free_[static_cast<size_t>(std::countr_zero(block_size(bytes)))].push_back(block);
}

}  // namespace berth
