#include "tests/simulation/world/storage.h"

namespace berth::simulation {
namespace {

constexpr int kClaims = 6;  // of a namespace
constexpr const char* kNamespaces[] = {"default", "team"};
constexpr const char* kZones[] = {"a", "b", "c"};
constexpr const char* kZone = "topology.kubernetes.io/zone";

std::string claim_name(int64_t number) { return "data-" + std::to_string(number); }

model::StorageClass class_of(const std::string& name, const std::string& provisioner, bool waits) {
  model::StorageClass made;
  made.name = name;
  made.provisioner = provisioner;
  made.has_binding_mode = true;
  made.waits = waits;
  return made;
}

}  // namespace

Storage::Storage(uint64_t seed, bool history)
    : dice_(mix(seed ^ 0xd1b54a32d192ed03u)),
      capacity_dice_(mix(seed ^ 0x8cb92ba72f3d8dd7u)),
      history_(history) {
  if (!dice_.chance(40)) return;
  controller_.emplace();
  controller_->seed = seed;
  controller_->delay = std::chrono::milliseconds(dice_.number(0, 3000));
  controller_->failure_percent = static_cast<uint32_t>(dice_.number(0, history ? 60 : 10));
  rules_.set(Rule::kStorageScore, capacity_dice_.chance(50));
}

void Storage::put(const model::VolumeObject& object) {
  server_->apply(model::added(object), "storage");
}

model::PersistentVolumeClaim Storage::draw_claim(const std::string& namespace_name, int number) {
  model::PersistentVolumeClaim made;
  made.namespace_name = namespace_name;
  made.name = claim_name(number);
  made.uid = "claim-" + std::to_string(uids_++);
  made.storage_class = dice_.one_of<const char*>({"made", "made", "now"});
  if (history_ && dice_.chance(30)) made.storage_class = "local";
  made.access_modes = {history_ && dice_.chance(10) ? "ReadWriteOncePod" : "ReadWriteOnce"};
  made.storage = dice_.number(1, 4);
  return made;
}

model::CsiStorageCapacity Storage::draw_capacity(const std::string& zone) {
  model::CsiStorageCapacity made;
  made.namespace_name = "kube-system";
  made.name = "capacity-" + zone;
  made.storage_class = "made";
  made.node_topology = model::LabelSelector();
  if (history_) made.node_topology->match_labels = {{kZone, zone}};
  made.capacity = capacity_dice_.number(history_ ? 1 : 4, 12);
  made.limit = made.capacity;
  return made;
}

void Storage::begin() {
  if (!controller_) return;
  put(class_of("made", "csi.test", true));
  put(class_of("now", "csi.test", false));
  put(class_of("local", "kubernetes.io/no-provisioner", true));
  for (const char* in : kNamespaces)
    for (int i = 0; i < kClaims; ++i) put(draw_claim(in, i));
  if (!rules_.has(Rule::kStorageScore)) return;
  put(model::CsiDriver{"csi.test", true});
  for (const char* zone : kZones) put(draw_capacity(zone));
}

void Storage::node_came(const std::string& name) {
  if (!controller_ || !history_ || !dice_.chance(70)) return;
  model::CsiNode made;
  made.name = name;
  made.drivers = {
      {"csi.test", dice_.chance(30) ? std::optional<int64_t>(2) : std::nullopt, {kZone}}};
  put(made);
}

void Storage::equip(model::Pod& pod) {
  if (!controller_ || !dice_.chance(40)) return;
  model::PodVolume volume;
  volume.is_claim = true;
  volume.claim = claim_name(dice_.number(0, kClaims - 1));
  pod.spec.volumes.push_back(volume);
}

std::string Storage::change() {
  if (!controller_ || !history_) return {};
  if (rules_.has(Rule::kStorageScore) && capacity_dice_.chance(10)) {
    const auto capacity = draw_capacity(capacity_dice_.one_of<const char*>({"a", "b", "c"}));
    put(capacity);
    return capacity.name + " is " + std::to_string(*capacity.capacity);
  }
  if (!dice_.chance(15)) return {};
  const auto number = static_cast<int>(dice_.number(0, kClaims - 1));
  const model::PersistentVolumeClaim claim =
      draw_claim(dice_.one_of<const char*>({"default", "team"}), number);
  if (dice_.chance(40)) {
    model::PersistentVolume made;
    made.name = "disk-" + std::to_string(volumes_++);
    made.storage_class = "local";
    made.access_modes = {"ReadWriteOnce"};
    made.storage = dice_.number(1, 4);
    if (dice_.chance(70))
      made.node_affinity = model::NodeSelector{
          {{{{kZone, "In", {dice_.one_of<const char*>({"a", "b", "c"})}}}, {}}}};
    put(made);
    return "volume " + made.name;
  }
  if (dice_.chance(50)) {
    server_->apply(model::deleted(claim), "storage");
    return "claim " + claim.name + " goes";
  }
  put(claim);
  return "claim " + claim.name + " is another";
}

}  // namespace berth::simulation
