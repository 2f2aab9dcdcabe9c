#include "engine/host/calls/together.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/host/calls/tag_scope.h"
#include "engine/host/loading/plugin_code.h"

namespace berth::host {

// The plugins may ask services until their calls end; these are functions with the tag [rows].
void Together::drop() {
  const TagScope scope(TagScope::Tag::kRows);
  processes_.clear();
}

void Together::send() {
  for (const Process& process : processes_) process.calls->send();
}

bool Together::begins(const Posted& posted) {
  if (processes_.empty()) return false;  // the round is over
  const TagScope scope(TagScope::Tag::kRows);
  return processes_[posted.process].calls->begins(posted.number);
}

Posted Together::post(const PluginCode& code, berth_plugin* plugin, Point point,
                      const berth_call& call) {
  BERTH_ASSERT(call.mask == nullptr);
  auto at = std::ranges::find(processes_, &code, &Process::code);
  if (at == processes_.end()) {
    processes_.push_back({&code, code.calls_together()});
    at = processes_.end() - 1;
  }
  const std::optional<uint32_t> number = at->calls->add(plugin, point, call);
  if (!number) return {};
  return {this, round_, static_cast<uint32_t>(at - processes_.begin()), *number, call.count};
}

}  // namespace berth::host
