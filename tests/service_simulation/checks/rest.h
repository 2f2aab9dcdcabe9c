#pragma once

// What may still wait when the world is quiet, from the objects of the server alone.

#include <map>
#include <string>

#include "tests/service_simulation/world/client.h"

namespace berth::service_simulation {

// The pods that wait though they have a place, with the words for it, by name. Precondition: the
// objects of the server are such as the scheduler reads.
std::map<std::string, std::string> placeable_pods(Client& client);
// True if a pod is being deleted.
bool pods_leave(Client& client);

}  // namespace berth::service_simulation
