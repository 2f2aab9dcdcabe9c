// Binds, reserves and permits pods depending on the prefix of their names, so that tests can
// observe how the engine handles each answer. Its PreFilter reads the table of nominated pods.

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

// Refuses a pod while others of its namespace that do not come after it are nominated, and request
// cpu.
class PickyPreFilter final : public sdk::PreFilter<> {
 public:
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override {
    for (size_t i = 0; i < call[nominated_].size(); ++i)
      if (call[nominated_][i] != call.one(handle_) && call[requests_][i] > 0 &&
          call[namespaces_][i] == call.one(namespace_) &&
          call[priorities_][i] >= call.one(priority_) && call[nodes_][i] != 0)
        result.refuse(BERTH_UNSCHEDULABLE, 1);
  }
  void describe(const Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write("nominated pods come first");
  }

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::Input<int64_t> priority_{*this, "pod.priority"};
  sdk::Input<uint64_t> nominated_{*this, "nominated.pod"};
  sdk::Input<uint32_t> namespaces_{*this, "nominated.namespace"};
  sdk::Input<uint32_t> nodes_{*this, "nominated.node"};
  sdk::Input<int64_t> priorities_{*this, "nominated.priority"};
  sdk::Input<int64_t> requests_{*this, "nominated.requests:cpu"};
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

using Picky = sdk::Hooks<PickyBind, PickyPreFilter, PickyReserve, PickyPermit>;

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Picky, "io.berth.test.picky", "Picky",
                 BERTH_BIND " " BERTH_PRE_FILTER " " BERTH_RESERVE " " BERTH_PERMIT,
                 "nominated.pod");
