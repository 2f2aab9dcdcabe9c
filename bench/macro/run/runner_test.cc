#include "bench/macro/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <vector>

#include "bench/macro/measure/testing.h"
#include "bench/macro/run/child.h"

namespace berth::bench {
namespace {

using testing::HasSubstr;

// Counts in how many processes a workload was opened.
class Openings {
 public:
  Openings() {
    void* memory =
        mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    count_ = static_cast<int*>(memory);
  }
  ~Openings() { munmap(count_, sizeof(int)); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;
  int next() { return (*count_)++; }

 private:
  int* count_ = nullptr;
};

// The n-th repetition has as many pods as the n-th element of a list.
class RunWorkload : public testing::Test {
 protected:
  RunWorkload() {
    workload_.name = "test";
    workload_.open = [this](const loadgen::LoadSettings&) {
      auto load = std::make_unique<TestLoad>();
      load->nodes(2, "100");
      load->pods(pods_[static_cast<size_t>(openings_.next()) % pods_.size()], "1", true);
      return load;
    };
    variant_.plugins = {BERTH_BUILD_DIR "/lib/berth/plugins"};
    options_.warm_up = 1;
    options_.repetitions = 3;
  }
  rapidjson::Document run() {
    Returned results;
    run_workload(workload_, variant_, options_, results);
    rapidjson::Document document;
    document.Parse(results[0].c_str());
    return document;
  }

  Openings openings_;
  std::vector<uint32_t> pods_ = {50};
  loadgen::Workload workload_;
  Variant variant_;
  RepeatOptions options_;
};

std::vector<double> samples(const rapidjson::Document& result, const char* figure) {
  std::vector<double> values;
  for (const auto& value : result["samples"][figure].GetArray())
    values.push_back(value.GetDouble());
  std::ranges::sort(values);
  return values;
}

TEST_F(RunWorkload, GivesMediansAndTheirSamples) {
  const rapidjson::Document result = run();
  ASSERT_TRUE(result.IsObject());
  EXPECT_EQ(result["repetitions"].GetUint(), 3u);
  EXPECT_EQ(result["pods_scheduled"].GetUint64(), 50u);
  for (const auto& [name, member] : {std::pair("decisions_per_second", "decisions_per_second"),
                                     std::pair("elapsed_seconds", "elapsed_seconds")}) {
    const std::vector<double> values = samples(result, name);
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(result[member].GetDouble(), values[1]) << name;
  }
  EXPECT_EQ(result["latency_seconds"]["p99"].GetDouble(),
            samples(result, "latency_p99_seconds")[1]);
  double before = 0;
  for (const char* quantile : {"min", "p50", "p90", "p99", "p999", "max"}) {
    EXPECT_GE(result["latency_seconds"][quantile].GetDouble(), before) << quantile;
    before = result["latency_seconds"][quantile].GetDouble();
  }
  EXPECT_FALSE(result["hooks"].GetArray().Empty());
}

TEST_F(RunWorkload, NamesTheControllersThatArePlayed) {
  options_.warm_up = 0;
  options_.repetitions = 1;
  EXPECT_STREQ(run()["controllers"].GetString(), "*");
  variant_.controllers.list = played::ControllerList::parse("*,-kubelet");
  EXPECT_STREQ(run()["controllers"].GetString(), "*,-kubelet");
  variant_.controllers.list.reset();
  variant_.clock = Clock::kWall;
  EXPECT_STREQ(run()["controllers"].GetString(), "");
}

TEST_F(RunWorkload, IsolatedPluginsDecideTheSame) {
  options_.warm_up = 0;
  options_.repetitions = 1;
  const rapidjson::Document inside = run();
  EXPECT_STREQ(inside["isolation"].GetString(), "");
  variant_.isolation.plugins = {"NodeResourcesFit", "NodeName"};
  variant_.isolation.skipped = {"NodeName"};
  const rapidjson::Document isolated = run();
  EXPECT_STREQ(isolated["isolation"].GetString(), "NodeName (onFailure Skip), NodeResourcesFit");
  EXPECT_EQ(isolated["decision_hash"], inside["decision_hash"]);
}

TEST_F(RunWorkload, RefusesRepetitionsThatDecideOtherwise) {
  pods_ = {50, 50, 51, 50};
  try {
    run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("two repetitions made different decisions"));
  }
}

TEST_F(RunWorkload, SaysWhatIsWrongWithTheWorkload) {
  workload_.open = [](const loadgen::LoadSettings&) -> std::unique_ptr<loadgen::Load> {
    throw Error("no such parameter");
  };
  EXPECT_THROW(run(), Error);
}

TEST_F(RunWorkload, IsEmptyIfItWasInterruptedBefore) {
  const pid_t process = fork();
  if (process == 0) {
    note_interrupts(kInterruptRules);
    raise(SIGINT);
    Returned results;
    run_workload(workload_, variant_, options_, results);
    _exit(results.size() == 1 && results[0].empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace berth::bench
