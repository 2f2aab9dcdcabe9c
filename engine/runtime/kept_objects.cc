#include "engine/runtime/kept_objects.h"

#include "engine/base/assert.h"
#include "engine/extenders/http_extenders.h"
#include "engine/runtime/second_opinion.h"

namespace berth::runtime {

namespace {

extenders::WholeObjects::Read read_by(const config::Configuration& configuration,
                                      const Assembly& assembly) {
  return {.objects = !configuration.extenders.empty(),
          .annotations = assembly.reads("pod.annotation:")};
}

extenders::WholeObjects::Read read_by_both(const extenders::WholeObjects::Read& one,
                                           const SecondOpinion* opinion) {
  if (opinion == nullptr) return one;
  const auto other = read_by(opinion->configuration(), opinion->assembly());
  return {.objects = one.objects || other.objects,
          .annotations = one.annotations || other.annotations};
}

}  // namespace

KeptObjects::KeptObjects(const config::Configuration& configuration, const Assembly& assembly,
                         const SecondOpinion* opinion, model::Cluster& cluster)
    : cluster_(cluster), whole_(cluster, read_by_both(read_by(configuration, assembly), opinion)) {
  cluster.set_annotations(&whole_);
  extenders_ = extenders_of(configuration);
}

std::unique_ptr<framework::Extenders> KeptObjects::extenders_of(
    const config::Configuration& configuration) {
  return extenders::make_extenders(configuration, cluster_, whole_,
                                   [this](const std::string& text) { ignore(text); });
}

// Each message once, and not without end: a server that is down fails every pod alike.
void KeptObjects::ignore(const std::string& message) {
  constexpr size_t kMostMessages = 100;
  if (ignored_.size() < kMostMessages && ignored_.insert(message).second)
    host::standard_log().write(BERTH_LOG_WARNING, framework::kExtenderPlugin, message);
}

void KeptObjects::keep(std::span<const ingest::WholeObject> objects) {
  BERTH_ASSERT(are_read());
  for (const ingest::WholeObject& object : objects)
    if (!object.kept() && extenders_ != nullptr)
      ignore(object.key +
             ": has more than 1.5 MiB of JSON, which no API server stores; extenders "
             "get the part that scheduling reads");
  whole_.put(objects);
}

}  // namespace berth::runtime
