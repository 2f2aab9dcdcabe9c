#include "loadgen/generate/arrivals/arrivals.h"

#include <algorithm>
#include <utility>

#include "loadgen/generate/draws/draws.h"
#include "loadgen/generate/pods/pod_identity.h"

namespace berth::loadgen {

Arrivals::Arrivals(const Uses& uses)
    : uses_(uses), queue_(uses.cluster.spec.arrivals, uses.cluster.seed) {}

bool Arrivals::measured() const {
  const ArrivalQueue::Next next = queue_.next();
  return next.at == kNever || uses_.cluster.spec.arrivals[next.arrival].measured;
}

void Arrivals::run(LoadStep& step) {
  const WorkloadSpec& spec = uses_.cluster.spec;
  while (!uses_.writer.full() && uses_.tasks.empty()) {
    const ArrivalQueue::Next next = queue_.next();
    if (next.at >= uses_.clock.next_tick() || next.at > spec.duration) return;
    const ArrivalSpec& arrival = spec.arrivals[next.arrival];
    const bool closed = arrival.kind == ArrivalKind::kClosedLoop;
    // A step has one value of `measured` and of `closed_loop`.
    if (uses_.writer.size() != 0 && (closed || step.measured != arrival.measured)) return;
    step.measured = arrival.measured;
    uses_.clock.arrive(next.at);
    if (closed) return run_closed_loop(next.arrival, step);
    arrive(next.arrival, step);
  }
}

// All pods that are outstanding at the same time form one step.
void Arrivals::run_closed_loop(uint32_t arrival, LoadStep& step) {
  step.closed_loop = true;
  const uint64_t outstanding = uses_.cluster.spec.arrivals[arrival].outstanding;
  const uint64_t wanted = std::min(outstanding, queue_.pods_left(arrival));
  for (uint64_t i = 0; i < wanted; ++i) add_single(arrival);
}

void Arrivals::arrive(uint32_t arrival, LoadStep& step) {
  if (uses_.cluster.spec.arrivals[arrival].job_pods) {
    begin_job(arrival);
    uses_.tasks.run(step);
  } else {
    add_single(arrival);
  }
  queue_.pop(arrival);
}

void Arrivals::add_single(uint32_t arrival) {
  const GeneratedCluster& cluster = uses_.cluster;
  const ArrivalSpec& spec = cluster.spec.arrivals[arrival];
  const uint64_t number = singles_++;
  queue_.take_pods(arrival, 1);
  // The template's draw is mixed again for the other choices, which saves two draws per pod.
  const uint64_t bits = drawn(cluster.seed, For::kTemplate, arrival, number);
  const uint32_t chosen = spec.templates.choose(bits);
  const uint64_t more = mix(bits);
  const uint32_t space =
      cluster.namespaces.choose(cluster.spec.templates[chosen].namespaces, mix(more));
  const PodIdentity pod{.number = number, .of = chosen, .namespace_number = space};
  name_pod(cluster, pod, name_);
  const bool claims = cluster.claims.has(chosen, name_);
  const uint32_t variant = cluster.templates.variant(chosen, more);
  uses_.writer.add(uses_.writer.template_id(chosen, variant, claims), space, name_);
  if (claims) uses_.writer.claims(chosen, space, name_);
  int64_t ends = kNever;
  if (spec.lifetime) ends = uses_.lifetimes.begin(pod, *spec.lifetime, arrival, number);
  uses_.usages.begin(pod, ends);
}

void Arrivals::begin_job(uint32_t arrival) {
  ArrivingJob job = uses_.jobs.begin(arrival, queue_.pods_left(arrival));
  queue_.take_pods(arrival, job.pods);
  uses_.tasks.add_job(std::move(job), uses_.cluster.spec.arrivals[arrival].measured);
}

}  // namespace berth::loadgen
