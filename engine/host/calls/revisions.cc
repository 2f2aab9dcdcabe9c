#include "engine/host/calls/revisions.h"

#include <algorithm>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/overlay.h"
#include "berth/abi/score.h"

namespace berth::host {
namespace {

constexpr Revision kRevisions[] = {
    {BERTH_PRE_ENQUEUE, Point::kPreEnqueue},
    {BERTH_QUEUE_SORT, Point::kQueueSort},
    {BERTH_HINTS, Point::kHints},
    {BERTH_PRE_FILTER, Point::kPreFilter},
    {BERTH_FILTER, Point::kFilter},
    {BERTH_POST_FILTER, Point::kPostFilter},
    {BERTH_PRE_SCORE, Point::kPreScore},
    {BERTH_SCORE, Point::kScore},
    {BERTH_RESERVE, Point::kReserve},
    {BERTH_PERMIT, Point::kPermit},
    {BERTH_PRE_BIND, Point::kPreBind},
    {BERTH_BIND, Point::kBind},
    {BERTH_POST_BIND, Point::kPostBind},
    {BERTH_OVERLAY_STATE, Point::kOverlayState},
};

// The id of an extension point without its revision.
std::string_view family(std::string_view id) { return id.substr(0, id.find('/')); }

}  // namespace

Revisions host_revisions() { return kRevisions; }

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
