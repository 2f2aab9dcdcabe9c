// Binds, reserves and permits pods depending on the prefix of their names, so that tests can
// observe how the engine handles each answer.

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

class PickyBind final : public sdk::Bind {
 public:
  void init(sdk::Host host) override {
    strings_ = sdk::Strings(host);
    bindings_ = sdk::Bindings(host);
  }
  void bind(const Call& call, std::span<uint8_t> codes) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!call.wanted(i)) continue;
      std::string_view name = strings_.text(call[name_][i]);
      if (name.starts_with("hang")) std::this_thread::sleep_for(std::chrono::seconds(20));
      if (name.starts_with("skip")) {
        codes[i] = BERTH_SKIP;
      } else if (name.starts_with("fail")) {
        call.error().write("its name says so");
        codes[i] = BERTH_ERROR;
      } else {
        codes[i] = static_cast<uint8_t>(
            bindings_.write(call[handle_].subspan(i, 1), call[node_].subspan(i, 1)));
      }
    }
  }

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::Strings strings_;
  sdk::Bindings bindings_;
};

class PickyReserve final : public sdk::Reserve {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      bool refuses = strings_.text(call[name_][i]).starts_with("unreserved");
      codes[i] = refuses ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
      reasons[i] = 1;
    }
  }
  void unreserve(const Call&) const noexcept override {}
  void describe(const Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write("nothing left to reserve");
  }

 private:
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

class PickyPermit final : public sdk::Permit {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>,
              std::span<int64_t> timeouts) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      bool waits = strings_.text(call[name_][i]).starts_with("wait");
      codes[i] = waits ? BERTH_WAIT : BERTH_SUCCESS;
      timeouts[i] = waits ? 1'000'000'000 : 0;
    }
  }

 private:
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

}  // namespace

using Picky = sdk::Hooks<PickyBind, PickyReserve, PickyPermit>;

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Picky, "io.berth.test.picky", "Picky",
                 BERTH_BIND " " BERTH_RESERVE " " BERTH_PERMIT);
