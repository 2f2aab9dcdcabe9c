#include "engine/kube/reflector/reflectors.h"

#include <algorithm>

#include "engine/base/draw.h"

namespace berth::kube {

Reflectors::Reflectors(std::span<const ServedKind> kinds, Http& http, Loop& loop, Sink& sink,
                       Reflector::Options options) {
  const uint64_t seed = options.seed;
  for (const ServedKind& kind : kinds) {
    options.seed = draw(seed, reflectors_.size(), 1, Purpose::kApiClient);
    reflectors_.push_back(std::make_unique<Reflector>(kind, http, loop, sink, options));
  }
}

void Reflectors::start() {
  for (const auto& reflector : reflectors_) reflector->start();
}

void Reflectors::stop() {
  for (const auto& reflector : reflectors_) reflector->stop();
}

bool Reflectors::synced() const {
  return std::ranges::all_of(reflectors_, [](const auto& each) { return each->synced(); });
}

const ObjectVersion* Reflectors::find(std::string_view kind, std::string_view namespace_name,
                                      std::string_view name) const {
  for (const auto& reflector : reflectors_)
    if (reflector->kind().name == kind) return reflector->find(namespace_name, name);
  return nullptr;
}

}  // namespace berth::kube
