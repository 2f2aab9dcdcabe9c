#include "plugins/coscheduling/args.h"

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {

CoschedulingArgs read_coscheduling_args(const sdk::Config& config) {
  config.type_meta("CoschedulingArgs");
  CoschedulingArgs args;
  const sdk::Config wait = config["permitWaitingTimeSeconds"];
  args.permit_waiting_time_seconds = wait.integer(args.permit_waiting_time_seconds);
  if (args.permit_waiting_time_seconds < 1 ||
      args.permit_waiting_time_seconds > BERTH_PERMIT_MAX_SECONDS)
    wait.error(
        sdk::invalid_value(args.permit_waiting_time_seconds,
                           sdk::concat("not in valid range [1, ", BERTH_PERMIT_MAX_SECONDS, "]")));
  const sdk::Config size = config["minMember"];
  if (size.present()) {
    args.min_member = size.integer(1);
    if (args.min_member < 1) size.error(sdk::invalid_value(args.min_member, "must be 1 or more"));
  }
  // Arguments of the plugin that this one is named after.
  for (const char* name : {"podGroupBackoffSeconds", "podGroupRejectPercentage"})
    if (config[name].present())
      config[name].error("Forbidden: Berth's Coscheduling has no such rule");
  return args;
}

}  // namespace berth::plugins
