// Reports files without an object that is read.

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/validation/read_kinds.h"

namespace berth::ingest {

void ObjectReader::check_content(const std::string& path, const Before& before, bool documents) {
  if (diagnostics_->count() != before.errors || objects_.size() != before.objects) return;
  if (!documents)
    return diagnostics_->report(
        Error(Place{.file = path, .field = {}}, "there is no object in it"));
  if (objects_.remarks.unread_kinds != before.unread && !unread_files_)
    diagnostics_->report(Error(Place{.file = path, .field = {}}, only_unread(before.unread)));
}

// The message about a file with only objects of kinds that are not read.
std::string ObjectReader::only_unread(const std::map<std::string, uint64_t>& before) const {
  std::string kinds;
  for (const auto& [kind, count] : objects_.remarks.unread_kinds) {
    const auto known = before.find(kind);
    const uint64_t fresh = count - (known == before.end() ? 0 : known->second);
    if (fresh == 0) continue;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(fresh) + " " + kind;
  }
  std::string text = "nothing in it is read, there is only: " + kinds + "; ";
  if (kinds.ends_with(" Table"))
    return text + "a Table is output for people: write the objects with kubectl get -o json";
  if (kinds.ends_with(" Workload.berth") && kinds.find(',') == kinds.npos)
    return text +
           "a Workload of berth/v1 is synthetic load: measure it with berth-bench run, or "
           "write its objects with berth-loadgen stream, for berth run --pods";
  text += "the kinds that are read are";
  text += read_kind_names();
  if (workloads_ != Workloads::kOwners) text += ", Deployment, DaemonSet, Job";
  return text;
}

}  // namespace berth::ingest
