#pragma once

// The log of a service's state on SIGUSR2, in klog's lines and the words of kube-scheduler's
// cache debugger (backend/cache/debugger). Lines have a bounded number of names.

#include <functional>
#include <string>

#include "engine/runtime/core.h"
#include "engine/service/loop/comparison.h"

namespace berth::cli {

// `write` gets whole lines, one at a time.
using WriteLine = std::function<void(const std::string&)>;

// Each node with its pods, and the queue.
void log_state(runtime::Core& core, const WriteLine& write);
// The objects that the cache lacks, and those that it has too much; none if it is equal.
void log_differences(const service::Comparison::Result& result, const runtime::Core& core,
                     const WriteLine& write);
// "Cache comparer started", "Cache comparer finished".
void log_words(const char* words, const runtime::Core& core, const WriteLine& write);

}  // namespace berth::cli
