#pragma once

// Plugins tell of their data from outside of the model (berth/abi/external.h): epochs that they
// raised, and wakes. Any thread says it; the owner of the model takes it between two pods.

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"

namespace berth::host {

// A bit for each epoch of an instance, by its number - 1, and kWakes.
using EpochMarks = uint32_t;

// Marks that threads of another process set. The owner's thread asks.
class FarMarks {
 public:
  virtual ~FarMarks() = default;
  virtual bool any() = 0;
  // Those that were set since the last call. What was written before they were set is visible.
  virtual EpochMarks take() = 0;
};

// Of one instance of a plugin.
class InstanceEpochs {
 public:
  static constexpr uint32_t kMost = 16;
  static constexpr EpochMarks kWakes = EpochMarks{1} << kMost;
  static constexpr EpochMarks kAllMarks = 2 * kWakes - 1;

  // `any` outlives it: set with each mark.
  InstanceEpochs(std::string profile, std::string plugin, std::atomic<bool>& any)
      : profile_(std::move(profile)), plugin_(std::move(plugin)), any_(any) {}

  const std::string& profile() const { return profile_; }
  const std::string& plugin() const { return plugin_; }

  // The number, from 1, of the epoch whose column this is. 0: there are kMost others. The owner's.
  uint32_t name(uint32_t column);
  // Any thread. False: there is no such epoch.
  [[nodiscard]] bool raise(uint32_t epoch) {
    if (epoch == 0 || epoch > named_.load(std::memory_order_acquire)) return false;
    mark(EpochMarks{1} << (epoch - 1));
    return true;
  }
  void wake() { mark(kWakes); }
  // Raises all epochs, and wakes: the instance has lost its data.
  void raise_all() { mark(kAllMarks); }

  // The owner's. `far` outlives the next call with null.
  void set_far(FarMarks* far) { far_ = far; }
  bool far_any() const { return far_ != nullptr && far_->any(); }
  EpochMarks take() {
    const EpochMarks near = marks_.exchange(0, std::memory_order_acquire);
    return far_ == nullptr ? near : near | far_->take();
  }
  // The columns of the epochs by their numbers - 1.
  const std::vector<uint32_t>& columns() const { return columns_; }

 private:
  // Release: who takes the mark sees the data that were written before.
  void mark(EpochMarks marks) {
    marks_.fetch_or(marks, std::memory_order_release);
    any_.store(true, std::memory_order_release);
  }

  const std::string profile_, plugin_;
  std::atomic<bool>& any_;
  std::atomic<EpochMarks> marks_{0};
  std::atomic<uint32_t> named_{0};  // columns_.size()
  std::vector<uint32_t> columns_;
  FarMarks* far_ = nullptr;
};

// Of the instances of a core. Belongs to the thread that owns the model.
class External {
 public:
  // Valid until it is removed.
  InstanceEpochs& add(std::string profile, std::string plugin);
  void remove(const InstanceEpochs& instance);

  // True if take() has something to tell. A mark that is set before the call counts.
  bool waits() const;
  // Calls raised(column) for each epoch that was raised since the last call, and after all of them
  // woken(profile, plugin) for each instance that woke its pods.
  template <std::invocable<uint32_t> Raised,
            std::invocable<const std::string&, const std::string&> Woken>
  void take(Raised&& raised, Woken&& woken) {
    any_.exchange(false, std::memory_order_acq_rel);  // sees the marks of whoever set it
    std::vector<const InstanceEpochs*> wake;
    for (const auto& instance : instances_) {
      const EpochMarks marks = instance->take();
      for (uint32_t i = 0; i < instance->columns().size(); ++i)
        if ((marks >> i & 1) != 0) raised(instance->columns()[i]);
      if ((marks & InstanceEpochs::kWakes) != 0) wake.push_back(instance.get());
    }
    for (const InstanceEpochs* instance : wake) woken(instance->profile(), instance->plugin());
  }
  // Calls each(instance, column) for the epochs that instances named.
  template <std::invocable<const InstanceEpochs&, uint32_t> Each>
  void for_each_epoch(Each&& each) const {
    for (const auto& instance : instances_)
      for (const uint32_t column : instance->columns()) each(*instance, column);
  }
  // True if a plugin asked for the service, so that its threads may set marks.
  bool in_use() const { return !instances_.empty(); }

 private:
  std::atomic<bool> any_{false};  // an instance of this process set a mark
  std::vector<std::unique_ptr<InstanceEpochs>> instances_;
};

}  // namespace berth::host
