#include "engine/kube/reflector/listing.h"

#include <chrono>
#include <optional>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"
#include "engine/kube/api/list_page.h"
#include "engine/kube/api/query.h"
#include "engine/kube/api/status.h"

namespace berth::kube {
namespace {

constexpr std::string_view kObjectsInPage = "500";
constexpr Time kPageLimit = std::chrono::minutes(2);

ListedObject listed_object(document::Value object) {
  const document::Value metadata = object.find("metadata");
  const std::string_view space = metadata.find("namespace").text();
  ListedObject listed{space.empty() ? "" : std::string(space) + "/",
                      std::string(metadata.find("uid").text())};
  listed.name += metadata.find("name").text();
  return listed;
}

}  // namespace

Listing::Listing(const ServedKind& kind, Http& http, Done done)
    : kind_(kind), http_(http), done_(std::move(done)) {
  BERTH_ASSERT(done_);
  ask({});
}

void Listing::ask(std::string_view continue_token) {
  BERTH_ASSERT(request_ == 0);
  Request request;
  request.path = with_query(list_path(kind_), {{"limit", kObjectsInPage},
                                               {"continue", continue_token},
                                               {"fieldSelector", kind_.field_selector}});
  request.limit = kPageLimit;
  request_ = http_.send(std::move(request), [this](const Answer& answer) { came(answer); });
}

void Listing::came(const Answer& answer) {
  request_ = 0;
  const std::string prefix = "the list of " + std::string(kind_.resource);
  if (!answer.ok())
    return finish(prefix + " failed: " + failure_text(answer, {Method::kGet, kind_.resource}));
  std::string fault;
  const auto page = read_list_page(answer.body, fault);
  if (!page) return finish(printable(prefix + " cannot be read: " + fault));
  for (const document::Value item : page->items.elements()) objects_.push_back(listed_object(item));
  page->continue_token.empty() ? finish({}) : ask(page->continue_token);
}

void Listing::finish(std::string fault) {
  if (!fault.empty()) objects_.clear();
  const Done done = std::move(done_);
  done({std::move(objects_), std::move(fault)});
}

}  // namespace berth::kube
