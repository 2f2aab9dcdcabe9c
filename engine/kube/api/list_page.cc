#include "engine/kube/api/list_page.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/error.h"

namespace berth::kube {
namespace {

using document::Document;
using document::Kind;
using document::Value;

// The one document of a text, an object; otherwise nothing.
std::optional<Document> parse_object(std::string_view text, std::string& fault) {
  Diagnostics faults;
  document::Limits limits;
  limits.json_only = true;
  Document document = Document::parse(text, "", faults, limits);
  if (faults.count() > 0) {
    fault = faults.kept().front().what();
    return std::nullopt;
  }
  if (document.roots().size() != 1 || !document.roots()[0].is(Kind::kObject)) {
    fault = "expected one JSON object";
    return std::nullopt;
  }
  return document;
}

std::string_view version_of(Value object) {
  return object.find("metadata").find("resourceVersion").text();
}

std::optional<WatchEvent::Type> type_of(std::string_view name) {
  constexpr std::string_view kNames[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
  const auto* found = std::ranges::find(kNames, name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<WatchEvent::Type>(found - std::begin(kNames));
}

}  // namespace

std::optional<ListPage> read_list_page(std::string_view body, std::string& fault) {
  std::optional<Document> document = parse_object(body, fault);
  if (!document) return std::nullopt;
  ListPage page{std::move(*document), {}, {}, {}};
  const Value root = page.document.roots()[0];
  page.items = root.find("items");
  page.resource_version = version_of(root);
  page.continue_token = root.find("metadata").find("continue").text();
  if (page.items.set() && !page.items.is(Kind::kArray)) {
    fault = "expected an array as items";
    return std::nullopt;
  }
  if (page.resource_version.empty()) {
    fault = "expected a metadata.resourceVersion";
    return std::nullopt;
  }
  return page;
}

std::string_view WatchEvent::resource_version() const { return version_of(object); }

bool WatchEvent::ends_initial_events() const {
  return type == Type::kBookmark &&
         object.find("metadata").find("annotations").find("k8s.io/initial-events-end").text() ==
             "true";
}

std::optional<WatchEvent> read_watch_event(std::string_view line, std::string& fault) {
  std::optional<Document> document = parse_object(line, fault);
  if (!document) return std::nullopt;
  WatchEvent event{std::move(*document), {}, {}};
  const Value root = event.document.roots()[0];
  const auto type = type_of(root.find("type").text());
  event.object = root.find("object");
  if (!type || !event.object.is(Kind::kObject)) {
    fault = "expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, with an object";
    return std::nullopt;
  }
  event.type = *type;
  return event;
}

}  // namespace berth::kube
