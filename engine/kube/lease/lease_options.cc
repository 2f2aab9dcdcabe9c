#include "engine/kube/lease/lease_options.h"

#include <algorithm>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text/go_duration.h"
#include "engine/document/document.h"

namespace berth::kube {
namespace {

constexpr Time kLeastTime = std::chrono::seconds(1);

[[noreturn]] void refuse_option(const std::string& field, std::string message) {
  Place place;
  place.field = "leaderElection." + field;
  throw Error(std::move(place), std::move(message));
}

void check_lease_time(const std::string& field, Time time) {
  if (time < kLeastTime)
    refuse_option(field, go_duration(time) + " is too short; expected 1s or more");
  // A Lease has seconds in 32 bits.
  if (time > INT32_MAX * kLeastTime)
    refuse_option(field, go_duration(time) + " is too long; expected at most " +
                             go_duration(INT32_MAX * kLeastTime));
}

void check_lease_order(const std::string& field, Time longer, const std::string& other,
                       Time shorter) {
  if (longer <= shorter)
    refuse_option(field, go_duration(longer) + " is too short; expected more than " + other +
                             ", which is " + go_duration(shorter));
}

void check_lease_name(const std::string& field, std::string_view name) {
  const bool valid = !name.empty() && name.size() <= 253 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
  if (!valid)
    refuse_option(field, document::quoted(name.substr(0, 300)) +
                             " is no name; expected lower-case letters, digits, \"-\" and \".\"");
}

}  // namespace

void check_lease_options(const LeaseOptions& options) {
  check_lease_name("resourceNamespace", options.namespace_name);
  check_lease_name("resourceName", options.name);
  check_lease_time("leaseDuration", options.lease_duration);
  check_lease_time("renewDeadline", options.renew_deadline);
  check_lease_time("retryPeriod", options.retry_period);
  check_lease_order("leaseDuration", options.lease_duration, "renewDeadline",
                    options.renew_deadline);
  const auto jittered =
      Time(static_cast<int64_t>(kJitterFactor * static_cast<double>(options.retry_period.count())));
  check_lease_order("renewDeadline", options.renew_deadline, "1.2 times retryPeriod", jittered);
}

Time request_limit(const LeaseOptions& options) {
  return std::max(kLeastTime, options.renew_deadline / 2);
}

}  // namespace berth::kube
