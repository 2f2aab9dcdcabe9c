#include "engine/drive/machine.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/drive/pace.h"

namespace berth::drive {
namespace {

// Says what another run heard.
class Recorded final : public Machine {
 public:
  Time time(Time /*measured*/) override { return Time(times_.at(asked_++)); }
  bool ready(bool measured) override {
    seen_ready_ = measured;
    return ready_;
  }
  int64_t date(int64_t /*measured*/) override { return 0; }
  bool past() const override { return true; }

  std::vector<int64_t> times_{5, 1'000'000'000'000};
  size_t asked_ = 0;
  bool ready_ = false, seen_ready_ = true;
};

class FullSource final : public WorkSource {
 public:
  bool next(Work& /*work*/) override { return false; }
  bool ready() override { return true; }
  bool wait_until(std::chrono::steady_clock::time_point /*until*/) override { return true; }
  bool finished() override { return true; }
  bool holds_whole() const override { return true; }
  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return remarks_; }
  uint64_t rejected_pods() const override { return 0; }
  const std::vector<ingest::RejectedPod>& rejected() const override { return rejected_; }

 private:
  Diagnostics diagnostics_;
  ingest::Remarks remarks_;
  std::vector<ingest::RejectedPod> rejected_;
};

// Nobody waits for a time that passed in another run, however late it is.
TEST(Machine, SaysWhatTimeItIs) {
  Recorded machine;
  Pace pace(ClockKind::kWall, &machine);
  pace.begin();
  EXPECT_EQ(pace.since_begin(), Time(5));
  EXPECT_EQ(pace.pass_to(std::chrono::hours(1), [] { return false; }), Time(1'000'000'000'000));
  EXPECT_EQ(machine.asked_, 2);
}

TEST(Machine, SaysWhetherInputIsThere) {
  Recorded machine;
  const std::unique_ptr<WorkSource> source = asking(std::make_unique<FullSource>(), machine);
  EXPECT_FALSE(source->ready());
  EXPECT_FALSE(machine.seen_ready_) << "the source of a past run is not asked";
  machine.ready_ = true;
  EXPECT_TRUE(source->ready());
}

TEST(Machine, IsNotAskedByTheVirtualClock) {
  Recorded machine;
  const Pace pace(ClockKind::kVirtual, &machine);
  EXPECT_EQ(pace.pass_to(std::chrono::hours(1), [] { return false; }), std::chrono::hours(1));
  EXPECT_EQ(machine.asked_, 0);
}

}  // namespace
}  // namespace berth::drive
