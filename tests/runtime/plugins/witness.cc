// Stands at all extension points of a pod's way and writes down each call, one line for each pod
// that it is about: "NAME POINT". A pod with the name POINT-refuse or POINT-fail is refused or
// failed at that point; all others pass. Lines go to the file that the environment variable
// BERTH_TEST_WITNESS names.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

template <class Point>
class Witness : public Point {
 public:
  template <class... Arguments>
  explicit Witness(Arguments... arguments) : Point(arguments...) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void describe(const typename Point::Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write("its name says so");
  }

 protected:
  using Call = typename Point::Call;
  size_t count(const Call& call) const { return call[name_].size(); }
  // Writes the line, and returns the code that the pod's name asks for.
  uint8_t pass(const char* point, const Call& call, size_t i) const {
    const std::string_view name = strings_.text(call[name_][i]);
    if (const char* path = std::getenv("BERTH_TEST_WITNESS"))
      std::ofstream(path, std::ios::app) << name << ' ' << point << '\n';
    if (name == sdk::concat(point, "-refuse")) return BERTH_UNSCHEDULABLE;
    return name == sdk::concat(point, "-fail") ? BERTH_ERROR : BERTH_SUCCESS;
  }
  // The same, for all pods of a call; texts of those that are refused or fail go to the call.
  void pass_all(const char* point, const Call& call, std::span<uint8_t> codes) const {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!call.wanted(i)) continue;
      codes[i] = pass(point, call, i);
      if (codes[i] != BERTH_SUCCESS) call.error().write("its name says so");
    }
  }
  // For points that have no codes.
  void pass_or_throw(const char* point, const Call& call) const {
    if (pass(point, call, 0) != BERTH_SUCCESS) throw sdk::Failure("its name says so");
  }

 private:
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

struct AtPreEnqueue final : Witness<sdk::PreEnqueue> {
  void check(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    pass_all("preEnqueue", call, codes);
  }
};

struct AtPreFilter final : Witness<sdk::PreFilter<>> {
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override {
    const uint8_t code = pass("preFilter", call, 0);
    if (code == BERTH_ERROR) throw sdk::Failure("its name says so");
    if (code != BERTH_SUCCESS) result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 1);
  }
};

struct AtFilter final : Witness<sdk::Filter<>> {
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const uint8_t code = pass("filter", call, 0);
    if (code == BERTH_ERROR) throw sdk::Failure("its name says so");
    std::fill(verdicts.begin(), verdicts.end(), code);
  }

 private:
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

struct AtPostFilter final : Witness<sdk::PostFilter<>> {
  void post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                   berth_nomination& nomination) const override {
    pass_or_throw("postFilter", call);
    nomination.code = BERTH_UNSCHEDULABLE;
  }

 private:
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

struct AtPreScore final : Witness<sdk::PreScore<>> {
  void pre_score(const Call& call, const berth_feasible*, sdk::PreScoreResult&) const override {
    pass_or_throw("preScore", call);
  }
};

struct AtScore final : Witness<sdk::Score<>> {
  AtScore() : Witness(BERTH_NORMALISE_NONE) {}
  void score(const Call& call, std::span<int64_t> raw) const override {
    pass_or_throw("score", call);
    std::fill(raw.begin(), raw.end(), 1);
  }

 private:
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

struct AtReserve final : Witness<sdk::Reserve> {
  void reserve(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    pass_all("reserve", call, codes);
  }
  void unreserve(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i) pass("unreserve", call, i);
  }
};

struct AtPermit final : Witness<sdk::Permit> {
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>,
              std::span<int64_t>) const override {
    pass_all("permit", call, codes);
  }
};

struct AtPreBind final : Witness<sdk::PreBind> {
  void pre_flight(const Call& call, std::span<uint8_t> codes) const override {
    pass_all("preFlight", call, codes);
  }
  void pre_bind(const Call& call, std::span<uint8_t> codes) const override {
    pass_all("preBind", call, codes);
  }
};

// Leaves pods to the next plugin unless it fails them.
struct AtBind final : Witness<sdk::Bind> {
  void bind(const Call& call, std::span<uint8_t> codes) const override {
    pass_all("bind", call, codes);
    for (uint8_t& code : codes)
      if (code == BERTH_SUCCESS) code = BERTH_SKIP;
  }
};

struct AtPostBind final : Witness<sdk::PostBind> {
  void post_bind(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i)
      if (call.wanted(i)) pass("postBind", call, i);
  }
};

}  // namespace

using WitnessPlugin = sdk::Hooks<AtPreEnqueue, AtPreFilter, AtFilter, AtPostFilter, AtPreScore,
                                 AtScore, AtReserve, AtPermit, AtPreBind, AtBind, AtPostBind>;

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::WitnessPlugin, "io.berth.test.witness", "Witness",
                 BERTH_PRE_ENQUEUE " " BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_POST_FILTER
                                   " " BERTH_PRE_SCORE " " BERTH_SCORE " " BERTH_RESERVE
                                   " " BERTH_PERMIT " " BERTH_PRE_BIND " " BERTH_BIND
                                   " " BERTH_POST_BIND);
