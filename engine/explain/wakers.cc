#include "engine/explain/wakers.h"

#include <algorithm>

#include "engine/framework/decision/extenders.h"
#include "engine/framework/hints/event_names.h"

namespace berth::explain {
namespace {

constexpr const char* kEveryEvent = "*/All";

}  // namespace

Explanation::Waker waker(const framework::QueueingHints& hints, size_t profile,
                         const std::string& plugin) {
  Explanation::Waker waker{plugin, {}};
  const auto every = [](const framework::QueueingHints::Interest& interest) {
    return interest.actions == host::Hints::kEveryAction && !interest.asks;
  };
  if (plugin == framework::kExtenderPlugin) {
    waker.events.push_back({kEveryEvent, true});
    return waker;
  }
  const auto id = hints.find(profile, plugin);
  if (!id) return waker;
  const auto& interests = hints.plugins()[*id].interests;
  if (interests.size() == host::Hints::kKinds.size() &&
      std::all_of(interests.begin(), interests.end(), every)) {
    waker.events.push_back({kEveryEvent, true});
    return waker;
  }
  for (const auto& interest : interests)
    for (std::string& name : framework::event_names(interest.kind, interest.actions))
      waker.events.push_back({std::move(name), !interest.asks});
  return waker;
}

}  // namespace berth::explain
