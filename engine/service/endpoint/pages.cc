#include "engine/service/endpoint/pages.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"

namespace berth::service {
namespace {

using document::quoted;

struct HealthPage {
  std::string_view name;  // the path without its slash
  bool Check::*member;
};
constexpr HealthPage kHealthPages[] = {
    {"healthz", &Check::in_healthz}, {"livez", &Check::in_livez}, {"readyz", &Check::in_readyz}};

std::vector<Check> checks_of(const HealthPage& page, const Answers& answers) {
  std::vector<Check> checks = answers.checks();
  std::erase_if(checks, [&](const Check& check) { return !(check.*page.member); });
  if (checks.empty()) {
    checks.emplace_back();
    checks.front().name = "ping";
  }
  return checks;
}

struct HealthQuery {
  bool verbose = false;
  std::vector<std::string> excluded;  // in order, each once
};

HealthQuery health_query(std::string_view target) {
  HealthQuery query;
  const size_t mark = target.find('?');
  if (mark == target.npos) return query;
  for (std::string_view rest = target.substr(mark + 1); !rest.empty();) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view name = field.substr(0, field.find('='));
    if (name == "verbose") query.verbose = true;
    if (name == "exclude")
      query.excluded.emplace_back(field.substr(std::min(name.size() + 1, field.size())));
  }
  std::ranges::sort(query.excluded);
  query.excluded.erase(std::unique(query.excluded.begin(), query.excluded.end()),
                       query.excluded.end());
  return query;
}

Page health_page(const HealthPage& which, std::string_view target, const Answers& answers) {
  HealthQuery query = health_query(target);
  std::string lines;
  bool passed = true;
  for (const Check& check : checks_of(which, answers)) {
    // The reason is for senders that may read the single check.
    if (std::erase(query.excluded, check.name) != 0) {
      lines += "[+]" + check.name + " excluded: ok\n";
    } else if (check.failure.empty()) {
      lines += "[+]" + check.name + " ok\n";
    } else {
      lines += "[-]" + check.name + " failed: reason withheld\n";
      passed = false;
    }
  }
  if (!query.excluded.empty()) {
    lines += "warn: some health checks cannot be excluded: no matches for ";
    for (const std::string& name : query.excluded)
      lines += (&name == &query.excluded.front() ? "" : ",") + quoted(name);
    lines += '\n';
  }
  Page page;
  if (!passed) page.status = 500;
  const bool short_text = passed && !query.verbose;
  page.body = short_text ? "ok"
                         : lines + std::string(which.name) +
                               (passed ? " check passed\n" : " check failed\n");
  return page;
}

Page single_check(const HealthPage& which, std::string_view name, const Answers& answers) {
  const std::vector<Check> checks = checks_of(which, answers);
  const auto found = std::ranges::find(checks, name, &Check::name);
  if (found == checks.end()) return text_page(404, "404 page not found");
  if (!found->failure.empty()) return text_page(500, "internal server error: " + found->failure);
  Page page;
  page.body = "ok";
  return page;
}

// A Status (meta/v1) of a failure.
Page status_page(unsigned code, std::string_view reason, std::string_view message, bool details) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] {
    json.member("kind", "Status");
    json.member("apiVersion", "v1");
    json.object("metadata", [] {});
    json.member("status", "Failure");
    json.member("message", message);
    json.member("reason", reason);
    if (details) json.object("details", [] {});
    json.member("code", code);
  });
  return {.status = code,
          .content_type = "application/json",
          .body = std::string(buffer.GetString()) + "\n"};
}

// Browsers may show the text as HTML.
std::string without_markup(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

Page text_page(unsigned status, std::string_view line) {
  Page page;
  page.status = status;
  page.body = std::string(line) + "\n";
  return page;
}

Page page_of(std::string_view target, Answers& answers) {
  const std::string_view path = path_of(target);
  for (const HealthPage& page : kHealthPages) {
    if (!path.starts_with('/') || !path.substr(1).starts_with(page.name)) continue;
    const std::string_view rest = path.substr(1 + page.name.size());
    if (rest.empty()) return health_page(page, target, answers);
    if (rest.front() == '/') return single_check(page, rest.substr(1), answers);
  }
  if (path == "/metrics")
    return {.status = 200,
            .content_type = "text/plain; version=0.0.4; charset=utf-8",
            .body = answers.metrics()};
  if (path == "/configz")
    return {.status = 200, .content_type = "application/json", .body = answers.configuration()};
  return text_page(404, "404 page not found");
}

Page refusal_page(const Verdict& verdict, std::string_view target, std::string_view verb) {
  BERTH_ASSERT(verdict.kind != Verdict::Kind::kAllowed);
  switch (verdict.kind) {
    case Verdict::Kind::kAllowed:
      break;
    case Verdict::Kind::kUnauthenticated:
      return status_page(401, "Unauthorized", "Unauthorized", false);
    case Verdict::Kind::kForbidden: {
      std::string message =
          "forbidden: " + without_markup("User " + quoted(verdict.user) + " cannot " +
                                         std::string(verb) + " path " + quoted(path_of(target)));
      if (!verdict.reason.empty()) message += ": " + verdict.reason;
      return status_page(403, "Forbidden", message, true);
    }
    case Verdict::Kind::kFailed:
      return text_page(
          500, without_markup("Internal Server Error: " + quoted(target) + ": " + verdict.reason));
  }
  return {};  // not reached
}

}  // namespace berth::service
