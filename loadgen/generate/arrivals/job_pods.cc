#include "loadgen/generate/arrivals/job_pods.h"

#include <algorithm>
#include <string_view>

#include "loadgen/generate/draws/draws.h"
#include "loadgen/generate/pods/pod_identity.h"

namespace berth::loadgen {
namespace {

constexpr std::string_view kJobNameKeys[] = {"batch.kubernetes.io/job-name", "job-name"};

}  // namespace

ArrivingJob JobPods::begin(uint32_t arrival, uint64_t most) {
  const ArrivalSpec& spec = cluster_.spec.arrivals[arrival];
  ArrivingJob job{.number = begun_++, .arrival = arrival};
  const uint64_t bits = drawn(cluster_.seed, For::kTemplate, arrival, job.number);
  const auto pods = static_cast<uint64_t>(
      spec.job_pods->draw(drawn(cluster_.seed, For::kJobPods, arrival, job.number)));
  job.pods = std::min(pods, most);
  job.pod_template = spec.templates.choose(bits);
  job.variant = cluster_.templates.variant(job.pod_template, mix(bits));
  job.namespace_number = cluster_.namespaces.choose(
      cluster_.spec.templates[job.pod_template].namespaces, mix(mix(bits)));
  job.controller = {"batch/v1", "Job", "", ""};
  name_job(cluster_.spec, job.pod_template, job.number, job.controller.name);
  return job;
}

void JobPods::add(const ArrivingJob& job, uint64_t number) {
  const PodIdentity pod{.number = number,
                        .job = job.number,
                        .of = job.pod_template,
                        .namespace_number = job.namespace_number,
                        .kind = PodOf::kJob,
                        .finishes = true};
  name_pod(cluster_, pod, name_);
  const bool claims = cluster_.claims.has(job.pod_template, job.controller.name);
  writer_.add(writer_.template_id(job.pod_template, job.variant, claims), job.namespace_number,
              name_);
  for (const std::string_view key : kJobNameKeys) writer_.label(key, job.controller.name);
  writer_.controller(job.controller);
  if (claims) writer_.claims(job.pod_template, job.namespace_number, name_);
  if (const auto& lifetime = cluster_.spec.arrivals[job.arrival].lifetime)
    lifetimes_.begin(pod, *lifetime, job.arrival, job.number << 24 ^ number);
}

}  // namespace berth::loadgen
