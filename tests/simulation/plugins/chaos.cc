// Answers at all points at which a plugin may fail as the simulation draws.
//
// Answers within a decision depend on the pod, the node and the number of the decision. The last is
// outside of the model, so these hooks are BERTH_DEPENDS_EXTERNAL.

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "berth/sdk/sdk.hpp"
#include "tests/simulation/world/faults.h"

namespace berth::simulation {
namespace {

constexpr char kText[] = "the simulation says so";

FaultText text_of(std::string_view text) {
  return {text.data(), static_cast<uint32_t>(text.size())};
}

// What the hooks of an instance share.
struct Link {
  const Faults* faults = nullptr;
};

template <class Point>
class Chaotic : public Point {
 public:
  template <class... Arguments>
  explicit Chaotic(Link& link, Arguments... arguments) : Point(arguments...), link_(link) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void describe(const typename Point::Call&, uint32_t, const sdk::TextSink& sink) const override {
    sink.write(kText);
  }

 protected:
  uint8_t next(FaultPoint point, int64_t& timeout) const {
    return link_.faults->next(link_.faults->self, point, &timeout);
  }
  uint8_t about(FaultPoint point, uint32_t pod, uint32_t node = 0) const {
    return link_.faults->about(link_.faults->self, point, text(pod), text(node));
  }
  // The same about the pod alone, with an error thrown.
  uint8_t code(FaultPoint point, uint32_t pod) const {
    const uint8_t code = about(point, pod);
    if (code == BERTH_ERROR) throw sdk::Failure(kText);
    return code;
  }
  void tell_of(Told what, uint64_t pod, uint32_t node) const {
    link_.faults->told(link_.faults->self, what, pod, text(node));
  }
  int64_t drawn_score(uint32_t pod, uint32_t node) const {
    return link_.faults->score(link_.faults->self, text(pod), text(node));
  }

 private:
  FaultText text(uint32_t id) const { return id == 0 ? FaultText{} : text_of(strings_.text(id)); }

  Link& link_;
  sdk::Strings strings_;
};

// A hook of the binding cycle: each pod of a call draws.
template <class Point>
class Drawing : public Chaotic<Point> {
 public:
  using Chaotic<Point>::Chaotic;

 protected:
  using Call = typename Point::Call;
  // `times`: of the answers WAIT; empty where there is none.
  void draw_all(const Call& call, FaultPoint point, std::span<uint8_t> codes,
                std::span<int64_t> times = {}) const {
    for (size_t i = 0; i < codes.size(); ++i) {
      int64_t time = 0;
      codes[i] = call.wanted(i) ? this->next(point, time) : uint8_t{BERTH_SUCCESS};
      if (codes[i] == BERTH_WAIT) {
        times[i] = time;
      } else if (codes[i] != BERTH_SUCCESS) {
        call.error().write(kText);
      }
    }
  }
};

// A hook of the queue or of the decision.
template <class Point>
class Deciding : public Chaotic<Point> {
 public:
  template <class... Arguments>
  explicit Deciding(Link& link, Arguments... arguments) : Chaotic<Point>(link, arguments...) {
    this->depends(BERTH_DEPENDS_EXTERNAL);
  }

 protected:
  using Call = typename Point::Call;
  uint32_t pod(const Call& call) const { return call.one(name_); }
  std::span<const uint32_t> pods(const Call& call) const { return call[name_]; }

 private:
  sdk::Input<uint32_t> name_{*this, "pod.name"};
};

struct ChaoticPreEnqueue final : Deciding<sdk::PreEnqueue> {
  using Deciding::Deciding;
  void check(const Call& call, std::span<uint8_t> codes,
             std::span<uint32_t> reasons) const override {
    std::fill(reasons.begin(), reasons.end(), 1u);
    for (size_t i = 0; i < codes.size(); ++i)
      codes[i] = code(FaultPoint::kPreEnqueue, pods(call)[i]);
  }
};

struct ChaoticPreFilter final : Deciding<sdk::PreFilter<>> {
  using Deciding::Deciding;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override {
    const uint8_t answer = code(FaultPoint::kPreFilter, pod(call));
    if (answer != BERTH_SUCCESS) result.refuse(answer, 1);
  }
};

// Fails as a whole, or at some nodes.
class ChaoticFilter final : public Deciding<sdk::Filter<>> {
 public:
  using Deciding::Deciding;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    code(FaultPoint::kFilter, pod(call));
    for (size_t i = 0; i < verdicts.size(); ++i) {
      verdicts[i] = BERTH_SUCCESS;
      if (!call.wanted(i)) continue;
      verdicts[i] = about(FaultPoint::kFilter, pod(call), call[node_][i]);
      if (verdicts[i] == BERTH_ERROR) call.error().write(kText);
    }
  }

 private:
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

struct ChaoticPostFilter final : Deciding<sdk::PostFilter<>> {
  using Deciding::Deciding;
  void post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                   berth_nomination& nomination) const override {
    nomination.code = code(FaultPoint::kPostFilter, pod(call));
    nomination.reason = 1;
  }
};

struct ChaoticPreScore final : Deciding<sdk::PreScore<>> {
  using Deciding::Deciding;
  void pre_score(const Call& call, const berth_feasible*,
                 sdk::PreScoreResult& result) const override {
    if (code(FaultPoint::kPreScore, pod(call)) == BERTH_SKIP) result.skip();
  }
};

// Normalising knows no pod, so a raw score tells it to fail.
class ChaoticScore final : public Deciding<sdk::Score<>> {
 public:
  explicit ChaoticScore(Link& link) : Deciding(link, uint32_t{BERTH_NORMALISE_OWN}) {}
  void score(const Call& call, std::span<int64_t> raw) const override {
    code(FaultPoint::kScore, pod(call));
    const uint8_t later = about(FaultPoint::kNormalise, pod(call));
    for (size_t i = 0; i < raw.size(); ++i)
      raw[i] = later == BERTH_ERROR     ? kFails
               : later != BERTH_SUCCESS ? kIsOutside
                                        : drawn_score(pod(call), call[node_][i]);
  }
  int64_t normalise(int64_t raw, int64_t, int64_t) const override {
    if (raw == kFails) throw sdk::Failure(kText);
    return raw;
  }

 private:
  static constexpr int64_t kFails = -1, kIsOutside = 101;
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

// Tells what became of pods.
template <class Base>
class Telling : public Base {
 public:
  using Base::Base;

 protected:
  using Call = typename Base::Call;
  void tell(Told what, const Call& call, size_t i) const {
    this->tell_of(what, call[handle_][i], call[node_][i]);
  }
  void tell_all(Told what, const Call& call) const {
    for (size_t i = 0; i < call.size(); ++i) tell(what, call, i);
  }

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

struct ChaoticReserve final : Telling<Drawing<sdk::Reserve>> {
  using Telling::Telling;
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    draw_all(call, FaultPoint::kReserve, codes);
    std::fill(reasons.begin(), reasons.end(), 1u);
    for (size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == BERTH_SUCCESS) tell(Told::kReserved, call, i);
  }
  void unreserve(const Call& call) const noexcept override { tell_all(Told::kUnreserved, call); }
};

struct ChaoticObserve final : Telling<Chaotic<sdk::Observe>> {
  using Telling::Telling;
  void bound(const Call& call) const noexcept override { tell_all(Told::kBound, call); }
  void left(const Call& call) const noexcept override { tell_all(Told::kLeft, call); }
};

struct ChaoticPermit final : Drawing<sdk::Permit> {
  using Drawing::Drawing;
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
              std::span<int64_t> timeouts) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = next(FaultPoint::kPermit, timeouts[i]);
      reasons[i] = 1;
      if (codes[i] == BERTH_ERROR) call.error().write(kText);
    }
  }
};

// Waits may come again, and some then take longer than the limit.
struct ChaoticPreBind final : Drawing<sdk::WaitingPreBind> {
  using Drawing::Drawing;
  void pre_bind(const Call& call, std::span<const int64_t>, std::span<uint8_t> codes,
                std::span<int64_t> again) const override {
    draw_all(call, FaultPoint::kPreBind, codes, again);
  }
  std::chrono::nanoseconds wait_limit() const override { return std::chrono::seconds(20); }
};

// Fails pods or leaves them to the next plugin.
struct ChaoticBind final : Drawing<sdk::Bind> {
  using Drawing::Drawing;
  void bind(const Call& call, std::span<uint8_t> codes) const override {
    draw_all(call, FaultPoint::kBind, codes);
    for (size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == BERTH_SUCCESS) codes[i] = BERTH_SKIP;
  }
};

// Every event may help, and an error counts as a yes.
struct ChaoticHints final : Chaotic<sdk::Hints<>> {
  using Chaotic::Chaotic;
  uint32_t actions(uint32_t) const override { return BERTH_DID_ANYTHING; }
  bool hint(const Call&, const sdk::Event&) const override {
    code(FaultPoint::kHints, 0);
    return true;
  }
};

class Chaos final : public sdk::Plugin {
 public:
  Chaos() {
    add(pre_enqueue_, pre_filter_, filter_, post_filter_, pre_score_, score_, reserve_, permit_,
        pre_bind_, bind_, hints_, observe_);
  }
  static void validate(const sdk::Config& config) { config["faults"].integer(); }
  void init(sdk::Host, const sdk::Config& config) override {
    link_.faults = reinterpret_cast<const Faults*>(config["faults"].integer());
  }

 private:
  Link link_;
  ChaoticPreEnqueue pre_enqueue_{link_};
  ChaoticPreFilter pre_filter_{link_};
  ChaoticFilter filter_{link_};
  ChaoticPostFilter post_filter_{link_};
  ChaoticPreScore pre_score_{link_};
  ChaoticScore score_{link_};
  ChaoticReserve reserve_{link_};
  ChaoticPermit permit_{link_};
  ChaoticPreBind pre_bind_{link_};
  ChaoticBind bind_{link_};
  ChaoticHints hints_{link_};
  ChaoticObserve observe_{link_};
};

}  // namespace
}  // namespace berth::simulation

BERTH_SDK_PLUGIN(berth::simulation::Chaos, "io.berth.test.chaos", "Chaos",
                 BERTH_PRE_ENQUEUE " " BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_POST_FILTER
                                   " " BERTH_PRE_SCORE " " BERTH_SCORE " " BERTH_RESERVE
                                   " " BERTH_PERMIT " " BERTH_PRE_BIND " " BERTH_BIND
                                   " " BERTH_HINTS " " BERTH_OBSERVE);
