#include "engine/host/run/rules_service.h"

#include "engine/base/rules/rules.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

int32_t holds(const berth_host* host, berth_string name) {
  const RuleInfo* info = find_rule(readable(name));
  if (info == nullptr) return BERTH_RULE_UNKNOWN;
  return HostServices::of(host).environment().rules.has(info->rule) ? BERTH_RULE_YES
                                                                    : BERTH_RULE_NO;
}

void version(const berth_host* host, berth_string* version) {
  *version = to_abi(version_text(HostServices::of(host).environment().rules.version()));
}

}  // namespace

const berth_rules_service& rules_service() {
  static constexpr berth_rules_service kTable = {sizeof kTable, 0, holds, version};
  return kTable;
}

}  // namespace berth::host
