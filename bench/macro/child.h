#pragma once

// A piece of work in a process of its own, so that each run starts with the memory of none before,
// and a plugin that ends its process ends one run.

#include <functional>
#include <string>

namespace berth::bench {

// What `work` returned in the child. Throws Error with the message of what it threw, or with how
// the process ended if it did not come to return. Precondition: the calling process has one thread.
std::string in_child(const std::function<std::string()>& work);

}  // namespace berth::bench
