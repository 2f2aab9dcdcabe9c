#include "tests/apiserver/api/server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/apiserver/api/broken_reply.h"
#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/verbs/bind.h"
#include "tests/apiserver/verbs/core.h"
#include "tests/apiserver/verbs/defaults.h"
#include "tests/apiserver/verbs/discovery.h"
#include "tests/apiserver/verbs/read.h"
#include "tests/apiserver/verbs/remove.h"
#include "tests/apiserver/verbs/review.h"
#include "tests/apiserver/verbs/write.h"

namespace berth::apiserver {
namespace {

using Action = FaultRule::Action;

void send_text(Reply& reply, int status, std::string_view text,
               std::map<std::string, std::string> headers = {}) {
  headers.emplace("content-type", "text/plain; charset=utf-8");
  headers.emplace("x-content-type-options", "nosniff");
  reply.begin(status, std::move(headers));
  reply.write(text);
  reply.end();
}

std::string_view header_of(const Request& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string_view() : std::string_view(found->second);
}

// True if the client takes JSON, of which a Table is a form that it need not get.
bool takes_json(std::string_view accept) {
  if (accept.empty()) return true;
  return accept.find("application/json") != accept.npos || accept.find("*/*") != accept.npos ||
         accept.find("application/*") != accept.npos;
}

void require_json(const Request& request) {
  if (!takes_json(header_of(request, "accept"))) {
    throw Problem(406, "NotAcceptable",
                  "only the following media types are accepted: application/json");
  }
  if (request.method != "POST" && request.method != "PUT" && request.method != "DELETE") return;
  const std::string_view type = header_of(request, "content-type");
  if (!request.body.empty() && !type.empty() && !type.starts_with("application/json")) {
    throw unsupported_body(type);
  }
}

void require_no_dry_run(const Call& call) {
  if (call.query("dryRun").empty()) return;
  throw bad_request("dryRun is not supported here");
}

// Subresources that only a POST reaches.
Answer post(Call& call) {
  const bool pod = call.resource().kind == "Pod";
  if (call.route.subresource.empty()) return create_object(call);
  if (pod && call.route.subresource == "binding") return bind_pod(call);
  if (pod && call.route.subresource == "eviction") return evict_pod(call);
  throw unsupported_method();
}

Answer write(Call& call) {
  const std::string_view verb = verb_of(call);
  require_no_dry_run(call);
  if (verb == "create") return post(call);
  if (verb == "update") return update_object(call);
  if (verb == "patch") return patch_object(call);
  if (verb.empty() || !call.route.subresource.empty()) throw unsupported_method();
  return verb == "delete" ? delete_object(call) : delete_collection(call);
}

void read(Call& call, const std::shared_ptr<Reply>& reply) {
  const std::string_view part = call.route.subresource;
  if (!part.empty() && (part != "status" || asks_to_watch(call.request))) {
    throw unsupported_method();
  }
  if (asks_to_watch(call.request)) {
    watch_objects(call, reply);
  } else if (call.route.name.empty()) {
    list_objects(call, reply);
  } else {
    send_answer(*reply, get_object(call));
  }
}

// The answer that a fault takes the place of.
class NoReply : public Reply {
 public:
  void begin(int, std::map<std::string, std::string>) override {}
  void write(std::string_view) override {}
  void end() override {}
  void cut() override {}
  bool open() const override { return false; }
};

Problem drawn_timeout() {
  Problem problem(500, "ServerTimeout",
                  "The operation cannot be completed at the moment, please try again");
  problem.retry_after_seconds = 1;
  return problem;
}

Problem drawn_conflict() {
  return Problem(409, "Conflict",
                 "the object has been modified; please apply your changes to the latest version "
                 "and try again");
}

Problem drawn_error() {
  Problem problem(500, "InternalError", "Internal error occurred: a fault was ordered");
  problem.causes.push_back({{}, "a fault was ordered", {}});
  return problem;
}

}  // namespace

ApiServer::ApiServer(Options options, Clock& clock)
    : options_(std::move(options)),
      faults_(options_.seed),
      core_(std::make_unique<Core>(options_, clock)) {
  add_first_objects(*core_);
}

ApiServer::~ApiServer() = default;

void ApiServer::compact() { core_->store.compact(); }
uint64_t ApiServer::revision() const { return core_->store.revision(); }
size_t ApiServer::open_watches() const { return core_->watches.count(); }

void ApiServer::handle(const Request& request, std::shared_ptr<Reply> reply) {
  const Fault fault = faults_.draw(request);
  if (fault.delay == 0) {
    answer(request, reply, fault);
    return;
  }
  core_->at(core_->clock.now() + fault.delay,
            [this, request, reply = std::move(reply), fault] { answer(request, reply, fault); });
}

void ApiServer::answer(const Request& request, const std::shared_ptr<Reply>& reply,
                       const Fault& fault) {
  if (fault.compact) compact();
  if (!fault.action) {
    dispatch(request, reply);
  } else if (*fault.action == Action::kTooManyRequests) {
    send_text(*reply, 429, "Too many requests, please try again later.\n", {{"retry-after", "1"}});
  } else if (*fault.action == Action::kServerError) {
    send_problem(*reply, drawn_error());
  } else if (*fault.action == Action::kErrorAfter) {
    dispatch(request, std::make_shared<NoReply>());
    send_problem(*reply, drawn_timeout());
  } else if (*fault.action == Action::kConflict) {
    send_problem(*reply, drawn_conflict());
  } else if (*fault.action == Action::kCutBefore) {
    reply->cut();
  } else {
    std::optional<uint64_t> bytes;
    if (*fault.action == Action::kCutAnswer) bytes = fault.bytes;
    dispatch(request, std::make_shared<BrokenReply>(reply, bytes));
  }
}

void ApiServer::dispatch(const Request& request, const std::shared_ptr<Reply>& reply) {
  if (is_public(request.path) && request.path != "/version") {
    send_text(*reply, 200, "ok");
    return;
  }
  try {
    serve_resource(request, reply);
  } catch (const Problem& problem) {
    send_problem(*reply, problem);
  }
}

void ApiServer::serve_resource(const Request& request, const std::shared_ptr<Reply>& reply) {
  if (const std::optional<Answer> document = openapi(request)) {
    authorize_path(options_.access, request);
    send_answer(*reply, *document);
    return;
  }
  require_json(request);
  Call call{*core_, request, {}};
  const bool found = parse_route(request.path, call.route) &&
                     (options_.pod_groups || call.resource().kind != "PodGroup");
  if (!found) {
    if (!is_public(request.path)) authorize_path(options_.access, request);
    std::optional<Answer> answer = review(options_.access, request);
    if (!answer && request.method == "GET") answer = discover(request.path, options_.pod_groups);
    if (answer) {
      send_answer(*reply, *answer);
    } else {
      send_text(*reply, 404, "404 page not found\n");
    }
    return;
  }
  authorize(options_.access, call);
  if (request.method == "GET") {
    read(call, reply);
  } else {
    send_answer(*reply, write(call));
  }
}

}  // namespace berth::apiserver
