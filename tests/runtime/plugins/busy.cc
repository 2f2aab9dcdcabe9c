// Takes time in PreBind. Arguments: {"work": nanoseconds of computing per pod, "wait": microseconds
// of waiting per call, as for an answer of another machine}.

#include <chrono>
#include <thread>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

class BusyPreBind final : public sdk::PreBind {
 public:
  void pre_bind(const Call& call, std::span<uint8_t> codes) const override {
    std::this_thread::sleep_for(wait);
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + work * call.size();
    while (Clock::now() < end) {
    }
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }

  std::chrono::nanoseconds work{};
  std::chrono::microseconds wait{};

 private:
  sdk::Input<uint64_t> pod_{*this, "pod.handle"};
};

class BusyPlugin : public sdk::Plugin {
 public:
  BusyPlugin() { add(pre_bind_); }
  static void validate(const sdk::Config& config) {
    for (const char* name : {"work", "wait"}) config[name].integer();
  }
  void init(sdk::Host, const sdk::Config& config) override {
    pre_bind_.work = std::chrono::nanoseconds(config["work"].integer());
    pre_bind_.wait = std::chrono::microseconds(config["wait"].integer());
  }

 private:
  BusyPreBind pre_bind_;
};

}  // namespace
}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::BusyPlugin, "io.berth.test.busy", "Busy", BERTH_PRE_BIND);
