#include "engine/kube/lease/lease_object.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "engine/base/error.h"
#include "engine/kube/lease/lease_options.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;

std::string lease_fault(std::string_view json) {
  try {
    LeaseObject lease(json);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(LeaseObjects, ChangeOnlyTheirRecord) {
  const LeaseObject lease(
      R"({"kind":"Lease","metadata":{"uid":"u","resourceVersion":"9","big":12345678901234567890123},
          "spec":{"acquireTime":null,"preferredHolder":"p","holderIdentity":"x","leaseTransitions":3},
          "more":[1.50]})");
  EXPECT_EQ(lease.record().holder, "x");
  EXPECT_EQ(lease.record().transitions, 3);
  EXPECT_EQ(lease.record().duration_seconds, 0);
  EXPECT_EQ(lease.uid(), "u");
  EXPECT_EQ(lease.with({.holder = "y\"",
                        .duration_seconds = 15,
                        .acquired = "A",
                        .renewed = "R",
                        .transitions = 4}),
            R"({"kind":"Lease","metadata":{"uid":"u","resourceVersion":"9",)"
            R"("big":12345678901234567890123},"more":[1.50],"spec":{"preferredHolder":"p",)"
            R"("holderIdentity":"y\"","leaseDurationSeconds":15,"acquireTime":"A",)"
            R"("renewTime":"R","leaseTransitions":4}})");
}

TEST(LeaseObjects, NeedNoSpec) {
  const LeaseObject lease(R"({"metadata":{"resourceVersion":"1"}})");
  EXPECT_EQ(lease.record().holder, "");
  EXPECT_EQ(lease.spec(), "");
}

TEST(LeaseObjects, AreCheckedAsTheyComeFromOutside) {
  const auto spec = [](const std::string& fields) {
    return lease_fault(R"({"metadata":{"resourceVersion":"1"},"spec":{)" + fields + "}}");
  };
  EXPECT_EQ(spec(R"("holderIdentity":"a")"), "");
  EXPECT_EQ(spec(R"("holderIdentity":1)"),
            "spec.holderIdentity: is of type number; expected string");
  EXPECT_EQ(spec(R"("leaseDurationSeconds":2147483648)"),
            "spec.leaseDurationSeconds: is out of range; expected 0 to 2147483647");
  EXPECT_NE(spec(R"("leaseDurationSeconds":-1)"), "");
  EXPECT_NE(spec(R"("leaseTransitions":1.5)"), "");
  EXPECT_NE(spec(R"("holderIdentity":"a","holderIdentity":"b")"), "");
  EXPECT_EQ(lease_fault(R"({"metadata":{}})"),
            "metadata.resourceVersion: is not set; expected that of a Lease");
  EXPECT_NE(lease_fault(R"({"metadata":{"resourceVersion":""}})"), "");
  EXPECT_NE(lease_fault(""), "");
  EXPECT_NE(lease_fault("[]"), "");
  EXPECT_NE(lease_fault(R"({"metadata":{"resourceVersion":"1"})"), "");
  EXPECT_NE(lease_fault("metadata: {resourceVersion: '1'}"), "");
  EXPECT_NE(lease_fault(std::string(100'000, '[')), "");
  EXPECT_NE(lease_fault(R"({"metadata":{"resourceVersion":"1"},"x":")" + std::string(5 << 20, 'x') +
                        "\"}"),
            "");
}

std::string options_fault(Time lease, Time renew, Time retry, const std::string& name = "a-1.b") {
  LeaseOptions options;
  options.lease_duration = lease;
  options.renew_deadline = renew;
  options.retry_period = retry;
  options.name = name;
  try {
    check_lease_options(options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ElectionOptions, AreThoseOfClientGo) {
  EXPECT_EQ(options_fault(15s, 10s, 2s), "");
  EXPECT_EQ(options_fault(10001ms, 10s, 2s), "");
  EXPECT_EQ(options_fault(10s, 10s, 2s),
            "leaderElection.leaseDuration: 10s is too short; expected more than renewDeadline, "
            "which is 10s");
  EXPECT_EQ(options_fault(15s, 2401ms, 2s), "");
  EXPECT_EQ(options_fault(15s, 2400ms, 2s),
            "leaderElection.renewDeadline: 2.4s is too short; expected more than 1.2 times "
            "retryPeriod, which is 2.4s");
  EXPECT_EQ(options_fault(15s, 10s, 999ms),
            "leaderElection.retryPeriod: 999ms is too short; expected 1s or more");
  EXPECT_NE(options_fault(999ms, 10s, 2s), "");
  EXPECT_NE(options_fault(15s, 0s, 2s), "");
  EXPECT_NE(options_fault(std::chrono::hours(600'000), 10s, 2s), "");
  EXPECT_EQ(options_fault(15s, 10s, 2s, "a/b"),
            "leaderElection.resourceName: \"a/b\" is no name; expected lower-case letters, digits, "
            "\"-\" and \".\"");
  EXPECT_NE(options_fault(15s, 10s, 2s, ""), "");
}

TEST(ElectionOptions, RequestsHaveHalfOfTheRenewDeadline) {
  LeaseOptions options;
  EXPECT_EQ(request_limit(options), 5s);
  options.renew_deadline = 1500ms;
  EXPECT_EQ(request_limit(options), 1s);
}

}  // namespace
}  // namespace berth::kube
