#include "engine/drive/work_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace berth::drive {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class WorkSourceTest : public testing::Test {
 protected:
  ~WorkSourceTest() override { std::remove(path_.c_str()); }

  // Pods that come out of an input, and what is said of it with the file's name "in".
  void read(const std::string& text, bool strict = false) {
    std::ofstream(path_, std::ios::binary) << text;
    const std::unique_ptr<WorkSource> source = open_work(path_, strict);
    Work work;
    while (source->next(work)) {
      for (const runtime::WorkFile& file : work.files) pods_ += file.objects.pods.size();
      if (work.stream == nullptr) continue;
      if (work.stream->kind == ingest::BatchKind::kPods) pods_ += work.stream->pods.size();
      lines_.insert(lines_.end(), work.stream->lines.begin(), work.stream->lines.end());
    }
    for (const Error& error : source->diagnostics().kept())
      said_.push_back("in" + std::string(error.what()).substr(path_.size()));
    remarks_ = source->remarks();
  }
  std::string failure(const std::string& text) {
    try {
      read(text, true);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  const std::string path_ = testing::TempDir() + "work_source." + std::to_string(::getpid());
  size_t pods_ = 0;
  std::vector<uint32_t> lines_;
  std::vector<std::string> said_;
  ingest::Remarks remarks_;
};

std::string pod(const std::string& name, const std::string& spec = "") {
  return R"({"kind":"Pod","metadata":{"name":")" + name + R"("},"spec":{)" + spec + "}}";
}

TEST_F(WorkSourceTest, AWatchMayBeginWithAnyKeyAByteOrderMarkAndBlanks) {
  for (const std::string& text :
       {R"({"type":"ADDED","object":)" + pod("a") + "}\n",
        R"({"object":)" + pod("a") + R"(,"type":"ADDED"})",
        "\xef\xbb\xbf" + (R"({"object":)" + pod("a") + R"(,"type":"ADDED"})"),
        "  {  \"type\": \"ADDED\", \"object\": " + pod("a") + "}\n",
        "{\n  \"type\": \"ADDED\",\n  \"object\": " + pod("a") + "\n}\n"}) {
    pods_ = 0;
    lines_.clear();
    read(text);
    EXPECT_THAT(said_, ElementsAre()) << text;
    EXPECT_EQ(pods_, 1u) << text;
    EXPECT_THAT(lines_, ElementsAre(1)) << text;
  }
}

TEST_F(WorkSourceTest, ForeignTextIsNamed) {
  read(std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  EXPECT_THAT(said_, ElementsAre(StartsWith("in: this is gzip data")));
  said_.clear();
  read(std::string("\xff\xfe{\0\"\0", 6));
  EXPECT_THAT(said_, ElementsAre(StartsWith("in: this is UTF-16 text")));
  said_.clear();
  read("NAME   STATUS   ROLES\nn      Ready    <none>\n");
  EXPECT_THAT(said_, ElementsAre(StartsWith("in: this is a table that kubectl prints")));
}

TEST_F(WorkSourceTest, AFileOfUnreadKindsIsAFault) {
  read(R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]})");
  EXPECT_THAT(said_,
              ElementsAre(AllOf(StartsWith("in: nothing in it is read, there is only: 1 Table"),
                                HasSubstr("kubectl get -o json"))));
  said_.clear();
  read("kind: Deployment\nmetadata: {name: d}\n");
  EXPECT_THAT(said_,
              ElementsAre(HasSubstr("there is only: 1 Deployment; the kinds that are read")));
  said_.clear();
  read(pod("a") + R"({"kind":"Deployment","apiVersion":"apps/v1"})");
  read(R"({"kind":"PodList","items":[]})");
  EXPECT_THAT(said_, ElementsAre());
}

TEST_F(WorkSourceTest, AFaultInAListLeavesThePodsBeforeIt) {
  read("{\"apiVersion\":\"v1\",\"items\":[\n" + pod("a") + ",\n" + pod("b") +
       ",\n{\"kind\":\"Pod\",,}],\"kind\":\"List\"}");
  EXPECT_EQ(pods_, 2u);
  EXPECT_THAT(said_, ElementsAre(AllOf(StartsWith("in:4:15: malformed JSON"),
                                       HasSubstr("2 items are read"))));
}

// A fault of another object is no rejected pod.
TEST_F(WorkSourceTest, RejectedPodsAreNamed) {
  const auto rejected = [&](const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    const std::unique_ptr<WorkSource> source = open_work(path_, false, true);
    Work work;
    while (source->next(work)) {
    }
    EXPECT_EQ(source->rejected_pods(), source->rejected().size());
    std::vector<std::string> lines;
    for (const ingest::RejectedPod& one : source->rejected())
      lines.push_back(one.namespace_name + "/" + one.name + one.message.substr(path_.size()));
    return lines;
  };
  const std::string broken = R"({"kind":"Pod","metadata":{"generateName":"b-","namespace":"team"},)"
                             R"("spec":{"containers":3}})";
  EXPECT_THAT(rejected(pod("a") + "\n" + broken + pod("a") + R"({"kind":"Node","spec":3})"),
              ElementsAre(StartsWith("team/b-:2:"),
                          AllOf(StartsWith("default/a:2:"), HasSubstr("is there already"))));
  const auto added = [](const std::string& object) {
    return R"({"type":"ADDED","object":)" + object + "}\n";
  };
  EXPECT_THAT(rejected(added(pod("a")) + added(broken) + added("3x")),
              ElementsAre(StartsWith("team/b-:2:"), StartsWith("/:3:")));
}

TEST_F(WorkSourceTest, StrictRefusesAnUnknownField) {
  const std::string expected = ": not a field of the Kubernetes API; did you mean nodeSelector?";
  EXPECT_EQ(failure(pod("a") + "\n" + pod("b", R"("nodeSelectors":{})")),
            path_ + ":2:47: spec.nodeSelectors" + expected);
  EXPECT_EQ(failure(R"({"type":"ADDED","object":)" + pod("a") + "}\n" +
                    R"({"type":"ADDED","object":)" + pod("b", R"("nodeSelectors":{})") + "}\n"),
            path_ + ":2:72: object.spec.nodeSelectors" + expected);
  EXPECT_EQ(failure(pod("a", R"("dnsPolicy":"Default")")), "no error");
}

TEST_F(WorkSourceTest, RemarksComeFromFilesAndWatches) {
  const std::string claim =
      R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}],"tolerationz":[])";
  read(pod("a", claim));
  EXPECT_EQ(remarks_.unknown_fields.size(), 1u);
  read(R"({"type":"ADDED","object":)" + pod("a", claim) + "}\n");
  ASSERT_EQ(remarks_.unknown_fields.size(), 1u);
  EXPECT_EQ(remarks_.unknown_fields[0].path, "Pod.spec.tolerationz");
}

TEST_F(WorkSourceTest, AWaitEndsAtItsTimeOrWithInput) {
  using namespace std::chrono_literals;
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  std::ofstream pipe;
  std::thread writer([&] {
    pipe.open(path_);
    pipe << R"({"type":"ADDED","object":)" + pod("a") + "}\n" << std::flush;
  });
  const std::unique_ptr<WorkSource> source = open_work(path_, false);
  writer.join();
  const auto now = [] { return std::chrono::steady_clock::now(); };
  // Batches come with the pod, in any number; then the pipe is silent.
  Work work;
  bool found = false;
  while (!found) {
    ASSERT_TRUE(source->wait_until(now() + 1min));
    ASSERT_TRUE(source->next(work));
    found = work.stream->kind == ingest::BatchKind::kPods;
  }
  const auto until = now() + 20ms;
  EXPECT_FALSE(source->wait_until(until));
  EXPECT_GE(now(), until);
  pipe.close();
  EXPECT_TRUE(source->wait_until(now() + 1min));  // the end is input, too
  while (source->next(work)) {
  }
  EXPECT_TRUE(source->finished());
}

}  // namespace
}  // namespace berth::drive
