#include "plugins/disk_limits/disk_limits.h"

#include <algorithm>

namespace berth::plugins {
namespace {

void keep_each_once(std::vector<Disk>& disks) {
  std::ranges::sort(disks);
  disks.erase(std::unique(disks.begin(), disks.end()), disks.end());
}

}  // namespace

// kube-scheduler's expression is "^[cmr]5.*|t3|z1d", whose last two words may be anywhere.
bool is_nitro(std::string_view instance_type) {
  const bool fifth = instance_type.size() >= 2 && instance_type[1] == '5' &&
                     std::string_view("cmr").find(instance_type[0]) != std::string_view::npos;
  return fifth || instance_type.find("t3") != std::string_view::npos ||
         instance_type.find("z1d") != std::string_view::npos;
}

void DiskLimitsFilter::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
  plugin_ = strings_.intern(kind_.plugin);
}

std::shared_ptr<const DiskFacts> DiskLimitsFilter::facts() {
  if (facts_ != nullptr && facts_->version == volumes_.version()) return facts_;
  auto made = std::make_shared<DiskFacts>();
  made->version = volumes_.version();
  volumes_.each_claim([&](const berth_claim& claim) { add_claim(claim, *made); });
  volumes_.each_csi_node([&](const berth_csi_node& node) { made->csi_nodes.insert(node.name); });
  return facts_ = made;
}

// A claim without a volume counts by the provisioner of its class.
void DiskLimitsFilter::add_claim(const berth_claim& claim, DiskFacts& to) const {
  const uint64_t key = sdk::key_of(claim);
  const berth_volume* volume = claim.volume == 0 ? nullptr : volumes_.volume(claim.volume);
  if (volume != nullptr) {
    if (volume->csi_driver == 0 && volume->plugin == plugin_)
      to.claims[key] = {false, volume->plugin_handle};
    return;
  }
  const berth_storage_class* of = volumes_.storage_class(claim.storage_class);
  if (of != nullptr && of->provisioner == plugin_) to.claims[key] = {true, key};
}

void DiskLimitsFilter::add_disks(const DiskFacts& facts, std::span<const uint64_t> claims,
                                 std::span<const uint64_t> inline_volumes,
                                 std::vector<Disk>& to) const {
  for (const uint64_t claim : claims)
    if (const auto at = facts.claims.find(claim); at != facts.claims.end())
      to.push_back(at->second);
  for (const uint64_t volume : inline_volumes)
    if (static_cast<uint32_t>(volume >> 32) == plugin_)
      to.push_back({false, static_cast<uint32_t>(volume)});
}

void DiskLimitsFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                               WantedDisks& state) {
  const auto claims = pod.one(claims_);
  const auto inline_volumes = pod.one(inline_);
  if (claims.empty() && inline_volumes.empty()) return prepared.passes();
  state.facts = facts();
  for (const uint64_t claim : claims) {
    if (volumes_.claim(claim) != nullptr || !state.missing.empty()) continue;
    const std::string_view space = strings_.text(static_cast<uint32_t>(claim >> 32));
    const std::string_view name = strings_.text(static_cast<uint32_t>(claim));
    state.missing = sdk::concat("looking up PVC ", space, "/", name, ": persistentvolumeclaim \"",
                                name, "\" not found");
  }
  add_disks(*state.facts, claims, inline_volumes, state.disks);
  keep_each_once(state.disks);
  prepared.keep(node_, used_claims_, used_inline_, own_limit_, type_, former_type_);
}

int64_t DiskLimitsFilter::limit_of(int64_t own, uint32_t type, uint32_t former_type) const {
  if (own != 0) return own;
  if (kind_.most == kind_.most_of_nitro) return kind_.most;
  const uint32_t said = type != 0 ? type : former_type;
  return said != 0 && is_nitro(strings_.text(said)) ? kind_.most_of_nitro : kind_.most;
}

void DiskLimitsFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const WantedDisks& state = call.state();
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  if (!state.missing.empty())
    return std::fill(verdicts.begin(), verdicts.end(),
                     uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE});
  if (state.disks.empty()) return;
  const auto names = call[node_];
  const auto claims = call[used_claims_];
  const auto inline_volumes = call[used_inline_];
  const auto own_limits = call[own_limit_];
  const auto types = call[type_];
  const auto former_types = call[former_type_];
  std::vector<Disk> all;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (state.facts->csi_nodes.contains(names[i])) continue;
    all.clear();
    add_disks(*state.facts, claims[i], inline_volumes[i], all);
    all.insert(all.end(), state.disks.begin(), state.disks.end());
    keep_each_once(all);
    const int64_t limit = limit_of(own_limits[i], types[i], former_types[i]);
    if (static_cast<int64_t>(all.size()) > limit) verdicts[i] = BERTH_UNSCHEDULABLE;
  }
}

void DiskLimitsFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  const uint32_t missing = static_cast<uint32_t>(exceeded_) + 1;
  for (uint32_t& reason : reasons) reason = call.state().missing.empty() ? exceeded_ : missing;
}

void DiskLimitsFilter::describe(const Call& call, uint32_t reason,
                                const sdk::TextSink& sink) const {
  if (reason == exceeded_) return write_reason(reason, sink);
  sink.write(call.state().missing);
}

uint32_t DiskLimitsHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD;
  return kind == BERTH_ON_POD_ASSIGNED ? BERTH_DID_DELETE : 0;
}

}  // namespace berth::plugins
