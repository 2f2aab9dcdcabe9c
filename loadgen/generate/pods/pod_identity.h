#pragma once

// The numbers from which a generated pod's name is made. They are kept instead of the name while
// the pod lives.

#include <cstdint>
#include <string>

namespace berth::loadgen {

struct GeneratedCluster;
struct WorkloadSpec;

enum class PodOf : uint8_t { kTemplate, kJob, kOwner };

struct PodIdentity {
  uint64_t number = 0;  // of the pod; within its Job or owner if it has one
  uint64_t job = 0;
  uint32_t of = 0;  // index of the template or owner
  uint32_t namespace_number = 0;
  PodOf kind = PodOf::kTemplate;
  bool finishes = false;  // completes at the end of its lifetime instead of being deleted
};

// Set `name`, whose memory is reused. A Job's `number` is among all Jobs that arrive.
void name_job(const WorkloadSpec& spec, uint32_t pod_template, uint64_t number, std::string& name);
void name_pod(const GeneratedCluster& cluster, const PodIdentity& pod, std::string& name);

// The index of the pod's template.
uint32_t template_of(const GeneratedCluster& cluster, const PodIdentity& pod);
// True if the pod, whose name is `name`, has claims.
bool has_claims(const GeneratedCluster& cluster, const PodIdentity& pod, const std::string& name);

}  // namespace berth::loadgen
