#include "engine/isolation/child/stray_calls.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <set>

namespace berth::isolation {
namespace {

constexpr size_t kMostStrays = 256;
constexpr size_t kMostStrayText = 100;

struct Noted {
  std::mutex mutex;
  std::set<StrayCalls::Stray> all;
  std::vector<StrayCalls::Stray> fresh;
  std::atomic<bool> is_fresh{false};
};

// Never destroyed: a thread of the plugin may run longer than static objects live.
Noted& noted() {
  static auto& one = *new Noted;
  return one;
}

}  // namespace

void StrayCalls::note(uint32_t number, std::string_view text) noexcept try {
  Noted& so_far = noted();
  const std::lock_guard lock(so_far.mutex);
  if (so_far.all.size() == kMostStrays) return;
  Stray stray(number, text.substr(0, kMostStrayText));
  if (!so_far.all.insert(stray).second) return;
  so_far.fresh.push_back(std::move(stray));
  so_far.is_fresh = true;
} catch (const std::exception&) {  // no memory for a message
}

std::vector<StrayCalls::Stray> StrayCalls::take() {
  Noted& so_far = noted();
  if (!so_far.is_fresh) return {};
  const std::lock_guard lock(so_far.mutex);
  so_far.is_fresh = false;
  return std::exchange(so_far.fresh, {});
}

}  // namespace berth::isolation
