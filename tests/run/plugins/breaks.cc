// Breaks in one function, in one way, which its arguments name: {"in": "filter", "by": "segfault"}.
// Built with BERTH_BREAKS_AT_START, it breaks in its static constructors, or with
// BERTH_BREAKS_AT_END in its static destructors.

#include <unistd.h>

#include <cfenv>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

// Read anew each time, so that the compiler does not know what will happen.
volatile uintptr_t nowhere = 16;
volatile bool always = true;

void write_to_nowhere() { *reinterpret_cast<volatile int*>(nowhere) = 1; }

[[gnu::noinline]] int without_end(volatile char* outer) {
  volatile char frame[4096];
  frame[0] = outer[0];
  return always ? without_end(frame) + frame[0] : 0;
}

void throw_if_always() {
  if (always) throw std::runtime_error("bad luck");
}
void throw_where_nobody_may() noexcept { throw_if_always(); }

void break_by(std::string_view way) {
  if (way == "segfault") write_to_nowhere();
  if (way == "abort") std::abort();
  if (way == "terminate") throw_where_nobody_may();
  while (way == "hang" && always) ::pause();
  if (way == "round") std::fesetround(FE_UPWARD);
  if (way == "overflow") {
    volatile char first = 0;
    static_cast<void>(without_end(&first));
  }
  if (way == "exit") std::exit(3);
  if (way == "_exit") ::_exit(0);
  if (way == "quick_exit") std::quick_exit(-4);
}

struct Breaks {
  std::string in, by;

  void pass(std::string_view here) const {
    if (in == here) break_by(by);
  }
};

class BreaksPreEnqueue final : public sdk::PreEnqueue {
 public:
  explicit BreaksPreEnqueue(const Breaks& breaks) : breaks_(breaks) {}
  void check(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    breaks_.pass("pre_enqueue");
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }

 private:
  const Breaks& breaks_;
};

class BreaksFilter final : public sdk::Filter<> {
 public:
  explicit BreaksFilter(const Breaks& breaks) : breaks_(breaks) {}
  void filter(const Call&, std::span<uint8_t> verdicts) const override {
    breaks_.pass("filter");
    const bool waits = breaks_.in == "filter" && breaks_.by == "wait";
    for (uint8_t& verdict : verdicts) verdict = waits ? BERTH_WAIT : BERTH_SUCCESS;
  }

 private:
  const Breaks& breaks_;
  sdk::Input<uint32_t> name_{*this, "node.name"};
};

class BreaksReserve final : public sdk::Reserve {
 public:
  explicit BreaksReserve(const Breaks& breaks) : breaks_(breaks) {}
  void reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    breaks_.pass("reserve");
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  void unreserve(const Call&) const noexcept override {}

 private:
  const Breaks& breaks_;
};

class BreaksPreBind final : public sdk::PreBind {
 public:
  explicit BreaksPreBind(const Breaks& breaks) : breaks_(breaks) {}
  void pre_bind(const Call&, std::span<uint8_t> codes) const override {
    breaks_.pass("pre_bind");
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }

 private:
  const Breaks& breaks_;
};

// Answers what no plugin may: "wait", a code that PostFilter does not have; "stranger", a victim
// that is on no node.
class BreaksPostFilter final : public sdk::PostFilter<> {
 public:
  explicit BreaksPostFilter(const Breaks& breaks) : breaks_(breaks) {}
  void post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                   berth_nomination& nomination) const override {
    static constexpr uint64_t kStranger = 4711;
    const bool here = breaks_.in == "post_filter";
    nomination.code = here && breaks_.by == "wait" ? BERTH_WAIT : BERTH_UNSCHEDULABLE;
    if (!here || breaks_.by != "stranger") return;
    nomination.code = BERTH_SUCCESS;
    nomination.node = call[name_][0];
    nomination.victims = &kStranger;
    nomination.victim_count = 1;
  }

 private:
  const Breaks& breaks_;
  sdk::Input<uint32_t> name_{*this, "node.name"};
};

class BreaksPostBind final : public sdk::PostBind {
 public:
  explicit BreaksPostBind(const Breaks& breaks) : breaks_(breaks) {}
  void post_bind(const Call&) const noexcept override { breaks_.pass("post_bind"); }

 private:
  const Breaks& breaks_;
};

class BreaksPlugin final : public sdk::Plugin {
 public:
  BreaksPlugin() { add(pre_enqueue_, filter_, post_filter_, reserve_, pre_bind_, post_bind_); }
  ~BreaksPlugin() override { breaks_.pass("destroy"); }

  static void validate(const sdk::Config& config) { read(config).pass("validate"); }
  void init(sdk::Host, const sdk::Config& config) override {
    breaks_ = read(config);
    breaks_.pass("init");
  }

 private:
  static Breaks read(const sdk::Config& config) {
    return {std::string(config["in"].text()), std::string(config["by"].text())};
  }

  Breaks breaks_;
  BreaksPreEnqueue pre_enqueue_{breaks_};
  BreaksFilter filter_{breaks_};
  BreaksReserve reserve_{breaks_};
  BreaksPreBind pre_bind_{breaks_};
  BreaksPostFilter post_filter_{breaks_};
  BreaksPostBind post_bind_{breaks_};
};

#if defined(BERTH_BREAKS_AT_START)
const bool started = (write_to_nowhere(), true);
#elif defined(BERTH_BREAKS_AT_END)
struct Last {
  ~Last() { write_to_nowhere(); }
} last;
#endif

}  // namespace
}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::BreaksPlugin, "io.berth.test.breaks", "Breaks",
                 BERTH_PRE_ENQUEUE " " BERTH_FILTER " " BERTH_POST_FILTER " " BERTH_RESERVE
                                   " " BERTH_PRE_BIND " " BERTH_POST_BIND);
