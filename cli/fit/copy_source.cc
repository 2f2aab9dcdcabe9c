#include "cli/fit/copy_source.h"

#include <algorithm>
#include <utility>

#include "engine/ingest/workloads/made_pods.h"

namespace berth::cli {
namespace {

// Copies that arrive together, where nothing depends on what became of the one before.
constexpr uint64_t kCopiesAtOnce = 1024;
// The number of times that time passes for one copy. A copy whose victims leave needs few; one that
// evicts pods again and again would go on for ever.
constexpr uint64_t kMostWaits = 100'000;
// Pods of a gang that does not fit may hold and lose nodes in turns for ever. Longer than any pod
// waits in Permit.
constexpr Time kNothingComes = std::chrono::minutes(16);

bool shares_template(const CopiedUnit& unit) {
  const CopiedPod& first = unit.members.front();
  return unit.group.empty() && unit.members.size() == 1 && first.pods == 1 && first.plain();
}

}  // namespace

CopySource::CopySource(Copied copied, const CopyLimits& limits, ingest::Creation& creation,
                       Copies& copies, runtime::Core& core, Diagnostics faults,
                       ingest::Remarks remarks)
    : copied_(std::move(copied)),
      limits_(limits),
      creation_(creation),
      copies_(copies),
      core_(core),
      faults_(std::move(faults)),
      remarks_(std::move(remarks)),
      made_(copied_.units.size()),
      next_(copied_.units.size()) {}

bool CopySource::give(drive::Work& work, ingest::BatchKind kind) {
  batch_.kind = kind;
  work.stream = &batch_;
  return true;
}

// The objects of the files, then the templates of copies that share theirs.
bool CopySource::give_objects(drive::Work& work) {
  if (given_ == 0 && ++given_ == 1 && !copied_.others.empty()) {
    batch_.changes = std::move(copied_.others);
    return give(work, ingest::BatchKind::kEvents);
  }
  if (given_ != 1) return false;
  ++given_;
  batch_.templates.clear();
  for (uint32_t i = 0; i < copied_.units.size(); ++i)
    if (shares_template(copied_.units[i]))
      batch_.templates.push_back({i, copied_.units[i].members.front().spec});
  return !batch_.templates.empty() && give(work, ingest::BatchKind::kTemplates);
}

std::optional<uint64_t> CopySource::wanted(const CopiedUnit& unit) const {
  if (limits_.replicas) return unit.group.empty() ? unit.replicas : 1;
  return limits_.count;
}

bool CopySource::is_done(size_t unit) const {
  const auto most = wanted(copied_.units[unit]);
  return most && made_[unit] >= *most;
}

std::optional<size_t> CopySource::next_unit() {
  for (size_t i = 0; i < copied_.units.size(); ++i) {
    const size_t unit = turn_++ % copied_.units.size();
    if (!is_done(unit)) return unit;
  }
  return {};
}

// False: time brings nothing to the last copy.
bool CopySource::may_settle() {
  if (copies_.changes() != changes_ || core_.pods_leave()) {
    changes_ = copies_.changes();
    changed_ = core_.now();
  }
  return (core_.pods_leave() || core_.unfinished() || core_.has_work()) &&
         core_.now() - changed_ <= kNothingComes && waits_++ < kMostWaits;
}

// True once nothing more becomes of the last copy; else time is to pass for it.
bool CopySource::settled(drive::Work& work, bool& waits) {
  if (!limits_.preempt || copies_.all().empty()) return true;
  if (copies_.is_whole(copies_.all().back(), core_.cluster())) {
    waits_ = 0;
    return true;
  }
  if (may_settle()) {
    const Time later = core_.now() + std::chrono::seconds(1);
    // Time has to pass: a controller may have something to do at this moment.
    batch_.at = std::max(core_.next_due().value_or(later), core_.now() + Time(1)).count();
    waits = true;
    return give(work, ingest::BatchKind::kTime);
  }
  copies_.give_up();
  return true;
}

bool CopySource::next(drive::Work& work) {
  work = {};
  if (give_objects(work)) return true;
  bool waits = false;
  if (settled(work, waits) && waits) return true;
  if (copies_.end().is_limit()) return false;
  const bool enough = limits_.in_all && copies_.all().size() >= *limits_.in_all;
  const std::optional<size_t> unit = enough ? std::nullopt : next_unit();
  if (!unit) {
    copies_.end(CopiesEnd::Why::kCount, 0, {});
    return false;
  }
  names_.clear();
  if (shares_template(copied_.units[*unit])) {
    write_plain(*unit);
    return batch_.pods.size() != 0 && give(work, ingest::BatchKind::kPods);
  }
  return write(*unit) && give(work, ingest::BatchKind::kEvents);
}

// Names that pods have are passed over.
std::string CopySource::free_name(const model::Pod& pod, const std::string& base,
                                  uint64_t& number) const {
  while (true) {
    std::string name = base + "-" + std::to_string(number++);
    if (!core_.cluster().find_pod(pod.namespace_name, name)) return name;
  }
}

bool CopySource::admits(size_t unit, const CopiedPod& member, const std::string& name) {
  if (!creation_.has_quotas()) return true;
  model::Pod pod = member.pod;
  pod.name = name;
  const std::optional<std::string> refused = creation_.admit(pod, member.asked);
  if (refused) copies_.end(CopiesEnd::Why::kRefused, unit, *refused);
  return !refused;
}

void CopySource::write_plain(size_t unit) {
  const CopiedPod& from = copied_.units[unit].members.front();
  const auto most = wanted(copied_.units[unit]);
  uint64_t count = copied_.units.size() == 1 && !limits_.preempt ? kCopiesAtOnce : 1;
  if (most) count = std::min(count, *most - made_[unit]);
  if (limits_.in_all) count = std::min(count, *limits_.in_all - copies_.all().size());
  model::PodBatch& pods = batch_.pods;
  pods.clear();
  pods.namespaces = {from.pod.namespace_name};
  if (from.pod.controller) pods.controllers = {*from.pod.controller};
  for (uint64_t i = 0; i < count; ++i) {
    const std::string& name = names_.emplace_back(free_name(from.pod, from.pod.name, next_[unit]));
    if (!admits(unit, from, name)) return;
    pods.template_ids.push_back(static_cast<uint32_t>(unit));
    pods.namespace_indices.push_back(0);
    pods.names.push_back(name);
    if (from.pod.controller) pods.controller_indices.push_back(1);
    copies_.begin(unit, 1);
    ++made_[unit];
  }
}

bool CopySource::write(size_t number) {
  const CopiedUnit& unit = copied_.units[number];
  const CopiedPod& first = unit.members.front();
  batch_.changes.clear();
  const std::string name = free_name(first.pod, first.pod.name, next_[number]);
  const std::string suffix = name.substr(first.pod.name.size());
  const std::string group = unit.group.empty() ? std::string() : unit.group + suffix;
  if (unit.object) {
    model::PodGroup object = *unit.object;
    object.name = group;
    batch_.changes.push_back(model::added(object));
  }
  for (const CopiedPod& member : unit.members)
    if (!write_member(number, member, member.pod.name + suffix, group)) return false;
  copies_.begin(number, unit.pods());
  ++made_[number];
  return true;
}

bool CopySource::write_member(size_t unit, const CopiedPod& member, const std::string& name,
                              const std::string& group) {
  for (uint64_t i = 0; i < member.pods; ++i) {
    std::string own = member.pods == 1 ? name : name + "-" + std::to_string(i);
    if (!admits(unit, member, own)) return false;
    const uint64_t ordinal = std::stoull(own.substr(own.rfind('-') + 1));
    model::Pod pod = copy_of(member, std::move(own), ordinal, group);
    if (const std::string refused = write_claims(pod, member); !refused.empty()) {
      copies_.end(CopiesEnd::Why::kRefused, unit, refused);
      return false;
    }
    batch_.changes.push_back(model::added(model::TemplatePod::of(std::move(pod))));
  }
  return true;
}

bool CopySource::has_claim(const model::PersistentVolumeClaim& claim) const {
  const model::Cluster& cluster = core_.cluster();
  const model::StringId in = cluster.strings().find(claim.namespace_name);
  const model::StringId name = cluster.strings().find(claim.name);
  return in != 0 && name != 0 && cluster.volumes().claim(in, name) != nullptr;
}

// Claims that are there stay. Returns why one is refused; empty: none is.
std::string CopySource::write_claims(model::Pod& pod, const CopiedPod& member) {
  std::vector<std::string> refused;
  std::vector<model::VolumeObject> claims =
      creation_.claims_for(pod, member.asked, false, &refused);
  if (!refused.empty()) return refused.front();
  for (const model::PersistentVolumeClaim& from : member.claims) {
    model::VolumeObject claim = ingest::claim_of(from, pod);
    if (has_claim(std::get<model::PersistentVolumeClaim>(claim))) continue;
    if (const auto why = creation_.admit(claim)) return *why;
    claims.push_back(std::move(claim));
  }
  for (model::VolumeObject& claim : claims)
    batch_.changes.push_back(model::added(std::move(claim)));
  return {};
}

}  // namespace berth::cli
