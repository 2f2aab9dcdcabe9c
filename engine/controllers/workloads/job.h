#pragma once

// The next steps of a Job. Source: pkg/controller/job, job_controller.go, backoff_utils.go and
// pod_failure_policy.go.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/objects/workload.h"

namespace berth::controllers {

// A pod of a Job that has failed.
struct JobFailure {
  Time at{};
  std::optional<int32_t> exit_code{};         // of its containers; nothing: not known
  std::span<const std::string> containers{};  // their names
  bool disrupted = false;                     // its condition DisruptionTarget is True
};

// The pods of a Job that are there.
struct JobPods {
  uint64_t active = 0, terminating = 0;
  // Of an Indexed Job: the completion indices of both.
  std::set<uint64_t> active_indices{}, terminating_indices{};
};

struct JobPlan {
  uint64_t creations = 0;
  std::vector<uint64_t> indices{};  // of the pods to create, of an Indexed Job
  uint64_t deletions = 0;           // of active pods
  std::optional<Time> again{};      // when there is more to do
};

class JobRules {
 public:
  // The Job begins, or is found.
  JobRules(model::JobSpec spec, Time now);

  // The object was changed: of the spec only this may change.
  void suspend(bool suspended, Time now);

  // `index`: the pod's, of an Indexed Job.
  void succeeded(Time at, uint64_t index);
  void failed(const JobFailure& failure);

  // `parallelism`: how many pods may be active.
  JobPlan plan(const JobPods& pods, uint64_t parallelism, Time now);

  // It is complete, or has failed: no pod is created any more.
  bool over() const { return over_; }
  const model::JobSpec& spec() const { return spec_; }

 private:
  // The first and the longest pause after failures.
  static constexpr Time kFirstBackoff = std::chrono::seconds(10);
  static constexpr Time kLongestBackoff = std::chrono::minutes(10);

  uint64_t successes() const;
  bool is_over(uint64_t index) const;
  bool has_failed(Time now) const;
  uint64_t wanted(uint64_t active, uint64_t parallelism) const;
  std::vector<uint64_t> next_indices(const JobPods& pods, uint64_t count) const;
  std::optional<Time> backoff_until() const;
  std::optional<Time> deadline() const;

  model::JobSpec spec_;
  Time started_;
  bool over_ = false;
  bool fails_ = false;  // by a rule of its policy
  uint64_t succeeded_ = 0, failed_ = 0;
  std::set<uint64_t> succeeded_indices_;  // beside those of the spec
  uint64_t failures_after_success_ = 0;
  std::optional<Time> last_failure_, last_success_;
};

}  // namespace berth::controllers
