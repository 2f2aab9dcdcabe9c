// Answers at the points from PreFilter to Bind as the simulation draws.

#include <string>
#include <string_view>

#include "berth/sdk/sdk.hpp"
#include "tests/simulation/faults.h"

namespace berth::simulation {
namespace {

constexpr char kText[] = "the simulation says so";

// What the hooks of an instance share.
struct Link {
  const Faults* faults = nullptr;
};

template <class Point>
class Chaotic : public Point {
 public:
  explicit Chaotic(Link& link) : link_(link) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void describe(const typename Point::Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write(kText);
  }

 protected:
  using Call = typename Point::Call;
  size_t count(const Call& call) const { return call[name_].size(); }
  uint8_t ask(const Call& call, size_t i, FaultPoint point, int64_t* timeout = nullptr) const {
    const std::string_view name = strings_.text(call[name_][i]);
    int64_t unused = 0;
    return link_.faults->answer(link_.faults->self, point, name.data(),
                                static_cast<uint32_t>(name.size()),
                                timeout != nullptr ? timeout : &unused);
  }
  void ask_all(const Call& call, FaultPoint point, std::span<uint8_t> codes) const {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (!call.wanted(i)) continue;
      codes[i] = ask(call, i, point);
      if (codes[i] != BERTH_SUCCESS && codes[i] != BERTH_SKIP) call.error().write(kText);
    }
  }

 private:
  Link& link_;
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

struct ChaoticPreFilter final : Chaotic<sdk::PreFilter<>> {
  using Chaotic::Chaotic;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override {
    const uint8_t code = ask(call, 0, FaultPoint::kPreFilter);
    if (code == BERTH_ERROR) throw sdk::Failure(kText);
    if (code != BERTH_SUCCESS) result.refuse(code, 1);
  }
};

struct ChaoticReserve final : Chaotic<sdk::Reserve> {
  using Chaotic::Chaotic;
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    ask_all(call, FaultPoint::kReserve, codes);
    std::fill(reasons.begin(), reasons.end(), 1u);
  }
  void unreserve(const Call&) const noexcept override {}
};

struct ChaoticPermit final : Chaotic<sdk::Permit> {
  using Chaotic::Chaotic;
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
              std::span<int64_t> timeouts) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = ask(call, i, FaultPoint::kPermit, &timeouts[i]);
      reasons[i] = 1;
      if (codes[i] == BERTH_ERROR) call.error().write(kText);
    }
  }
};

struct ChaoticPreBind final : Chaotic<sdk::PreBind> {
  using Chaotic::Chaotic;
  void pre_bind(const Call& call, std::span<uint8_t> codes) const override {
    ask_all(call, FaultPoint::kPreBind, codes);
  }
};

// Fails pods or leaves them to the next plugin.
struct ChaoticBind final : Chaotic<sdk::Bind> {
  using Chaotic::Chaotic;
  void bind(const Call& call, std::span<uint8_t> codes) const override {
    ask_all(call, FaultPoint::kBind, codes);
    for (size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == BERTH_SUCCESS) codes[i] = BERTH_SKIP;
  }
};

class Chaos final : public sdk::Plugin {
 public:
  Chaos() { add(pre_filter_, reserve_, permit_, pre_bind_, bind_); }
  static void validate(const sdk::Config& config) { config["faults"].integer(); }
  void init(sdk::Host, const sdk::Config& config) override {
    link_.faults = reinterpret_cast<const Faults*>(config["faults"].integer());
  }

 private:
  Link link_;
  ChaoticPreFilter pre_filter_{link_};
  ChaoticReserve reserve_{link_};
  ChaoticPermit permit_{link_};
  ChaoticPreBind pre_bind_{link_};
  ChaoticBind bind_{link_};
};

}  // namespace
}  // namespace berth::simulation

BERTH_SDK_PLUGIN(berth::simulation::Chaos, "io.berth.test.chaos", "Chaos",
                 BERTH_PRE_FILTER " " BERTH_RESERVE " " BERTH_PERMIT " " BERTH_PRE_BIND
                                  " " BERTH_BIND);
