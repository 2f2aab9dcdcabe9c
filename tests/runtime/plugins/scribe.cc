// Writes down every call that it gets from PreEnqueue to PostBind, one line for each pod that the
// call is about: "POINT HANDLE NAME". What it answers follows the pod's name:
//   gate-*            PreEnqueue refuses it
//   flight-skip-*     PreBind has nothing to do for it
//   flight-fail-*     PreBind's pre_flight fails for it
//   before-fail-*     PreBind fails for it, with a text of its own
// Lines go to the file that the environment variable BERTH_TEST_SCRIBE names.

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

void write_line(const char* point, uint64_t handle, std::string_view name) {
  const char* path = std::getenv("BERTH_TEST_SCRIBE");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::app) << point << ' ' << handle << ' ' << name << '\n';
}

template <typename Point>
class Scribe : public Point {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }

 protected:
  using Call = typename Point::Call;
  std::string_view name(const Call& call, size_t i) const { return strings_.text(call[name_][i]); }
  void note(const char* point, const Call& call, size_t count) const {
    for (size_t i = 0; i < count; ++i)
      if (call.wanted(i)) write_line(point, call[handle_][i], name(call, i));
  }
  size_t count(const Call& call) const { return call[handle_].size(); }

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

class ScribePreEnqueue final : public Scribe<sdk::PreEnqueue> {
 public:
  void check(const Call& call, std::span<uint8_t> codes,
             std::span<uint32_t> reasons) const override {
    note("PreEnqueue", call, codes.size());
    for (size_t i = 0; i < codes.size(); ++i) {
      const bool gates = name(call, i).starts_with("gate-");
      codes[i] = gates ? BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE : BERTH_SUCCESS;
      reasons[i] = gates ? 1 : 0;
    }
  }
  void describe(const Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write("its name says so");
  }
};

class ScribeReserve final : public Scribe<sdk::Reserve> {
 public:
  void reserve(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    note("Reserve", call, codes.size());
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  void unreserve(const Call& call) const noexcept override { note("Unreserve", call, count(call)); }
};

class ScribePreBind final : public Scribe<sdk::PreBind> {
 public:
  void pre_flight(const Call& call, std::span<uint8_t> codes) const override {
    note("PreFlight", call, codes.size());
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!call.wanted(i)) continue;
      codes[i] = BERTH_SUCCESS;
      if (name(call, i).starts_with("flight-skip-")) codes[i] = BERTH_SKIP;
      if (name(call, i).starts_with("flight-fail-")) fail(call, codes, i);
    }
  }
  void pre_bind(const Call& call, std::span<uint8_t> codes) const override {
    note("PreBind", call, codes.size());
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (call.wanted(i) && name(call, i).starts_with("before-fail-")) fail(call, codes, i);
    }
  }

 private:
  void fail(const Call& call, std::span<uint8_t> codes, size_t i) const {
    codes[i] = BERTH_ERROR;
    call.error().write("no luck for " + std::string(name(call, i)));
  }
};

class ScribePostBind final : public Scribe<sdk::PostBind> {
 public:
  void post_bind(const Call& call) const noexcept override { note("PostBind", call, count(call)); }
};

}  // namespace

using ScribePlugin = sdk::Hooks<ScribePreEnqueue, ScribeReserve, ScribePreBind, ScribePostBind>;

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::ScribePlugin, "io.berth.test.scribe", "Scribe",
                 BERTH_PRE_ENQUEUE " " BERTH_RESERVE " " BERTH_PRE_BIND " " BERTH_POST_BIND);
