#include "engine/runtime/kept_objects.h"

#include "engine/base/assert.h"
#include "engine/extenders/http_extenders.h"

namespace berth::runtime {

KeptObjects::KeptObjects(const config::Configuration& configuration, const Assembly& assembly,
                         model::Cluster& cluster)
    : whole_(cluster,
             extenders::WholeObjects::Read{.objects = !configuration.extenders.empty(),
                                           .annotations = assembly.reads("pod.annotation:")}) {
  cluster.set_annotations(&whole_);
  extenders_ = extenders::make_extenders(configuration, cluster, whole_,
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
