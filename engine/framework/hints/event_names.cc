#include "engine/framework/hints/event_names.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/host/calls/checked_calls.h"

namespace berth::framework {
namespace {

struct Action {
  uint32_t bit;
  const char* name;
};
constexpr std::array kNodeActions = {
    Action{BERTH_DID_ADD, "Add"},
    Action{BERTH_DID_DELETE, "Delete"},
    Action{BERTH_DID_UPDATE_ALLOCATABLE, "UpdateNodeAllocatable"},
    Action{BERTH_DID_UPDATE_LABEL, "UpdateNodeLabel"},
    Action{BERTH_DID_UPDATE_TAINT, "UpdateNodeTaint"},
    Action{BERTH_DID_UPDATE_ANNOTATION, "UpdateNodeAnnotation"},
    Action{BERTH_DID_UPDATE_DECLARED_FEATURES, "UpdateNodeDeclaredFeature"},
};
constexpr std::array kPodActions = {
    Action{BERTH_DID_ADD, "Add"},
    Action{BERTH_DID_DELETE, "Delete"},
    Action{BERTH_DID_UPDATE_LABEL, "UpdatePodLabel"},
    Action{BERTH_DID_UPDATE_SCALE_DOWN, "UpdatePodScaleDown"},
    Action{BERTH_DID_UPDATE_TOLERATION, "UpdatePodToleration"},
    Action{BERTH_DID_UPDATE_GATES, "UpdatePodSchedulingGatesEliminated"},
    Action{BERTH_DID_UPDATE_OTHER, "Update"},
};
constexpr std::array kStorageActions = {
    Action{BERTH_DID_ADD, "Add"},
    Action{BERTH_DID_DELETE, "Delete"},
    Action{BERTH_DID_UPDATE_OTHER, "Update"},
};

struct Kind {
  uint32_t bit;
  const char* resource;
  std::span<const Action> actions;
};
constexpr std::array<Kind, host::Hints::kKinds.size()> kKinds = {{
    {BERTH_ON_POD_ASSIGNED, "AssignedPod", kPodActions},
    {BERTH_ON_POD_PENDING, "UnschedulablePod", kPodActions},
    {BERTH_ON_NODE, "Node", kNodeActions},
    {BERTH_ON_CLAIM, "PersistentVolumeClaim", kStorageActions},
    {BERTH_ON_VOLUME, "PersistentVolume", kStorageActions},
    {BERTH_ON_STORAGE_CLASS, "storage.k8s.io/StorageClass", kStorageActions},
    {BERTH_ON_CSI_NODE, "storage.k8s.io/CSINode", kStorageActions},
    {BERTH_ON_CSI_DRIVER, "storage.k8s.io/CSIDriver", kStorageActions},
    {BERTH_ON_CSI_CAPACITY, "storage.k8s.io/CSIStorageCapacity", kStorageActions},
    {BERTH_ON_VOLUME_ATTACHMENT, "storage.k8s.io/VolumeAttachment", kStorageActions},
}};

}  // namespace

std::vector<std::string> event_names(uint32_t kind, uint32_t actions) {
  const auto* of = std::find_if(kKinds.begin(), kKinds.end(),
                                [&](const Kind& known) { return known.bit == kind; });
  if (of == kKinds.end()) return {};
  const std::string resource = std::string(of->resource) + "/";
  std::vector<std::string> names;
  bool all = true;
  for (const Action& action : of->actions) {
    if ((actions & action.bit) != 0) names.push_back(resource + action.name);
    all = all && ((actions & action.bit) != 0 || (action.bit & BERTH_DID_ANYTHING) == 0);
  }
  if (all) return {resource + "All"};
  return names;
}

}  // namespace berth::framework
