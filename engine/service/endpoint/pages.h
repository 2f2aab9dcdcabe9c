#pragma once

// The pages of the endpoint, in the words of kube-scheduler (k8s.io/apiserver v0.34.1:
// pkg/server/healthz, pkg/endpoints/filters). This knows nothing of sockets.

#include <string>
#include <string_view>

#include "engine/service/endpoint/answers.h"
#include "engine/service/review/reviewer.h"

namespace berth::service {

struct Page {
  unsigned status = 200;  // of HTTP
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

// The path of a target: all before its query.
std::string_view path_of(std::string_view target);

// The page of a target, for a sender that may read it: /healthz, /livez and /readyz, with
// ?verbose and ?exclude=NAME; one check, such as /livez/ping; /configz; /metrics. Status 404 for
// others. An endpoint of health without checks has one, "ping", which passes.
Page page_of(std::string_view target, Answers& answers);

// Why a sender may not read a target. Precondition: it was not allowed.
Page refusal_page(const Verdict& verdict, std::string_view target, std::string_view verb);

// A page with one line of text.
Page text_page(unsigned status, std::string_view line);

}  // namespace berth::service
