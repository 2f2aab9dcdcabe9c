#include "engine/host/run/signing_service.h"

#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

constexpr uint64_t kCompared = BERTH_PART_LABELS | BERTH_PART_REQUESTS | BERTH_PART_TOLERATIONS |
                               BERTH_PART_NODE_SELECTION | BERTH_PART_NODE_NAME |
                               BERTH_PART_HOST_PORTS | BERTH_PART_IMAGES | BERTH_PART_VOLUMES;
constexpr uint64_t kExcluded = BERTH_PART_POD_AFFINITY | BERTH_PART_SPREAD_CONSTRAINTS;

berth_code compares(const berth_host* host, uint64_t parts, uint64_t without) {
  if ((parts & ~kCompared) != 0 || (without & ~kExcluded) != 0) return BERTH_ERROR;
  HostServices::of(host).say({.parts = parts, .without = without, .columns = {}});
  return BERTH_SUCCESS;
}

berth_code compares_column(const berth_host* host, berth_string column) {
  const std::string_view id = readable(column);
  const HostServices& services = HostServices::of(host);
  if (!id.starts_with("pod.") || services.environment().model.find_column(id) == 0)
    return BERTH_ERROR;
  services.say({.columns = {std::string(id)}});
  return BERTH_SUCCESS;
}

}  // namespace

const berth_signing_service& signing_service() {
  static constexpr berth_signing_service kTable = {sizeof kTable, 0, compares, compares_column};
  return kTable;
}

}  // namespace berth::host
