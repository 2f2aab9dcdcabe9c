#pragma once

// Refuses nodes without room for the pod's requests, and ranks the others by the configured
// strategy (kube-scheduler v1.34.1, plugins/noderesources/fit.go).

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"
#include "plugins/node_resources_fit/args.h"
#include "plugins/node_resources_fit/filter.h"
#include "plugins/node_resources_fit/hints.h"
#include "plugins/node_resources_fit/score.h"

namespace berth::plugins {

class FitPreFilter final : public sdk::PreFilter<> {
 public:
  // Has nothing to do: the filter's prepare reads the requests. The hook exists because
  // kube-scheduler has it, and disabling PreFilter disables the filter.
  void pre_filter(const Call&, sdk::PreFilterResult&) const override {}
};

// Has nothing to do either; kube-scheduler's PreScore computes what Score::prepare does.
class FitPreScore final : public sdk::PreScore<> {
 public:
  void pre_score(const Call&, const berth_feasible*, sdk::PreScoreResult&) const override {}
};

// The plugin: its hooks share the arguments, which init reads before any hook prepares.
class NodeResourcesFit final : public sdk::Plugin {
 public:
  NodeResourcesFit() { add(pre_filter_, filter_, pre_score_, score_, hints_); }

  static void validate(const sdk::Config& config) { read_fit_args(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    args_ = read_fit_args(config);
    sdk::decides_by(host, BERTH_PART_REQUESTS);
  }

 private:
  FitArgs args_;
  FitPreFilter pre_filter_;
  FitFilter filter_{args_};
  FitPreScore pre_score_;
  FitScore score_{args_};
  FitHints hints_;
};

}  // namespace berth::plugins
