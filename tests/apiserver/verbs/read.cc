#include "tests/apiserver/verbs/read.h"

#include <charconv>
#include <functional>
#include <limits>

#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/tables/table.h"

namespace berth::apiserver {
namespace {

constexpr uint64_t kUnset = std::numeric_limits<uint64_t>::max();

constexpr std::string_view kContinueIsOld =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

bool parse_number(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Where a list goes on: "REVISION:KEY", or without a revision if it is no more that of the first
// page.
struct Page {
  uint64_t revision = 0;
  std::string from;

  static Page parse(std::string_view token, uint64_t now) {
    const size_t colon = token.find(':');
    Page page{now, {}};
    if (colon == token.npos ||
        (colon != 0 && !parse_number(token.substr(0, colon), page.revision))) {
      throw bad_request("continue key is not valid");
    }
    page.from = token.substr(colon + 1);
    return page;
  }
  static std::string token(std::string_view revision, std::string_view last_key) {
    // The least key behind the last one.
    return std::string(revision).append(":").append(last_key).append(1, '\1');
  }
};

// What a list asks for.
struct ListOrder {
  uint64_t revision;  // of which the list is
  std::string from;
  uint64_t limit;  // 0: none
};

Problem ahead(uint64_t asked, uint64_t now) {
  Problem problem(504, "Timeout",
                  "Timeout: Too large resource version: " + std::to_string(asked) +
                      ", current: " + std::to_string(now));
  problem.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", {}});
  problem.retry_after_seconds = 1;
  return problem;
}

ListOrder order_of(const Call& call) {
  const uint64_t now = call.core.store.revision();
  const uint64_t asked = query_number(call, "resourceVersion", kUnset);
  const std::string_view match = call.query("resourceVersionMatch");
  ListOrder order{now, {}, query_number(call, "limit", 0)};
  if (const std::string_view token = call.query("continue"); !token.empty()) {
    Page page = Page::parse(token, now);
    if (!call.core.store.remembers(call.resource(), page.revision)) {
      Problem problem = too_old(std::string(kContinueIsOld));
      problem.continue_token = ":" + page.from;
      throw problem;
    }
    order.revision = page.revision;
    order.from = std::move(page.from);
    return order;
  }
  if (asked == 0) order.limit = 0;  // from the cache, which knows no pages
  if (asked == kUnset || asked == 0) return order;
  const bool exact = match == "Exact" || (match.empty() && order.limit != 0);
  if (!exact) return order;
  if (!call.core.store.remembers(call.resource(), asked)) {
    throw too_old("The resourceVersion for the provided list is too old.");
  }
  order.revision = asked;
  return order;
}

// Visits the objects of a page. Returns where the next one goes on; empty: this is the last.
std::string each_of_page(const Call& call, const ListOrder& order,
                         const std::function<void(const Version&)>& visit) {
  const Selector selector = selector_of(call);
  std::string next;
  uint64_t count = 0;
  std::string_view last;
  call.core.store.each_at(call.resource(), order.revision, prefix_of(call), order.from,
                          [&](const VersionPtr& version) {
                            if (!selector.matches(*version)) return true;
                            if (order.limit != 0 && count == order.limit) {
                              next = Page::token(std::to_string(order.revision), last);
                              return false;
                            }
                            ++count;
                            visit(*version);
                            last = version->key();
                            return true;
                          });
  return next;
}

Answer make_list(const Call& call, const ListOrder& order) {
  const Resource& resource = call.resource();
  std::string items;
  const std::string next = each_of_page(call, order, [&](const Version& version) {
    if (!items.empty()) items += ',';
    version.append_item(resource, items);
  });
  std::string body = "{\"kind\":\"" + std::string(resource.kind) + "List\",\"apiVersion\":\"";
  body.reserve(items.size() + 256);
  body.append(api_version(resource)).append("\",\"metadata\":{\"resourceVersion\":\"");
  body.append(std::to_string(order.revision)).append("\"");
  if (!next.empty()) {
    body.append(",\"continue\":").append(json::serialize(json::string_view(next)));
  }
  body.append("},\"items\":[").append(items).append("]}\n");
  return {200, std::move(body)};
}

// The columns to show; null: the client takes objects as they are, or the kind has none.
const Columns* asked_columns(const Call& call) {
  const auto accept = call.request.headers.find("accept");
  const bool asked = accept != call.request.headers.end() &&
                     accept->second.find("as=Table;v=v1;g=meta.k8s.io") != std::string::npos;
  return asked ? columns_of(call.resource()) : nullptr;
}

Table::Include asked_include(const Call& call) {
  const std::string_view text = call.query("includeObject");
  if (text == "None") return Table::Include::kNone;
  if (text == "Object") return Table::Include::kObject;
  if (text.empty() || text == "Metadata") return Table::Include::kMetadata;
  throw bad_request("unrecognized includeObject value: \"" + std::string(text) + "\"");
}

Answer make_table(const Call& call, const ListOrder& order, const Columns& columns) {
  Table table(columns, asked_include(call), call.core.clock.now());
  const std::string next = each_of_page(call, order, [&](const Version& version) {
    table.add(parse_object(version.whole(call.resource())));
  });
  json::object metadata{{"resourceVersion", std::to_string(order.revision)}};
  if (!next.empty()) metadata["continue"] = next;
  return {200, table.finish(std::move(metadata))};
}

bool flag(const Call& call, std::string_view name) {
  const std::string_view text = call.query(name);
  return text == "true" || text == "1";
}

}  // namespace

uint64_t query_number(const Call& call, std::string_view name, uint64_t otherwise) {
  const std::string_view text = call.query(name);
  if (text.empty()) return otherwise;
  uint64_t number = 0;
  if (!parse_number(text, number)) {
    throw bad_request("invalid " + std::string(name) + ": \"" + std::string(text) +
                      "\": must be a number");
  }
  return number;
}

Selector selector_of(const Call& call) {
  std::string fields(call.query("fieldSelector"));
  if (!call.route.name.empty()) fields.append(",metadata.name=").append(call.route.name);
  return {call.resource(), fields, call.query("labelSelector")};
}

std::string prefix_of(const Call& call) {
  std::string prefix(call.route.namespace_name);
  if (!prefix.empty()) prefix += '/';
  return prefix;
}

void send_answer(Reply& reply, const Answer& answer) {
  reply.begin(answer.status, {{"content-type", std::string(answer.content_type)},
                              {"cache-control", "no-cache, private"}});
  reply.write(answer.body);
  reply.end();
}

void send_problem(Reply& reply, const Problem& problem) {
  std::map<std::string, std::string> headers{{"content-type", "application/json"},
                                             {"cache-control", "no-cache, private"}};
  if (problem.retry_after_seconds != 0) {
    headers["retry-after"] = std::to_string(problem.retry_after_seconds);
  }
  reply.begin(problem.code, std::move(headers));
  reply.write(problem.to_json());
  reply.end();
}

Answer get_object(Call& call) {
  const Version& version = *object_of(call).version;
  const Columns* columns = asked_columns(call);
  if (columns == nullptr) return answer_with(call, version);
  return {200, table_of(*columns, asked_include(call), call.core.clock.now(),
                        version.whole(call.resource()))};
}

void list_objects(Call& call, const std::shared_ptr<Reply>& reply) {
  Core& core = call.core;
  const uint64_t asked = query_number(call, "resourceVersion", 0);
  if (asked > core.store.revision()) {
    core.at(core.clock.now() + 3 * kSecond,
            [&core, asked, reply] { send_problem(*reply, ahead(asked, core.store.revision())); });
    return;
  }
  const ListOrder order = order_of(call);
  const Columns* columns = asked_columns(call);
  send_answer(*reply,
              columns == nullptr ? make_list(call, order) : make_table(call, order, *columns));
}

void watch_objects(Call& call, const std::shared_ptr<Reply>& reply) {
  const uint64_t revision = query_number(call, "resourceVersion", 0);
  const std::string_view match = call.query("resourceVersionMatch");
  const bool send_initial = flag(call, "sendInitialEvents");
  if (send_initial && match != "NotOlderThan") {
    Problem problem(422, "Invalid",
                    "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
                    "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    problem.group = "meta.k8s.io";
    problem.kind = "ListOptions";
    throw problem;
  }
  WatchOrder order{&call.resource(),
                   prefix_of(call),
                   selector_of(call),
                   flag(call, "allowWatchBookmarks"),
                   static_cast<Nanoseconds>(query_number(call, "timeoutSeconds", 0)) * kSecond,
                   {}};
  if (const Columns* columns = asked_columns(call)) {
    order.form = [columns, include = asked_include(call),
                  &clock = call.core.clock](std::string_view text) {
      return table_of(*columns, include, clock.now(), text);
    };
  }
  const bool initial = send_initial || revision == 0;
  if (!initial && !call.core.store.remembers(call.resource(), revision)) {
    const Problem problem =
        too_old("too old resource version: " + std::to_string(revision) + " (" +
                std::to_string(call.core.store.forgotten(call.resource()) + 1) + ")");
    const std::string body = "{\"type\":\"ERROR\",\"object\":" + problem.to_json() + "}\n";
    send_answer(*reply, {200, body});
    return;
  }
  // A watch from revision 0 has the mark, too; one without a revision does not.
  const bool mark = order.bookmarks && (send_initial || call.query("resourceVersion") == "0");
  call.core.watches.open(std::move(order), reply, call.core.store, revision, initial, mark);
}

}  // namespace berth::apiserver
