// Objects as they came: who reads them, and what is kept.

#include "engine/base/assert.h"
#include "engine/extenders/whole_objects.h"
#include "engine/runtime/core.h"

namespace berth::runtime {

bool Core::reads(std::string_view columns) const {
  bool any = false;
  for (const auto& profile : assembly_.profiles)
    profile->for_each_hook([&](const framework::BoundHook& bound) {
      for (const std::string& id : bound.hook().inputs()) any |= id.starts_with(columns);
    });
  return any;
}

bool Core::reads_whole() const { return whole_->reads_any(); }

bool Core::reads_groups() const { return reads("pod.group"); }

// Each message once, and not without end: a server that is down fails every pod alike.
void Core::ignore(const std::string& message) {
  constexpr size_t kMostMessages = 100;
  if (ignored_.size() < kMostMessages && ignored_.insert(message).second)
    host::standard_log().write(BERTH_LOG_WARNING, framework::kExtenderPlugin, message);
}

void Core::keep(std::span<const ingest::WholeObject> objects) {
  BERTH_ASSERT(reads_whole());
  for (const ingest::WholeObject& object : objects)
    if (!object.kept() && extenders_ != nullptr)
      ignore(object.key +
             ": has more than 1.5 MiB of JSON, which no API server stores; extenders "
             "get the part that scheduling reads");
  whole_->put(objects);
}

}  // namespace berth::runtime
