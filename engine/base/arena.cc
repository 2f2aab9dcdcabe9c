#include "engine/base/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string>

#include "engine/base/assert.h"
#include "engine/base/error.h"

namespace berth {
namespace {

// Reserving address space costs nothing, but a limit (ulimit -v, strict overcommit) may refuse the
// larger sizes.
constexpr size_t kMostReserved = size_t{256} << 30;
constexpr size_t kLeastReserved = size_t{256} << 20;

// Whoever gets the descriptor can read, and nothing else.
constexpr int kSeals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE;

}  // namespace

Arena::Arena(Backing backing) {
  int flags =
      MAP_NORESERVE | (backing == Backing::kMemfd ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  if (backing == Backing::kMemfd) {
    descriptor_ = memfd_create("berth-columns", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor_ < 0)
      throw Error(std::string("cannot make shared memory for columns: ") + std::strerror(errno));
  }
  for (size_t size = kMostReserved; size >= kLeastReserved; size /= 2) {
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(size)) != 0) continue;
    void* region = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, descriptor_, 0);
    if (region == MAP_FAILED) continue;
    region_ = static_cast<std::byte*>(region);
    reserved_ = size;
    if (descriptor_ >= 0 && fcntl(descriptor_, F_ADD_SEALS, kSeals) != 0) {
      const std::string refused = std::strerror(errno);
      munmap(region_, reserved_);
      close(descriptor_);
      throw Error("cannot protect the shared memory for columns: " + refused);
    }
    return;
  }
  std::string reason = std::strerror(errno);
  if (descriptor_ >= 0) close(descriptor_);
  throw Error("cannot reserve " + std::to_string(kLeastReserved) +
              " bytes of address space for columns: " + reason);
}

Arena::~Arena() {
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
  return fresh;
}

void Arena::release(void* block, size_t bytes) {
  auto* first = static_cast<std::byte*>(block);
  BERTH_ASSERT(first >= region_ && first < region_ + used_);
  free_[static_cast<size_t>(std::countr_zero(block_size(bytes)))].push_back(block);
}

}  // namespace berth
