#include "plugins/coscheduling/args.h"

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {

CoschedulingArgs read_coscheduling_args(const sdk::Config& config) {
  config.type_meta("CoschedulingArgs");
  CoschedulingArgs args;
  const sdk::Config wait = config["permitWaitingTimeSeconds"];
  args.permit_waiting_time_seconds = wait.integer(args.permit_waiting_time_seconds);
  if (args.permit_waiting_time_seconds < 0)
    wait.error(sdk::invalid_value(args.permit_waiting_time_seconds, "must be greater than 0"));
  if (args.permit_waiting_time_seconds == 0) args.permit_waiting_time_seconds = kDefaultWait;
  const sdk::Config size = config["minMember"];
  if (size.present()) {
    args.min_member = size.integer(1);
    if (args.min_member < 1) size.error(sdk::invalid_value(args.min_member, "must be 1 or more"));
  }
  const sdk::Config backoff = config["podGroupBackoffSeconds"];
  args.backoff_seconds = backoff.integer(0);
  if (args.backoff_seconds < 0)
    backoff.error(sdk::invalid_value(args.backoff_seconds, "must be greater than 0"));
  const sdk::Config percentage = config["podGroupRejectPercentage"];
  args.reject_percentage = percentage.integer(args.reject_percentage);
  if (args.reject_percentage < 0 || args.reject_percentage > 100)
    percentage.error(sdk::invalid_value(args.reject_percentage, "must be between 0 and 100"));
  return args;
}

}  // namespace berth::plugins
