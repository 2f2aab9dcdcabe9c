// Claims of the pods that come and go.

#include <utility>

#include "loadgen/generate/generator.h"

namespace berth::loadgen {

bool Generator::setup_storage(LoadStep& step) {
  if (!spec_.storage || cursor_ != 0) return false;
  ++cursor_;
  for (model::VolumeObject& object : claims_.classes())
    step.cluster.push_back(model::added(std::move(object)));
  return true;
}

void Generator::add_claims(uint32_t pod_template, uint32_t space, bool exist, LoadStep& step) {
  for (uint32_t i = 0; i < spec_.templates[pod_template].claims->each; ++i)
    pods_.claim(PodClaims::name(name_, i));
  if (exist) return;
  for (model::VolumeObject& object : claims_.make(pod_template, namespaces_[space], name_))
    step.events.push_back(model::added(std::move(object)));
}

void Generator::end_claims(uint32_t pod_template, const std::string& space, LoadStep& step) {
  for (model::VolumeObject& object : claims_.make(pod_template, space, name_))
    step.events.push_back(model::deleted(std::move(object)));
}

bool Generator::owner_has_claims(uint32_t owner) const {
  const Owner& of = owners_[owner];
  return claims_.has(spec_.owners[of.spec].pod_template, owner_name(of));
}

bool Generator::has_claims(const Ending& pod) const {
  switch (pod.kind) {
    case PodOf::kTemplate:
      return claims_.has(pod.of, name_);
    case PodOf::kJob: {
      std::string job;
      name_job(pod.of, pod.job, job);
      return claims_.has(pod.of, job);
    }
    case PodOf::kOwner:
      return owner_has_claims(pod.of);
  }
  return false;
}

uint32_t Generator::template_of(const Ending& pod) const {
  return pod.kind == PodOf::kOwner ? spec_.owners[owners_[pod.of].spec].pod_template : pod.of;
}

}  // namespace berth::loadgen
