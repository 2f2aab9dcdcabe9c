#include "plugins/testing/fake_waiting.h"

#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_host.h"

namespace berth::plugins::testing {

FakeWaiting::FakeWaiting() {
  service_.size = sizeof(service_);
  service_.each = [](const berth_host* host, void* context,
                     void (*visit)(void* context, uint64_t pod, uint32_t node)) {
    const std::vector<uint64_t> all = FakeHost::of(host).waiting.pods;
    for (const uint64_t pod : all) visit(context, pod, 1);
  };
  service_.allow = [](const berth_host* host, uint64_t pod) -> berth_code {
    FakeWaiting& self = FakeHost::of(host).waiting;
    if (!self.leave(pod)) return BERTH_ERROR;
    self.allowed.push_back(pod);
    return BERTH_SUCCESS;
  };
  service_.reject = [](const berth_host* host, uint64_t pod, berth_string reason) -> berth_code {
    FakeWaiting& self = FakeHost::of(host).waiting;
    if (!self.leave(pod)) return BERTH_ERROR;
    self.rejected.emplace_back(pod, sdk::to_view(reason));
    return BERTH_SUCCESS;
  };
  service_.activate = [](const berth_host* host, uint64_t count, const uint64_t* handles) {
    std::vector<uint64_t>& asked = FakeHost::of(host).waiting.activated;
    asked.insert(asked.end(), handles, handles + count);
  };
}

bool FakeWaiting::leave(uint64_t pod) { return std::erase(pods, pod) != 0; }

}  // namespace berth::plugins::testing
