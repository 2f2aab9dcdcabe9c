#pragma once

// What a service logs of its state on SIGUSR2, in klog's lines and the words of kube-scheduler's
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
// What the cache lacks, and what it has too much; nothing if it is equal.
void log_differences(const service::Comparison::Result& result, const runtime::Core& core,
                     const WriteLine& write);
// "Cache comparer started", "Cache comparer finished".
void log_words(const char* words, const runtime::Core& core, const WriteLine& write);

}  // namespace berth::cli
