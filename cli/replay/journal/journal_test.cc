#include "cli/replay/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/replay/journal/journal_writer.h"
#include "engine/base/error.h"

namespace berth::cli {
namespace {

using testing::ElementsAre;

Decided placed(std::string_view pod, std::string_view node, int64_t at) {
  return {pod, node, {}, Decided::Outcome::kPlaced, Time(at)};
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    path_ = (std::filesystem::temp_directory_path() /
             testing::UnitTest::GetInstance()->current_test_info()->name())
                .string() +
            std::to_string(getpid());
  }
  ~JournalTest() override { std::filesystem::remove(path_); }

  // Three frames of two decisions each, and one input with a pause.
  void write_journal() {
    JournalWriter writer(path_);
    writer.settings({.program = "x",
                     .options = {{"--pods", {"-"}}},
                     .inputs = {{.path = "-", .folder = {}, .live = true}}});
    writer.input(0, bytes_of("first"));
    writer.input(0, InputPiece::kPause);
    writer.input(0, bytes_of("second"));
    DecisionPacker packer;
    for (uint64_t frame = 0; frame < 3; ++frame) {
      packer.add(placed("a/p" + std::to_string(frame), "n1", 5));
      packer.add({"a/q", {}, "n2 (evicts a/p0)", Decided::Outcome::kRefused, Time(7)});
      writer.frame(JournalFrame::kDecisions, packer.take(2 * frame, 100 + frame));
    }
    writer.input(0, InputPiece::kEnd);
    Packer end;
    for (const uint64_t number : {6u, 102u, 0u}) end.number(number);
    writer.frame(JournalFrame::kEnd, end.packed());
  }
  void cut(size_t size) { std::filesystem::resize_file(path_, size); }

  std::string path_;
};

TEST_F(JournalTest, IsReadAsItWasWritten) {
  write_journal();
  ASSERT_TRUE(holds_journal(path_));
  const Journal journal(path_);
  EXPECT_EQ(journal.settings().options.at(0).name, "--pods");
  ASSERT_EQ(journal.decisions().size(), 6);
  EXPECT_TRUE(journal.decisions()[2].same(placed("a/p1", "n1", 0)));
  EXPECT_EQ(journal.decisions()[3].nominates, "n2 (evicts a/p0)");
  EXPECT_EQ(journal.decisions()[3].at, Time(7));
  EXPECT_EQ(journal.decisions().hash_after(4), 101);
  EXPECT_EQ(journal.decisions().hash_after(3), std::nullopt);
  ASSERT_TRUE(journal.end().has_value());
  EXPECT_EQ(journal.end()->hash, 102);
  EXPECT_EQ(journal.cut_off(), 0);
}

// A reader hands on what it has where the recorded one did.
TEST_F(JournalTest, PausesOfAnInputComeAgain) {
  write_journal();
  const Journal journal(path_);
  const std::unique_ptr<ByteSource> source = journal.input(0);
  EXPECT_TRUE(source->ready());
  std::vector<uint8_t> out(100);
  EXPECT_EQ(source->read(out), 5);
  EXPECT_FALSE(source->ready());
  EXPECT_TRUE(source->ready());
  EXPECT_EQ(read_all(*source), "second");
}

// Whatever byte is the last one.
TEST_F(JournalTest, ACutJournalEndsWithItsLastWholeFrame) {
  write_journal();
  const size_t whole = std::filesystem::file_size(path_);
  size_t most = 6;
  for (size_t size = whole - 1; size > 0; --size) {
    cut(size);
    try {
      const Journal journal(path_);
      EXPECT_FALSE(journal.end().has_value());
      EXPECT_LE(journal.decisions().size(), most);
      EXPECT_EQ(journal.decisions().size() % 2, 0) << "half a frame counts";
      most = journal.decisions().size();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("before its first whole frame"));
      EXPECT_EQ(most, 0);
    }
  }
}

// Nothing behind damage counts, since something would be missing.
TEST_F(JournalTest, ADamagedFrameEndsTheJournal) {
  write_journal();
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(size / 2);
  file.put('\xff');
  file.close();
  const Journal journal(path_);
  EXPECT_FALSE(journal.end().has_value());
  EXPECT_GT(journal.cut_off(), 0);
}

TEST(DecisionList, RefusesWhatIsNoListOfDecisions) {
  DecisionPacker packer;
  packer.add(placed("a/p", "n", 1));
  const std::vector<uint8_t> good = packer.take(0, 1);
  for (size_t size = 0; size < good.size(); ++size) {
    DecisionList list;
    EXPECT_THROW(list.add(std::span(good).first(size)), Error) << size;
  }
  DecisionList twice;
  twice.add(good);
  EXPECT_THROW(twice.add(good), Error) << "the first decision comes again";
}

TEST(MachineAnswers, ComeAgainInTheirOrder) {
  AnswerPacker packer;
  packer.date(1'000);
  for (const int64_t time : {3, 3, 9}) packer.time(Time(time));
  packer.ready(false);
  MachineAnswers answers;
  answers.add(packer.take());
  packer.time(Time(12));
  answers.add(packer.take());
  EXPECT_EQ(answers.date(5), 1'000);
  EXPECT_FALSE(answers.ready(true));
  EXPECT_TRUE(answers.ready(false)) << "behind the last answer input is taken";
  std::vector<int64_t> times;
  while (!answers.over()) times.push_back(answers.time({}).count());
  EXPECT_THAT(times, ElementsAre(3, 3, 9, 12));
  EXPECT_EQ(answers.time({}), Time(12)) << "time does not go backwards";
  answers.rewind();
  EXPECT_EQ(answers.time({}), Time(3));
}

TEST(MachineAnswers, RefuseTimesThatGoBackwards) {
  AnswerPacker packer;
  packer.time(Time(9));
  MachineAnswers answers;
  answers.add(packer.take());
  packer.time(Time(8));
  EXPECT_THROW(answers.add(packer.take()), Error);
}

}  // namespace
}  // namespace berth::cli
