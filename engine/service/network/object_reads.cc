#include "engine/service/network/object_reads.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/kube/api/status.h"

namespace berth::service {
namespace {

// Volumes and claims are small.
constexpr Time kReadLimit = std::chrono::seconds(30);
constexpr Time kReadAgain = std::chrono::seconds(2);

}  // namespace

void ObjectReads::read(const kube::ServedKind& kind, const std::string& path) {
  kube::Request request;
  request.path = path;
  request.limit = kReadLimit;
  http_.send(std::move(request),
             [this, &kind, path](const kube::Answer& answer) { take(kind, path, answer); });
}

void ObjectReads::take(const kube::ServedKind& kind, const std::string& path,
                       const kube::Answer& answer) {
  if (answer.status == 404) return;  // the watch tells of it
  if (!answer.ok()) {
    say_(kube::failure_text(answer, {kube::Method::kGet, kind.resource}));
    return try_later(kind, path);
  }
  Diagnostics faults;
  const auto text = document::Document::parse(answer.body, {}, faults);
  std::string fault = "expected a JSON object";
  std::optional<kube::Watched> object;
  if (text.roots().size() == 1 && kube::read_metadata(kind, text.roots()[0], fault))
    object = kube::read_object(kind, text.roots()[0], false, fault);
  if (!object) return say_(fmt::format("{} cannot be read: {}", kind.resource, fault));
  std::vector<kube::Watched> changes;
  changes.push_back(std::move(*object));
  on_read_(std::move(changes));
}

void ObjectReads::try_later(const kube::ServedKind& kind, const std::string& path) {
  const uint64_t number = ++numbers_;
  timers_[number] = loop_.after(kReadAgain, [this, &kind, path, number] {
    timers_.erase(number);
    read(kind, path);
  });
}

}  // namespace berth::service
