#include "engine/host/calls/revisions.h"

#include <algorithm>
#include <array>

#include "engine/host/calls/checked_calls.h"

namespace berth::host {
namespace {

// The current revision of each point; former ones would follow.
constexpr auto kRevisions = [] {
  std::array<Revision, kPointCount> current{};
  for (const PointInfo& info : kPoints)
    visit_hook_type(info.point, [&]<typename T>(std::type_identity<T>) {
      current[point_index(info.point)] = {T::kId, info.point};
    });
  return current;
}();

// The id of an extension point without its revision.
std::string_view family(std::string_view id) { return id.substr(0, id.find('/')); }

}  // namespace

Revisions host_revisions() { return kRevisions; }

std::string_view point_id(Point point) { return kRevisions[point_index(point)].id; }

const Revision* find_revision(Revisions revisions, std::string_view id) {
  const auto found = std::ranges::find(revisions, id, &Revision::id);
  return found == revisions.end() ? nullptr : &*found;
}

std::vector<const Revision*> choose_revisions(Revisions revisions,
                                              std::span<const std::string> offered) {
  std::vector<const Revision*> chosen;
  for (const std::string& id : offered) {
    const Revision* revision = find_revision(revisions, id);
    if (revision == nullptr) continue;
    const auto same = std::ranges::find(chosen, revision->point, &Revision::point);
    if (same == chosen.end()) {
      chosen.push_back(revision);
    } else {
      *same = std::min(*same, revision);
    }
  }
  return chosen;
}

std::string accepted_revisions(Revisions revisions, std::string_view id) {
  std::string ids;
  for (const Revision& revision : revisions) {
    if (family(revision.id) != family(id)) continue;
    if (!ids.empty()) ids += ", ";
    ids += revision.id;
  }
  return ids;
}

}  // namespace berth::host
