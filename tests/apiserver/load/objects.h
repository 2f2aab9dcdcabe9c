#pragma once

// The nodes and pods of a load, as JSON.

#include <cstddef>
#include <string>

namespace berth::apiserver {

// "n-7": 32 processors, 256 GiB, 110 pods, in one of three zones.
std::string load_node(size_t number);
// "p-7": 100m and 500 MiB, with what a real server and its controllers add to a pod of a
// Deployment. About 1,500 bytes. One Deployment has about a hundred pods.
std::string load_pod(size_t number);

}  // namespace berth::apiserver
