#pragma once

// The binding cycle: what happens to a pod once its node is chosen and it was assumed there. Pods
// are bound in batches, since a hook's call over many costs as much as one over few.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/services.h"

namespace berth::cycle {

// Where bindings end up. On the thread that binds.
class BindingSink {
 public:
  virtual ~BindingSink() = default;
  // Throws Error if the binding cannot be written.
  virtual void bind(std::string_view namespace_name, std::string_view name,
                    std::string_view node) = 0;
  // Around the binding cycle of each batch, for whoever measures. `bound`: the handles with which
  // the pods came that are bound now, in the order of their decisions.
  virtual void batch_begins() {}
  virtual void batch_ended([[maybe_unused]] std::span<const uint64_t> bound) {}
};

// A pod whose binding failed, as it came, and why.
struct BindFailure {
  model::PodRecord pod;
  model::Row row;
  std::string message;
};

// The bindings service for plugins, and the batch.
class Binder final : public host::BindingServices {
 public:
  static constexpr size_t kBatch = 256;

  Binder(model::Cluster& cluster, BindingSink* sink) : cluster_(cluster), sink_(sink) {}

  // To be flushed before the rows of the node table may change.
  void add(framework::Profile& profile, const model::PodRecord& pod, model::Row row);
  bool full() const { return pods_.size() >= kBatch; }
  bool belongs_to_other(const framework::Profile& profile) const {
    return !pods_.empty() && profile_ != &profile;
  }
  // PreBind, Bind and PostBind over the batch; those that failed. The caller takes them back.
  std::vector<BindFailure> flush(host::CallContext& worker);

  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) override;

 private:
  void pre_bind(host::CallContext& worker);
  void bind(host::CallContext& worker);
  void post_bind(host::CallContext& worker);
  void tell_sink();
  void fail(size_t position, std::string message);
  template <typename Hook>
  berth_call call(Hook& hook, const std::vector<uint64_t>& mask);

  model::Cluster& cluster_;
  BindingSink* sink_;  // null: bindings are counted and go nowhere
  framework::Profile* profile_ = nullptr;
  std::vector<model::PodRecord> pods_;  // pod.handle is the position here
  std::vector<uint64_t> handles_;       // with which they came
  std::vector<model::Row> rows_;
  std::vector<uint64_t> open_;         // bit per position: not failed and not bound yet
  std::vector<uint64_t> bound_;        // of those that PostBind hears of
  std::vector<std::string> failures_;  // by position; empty: none
  std::vector<uint64_t> bound_handles_;
  std::vector<uint8_t> codes_;
  framework::CallColumns columns_;
};

}  // namespace berth::cycle
