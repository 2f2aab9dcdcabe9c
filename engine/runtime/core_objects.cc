// Objects as they came: who reads them, and what is kept.

#include "engine/base/assert.h"
#include "engine/extenders/whole_objects.h"
#include "engine/runtime/core.h"

namespace berth::runtime {

bool Core::reads_whole() const { return whole_->reads_any(); }

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
