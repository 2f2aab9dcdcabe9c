#include "engine/ingest/audit/audit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// An event of the log. `rest`: further members.
std::string event(const std::string& verb, const std::string& ref, const std::string& rest,
                  const std::string& time = "2026-01-01T00:00:00Z") {
  return R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":")" +
         verb + R"(","objectRef":{)" + ref + R"(},"stageTimestamp":")" + time + '"' +
         (rest.empty() ? "" : "," + rest) + "}\n";
}
std::string pod_ref(const std::string& more = {}) {
  return R"("resource":"pods","namespace":"a","name":"p")" + (more.empty() ? "" : "," + more);
}
const std::string kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"a","managedFields":[1]},"spec":{"containers":[]}})";
const std::string kBinding = R"("requestObject":{"kind":"Binding","target":{"name":"n1"}})";
std::string created() { return event("create", pod_ref(), R"("requestObject":)" + kPod); }
std::string bound() {
  return event("create", pod_ref(R"("subresource":"binding")"), kBinding, "2026-01-01T00:00:02Z");
}

struct Read {
  std::vector<std::string> lines;
  AuditCounts counts;
};

Read read(const std::string& log, size_t piece = SIZE_MAX) {
  Read result;
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(log.data()), log.size());
  const auto source =
      watch_of_audit_log(std::make_unique<MemorySource>(bytes, "audit.log", piece), result.counts);
  std::string text = read_all(*source);
  for (size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
    result.lines.push_back(text.substr(0, end));
  return result;
}

TEST(AuditLog, IsToldFromOtherText) {
  EXPECT_TRUE(begins_like_audit_log(created()));
  EXPECT_FALSE(begins_like_audit_log(R"({"kind":"Pod","apiVersion":"v1"})"));
  EXPECT_FALSE(begins_like_audit_log("\n" + created()));
}

TEST(AuditLog, ABindingGivesThePodItsNode) {
  const Read result = read(created() + bound());
  ASSERT_THAT(result.lines, SizeIs(2));
  EXPECT_THAT(result.lines[0], HasSubstr(R"({"type":"ADDED","time":"0s","object":{)"));
  EXPECT_THAT(result.lines[0], Not(HasSubstr("managedFields")));
  EXPECT_THAT(result.lines[1], HasSubstr(R"({"type":"MODIFIED","time":"2s")"));
  EXPECT_THAT(result.lines[1], HasSubstr(R"("nodeName":"n1")"));
  EXPECT_EQ(result.counts.taken, 2);
}

// As the pieces come in which a log is read.
TEST(AuditLog, DoesNotDependOnPieces) {
  const std::string log = created() + bound();
  EXPECT_EQ(read(log, 1).lines, read(log).lines);
}

TEST(AuditLog, AnswersAreWholeObjects) {
  const std::string answer =
      R"("responseObject":{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n2"}})";
  const Read result = read(event("patch", pod_ref(R"("subresource":"status")"), answer));
  EXPECT_THAT(result.lines, ElementsAre(HasSubstr(R"("nodeName":"n2")")));
}

TEST(AuditLog, PatchesChangeWhatWasTold) {
  const std::string patch =
      R"("requestObject":{"status":{"phase":"Succeeded","$setElementOrder/x":[]},"spec":{"nodeName":"x"}})";
  const Read result = read(created() + event("patch", pod_ref(R"("subresource":"status")"), patch));
  ASSERT_THAT(result.lines, SizeIs(2));
  EXPECT_THAT(result.lines[1], HasSubstr(R"("status":{"phase":"Succeeded"})"));
  EXPECT_THAT(result.lines[1], Not(HasSubstr("nodeName"))) << "a patch of status changes no spec";
}

// A pod without a node leaves at once, one with a node when its kubelet says so.
TEST(AuditLog, DeletionsHaveGrace) {
  const std::string removed = event("delete", pod_ref(), {}, "2026-01-01T00:00:03Z");
  EXPECT_THAT(read(created() + removed).lines.back(), HasSubstr(R"("type":"DELETED")"));
  const std::string last =
      event("delete", pod_ref(), R"("requestObject":{"gracePeriodSeconds":0})");
  const Read result = read(created() + bound() + removed + last);
  ASSERT_THAT(result.lines, SizeIs(4));
  EXPECT_THAT(result.lines[2], HasSubstr(R"("type":"MODIFIED")"));
  EXPECT_THAT(result.lines[2], HasSubstr(R"("deletionTimestamp":"2026-01-01T00:00:03Z")"));
  EXPECT_THAT(result.lines[3], HasSubstr(R"("type":"DELETED")"));
}

TEST(AuditLog, CountsWhatTellsTooLittle) {
  EXPECT_EQ(read(event("create", pod_ref(), {})).counts.metadata_only, 1);
  EXPECT_EQ(read(bound()).counts.unknown, 1);
  EXPECT_EQ(read(event("deletecollection", pod_ref(), {})).counts.collections, 1);
  const Read failed =
      read(event("create", pod_ref(), R"("responseStatus":{"code":409},"requestObject":)" + kPod));
  EXPECT_THAT(failed.lines, IsEmpty());
  EXPECT_EQ(failed.counts.metadata_only, 0);
}

TEST(AuditLog, PassesOverWhatIsNoEvent) {
  const std::string deep(1000, '[');
  const Read result = read("{\"a\":1}\nx\n" + deep + "\n" + created());
  EXPECT_THAT(result.lines, SizeIs(1));
  EXPECT_GE(result.counts.malformed, 3);
}

// Cut at any byte, or with any member of another type, a log is read to its end.
TEST(AuditLog, TakesHostileText) {
  const std::string log = created() + bound();
  for (size_t size = 0; size < log.size(); ++size) read(log.substr(0, size));
  for (const char* wrong : {"1", "null", "[]", "{}", "\"x\""})
    for (const char* name : {"requestObject", "responseObject", "objectRef", "responseStatus"}) {
      const std::string line =
          R"({"apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"create",)"
          R"("objectRef":{"resource":"pods","name":"p"},")" +
          std::string(name) + "\":" + wrong + "}\n";
      read(line);
    }
}

}  // namespace
}  // namespace berth::ingest
