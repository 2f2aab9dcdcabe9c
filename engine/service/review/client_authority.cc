#include "engine/service/review/client_authority.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/service/review/review_json.h"

namespace berth::service {
namespace {

constexpr char kAuthorityPath[] =
    "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

// Nothing: the body is no ConfigMap.
std::optional<std::string> authority_in(const std::string& body) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(body, "answer", diagnostics);
  if (diagnostics.count() != 0 || document.roots().size() != 1) return std::nullopt;
  const document::Value root = document.roots().front();
  if (root.find("kind").text() != "ConfigMap") return std::nullopt;
  return std::string(root.find("data").find("client-ca-file").text());
}

}  // namespace

ClientAuthority::ClientAuthority(kube::Loop& loop, kube::Http& http,
                                 std::function<void(std::string)> changed,
                                 std::function<void(std::string)> problem)
    : loop_(loop), http_(http), changed_(std::move(changed)), problem_(std::move(problem)) {
  BERTH_ASSERT(changed_ != nullptr && problem_ != nullptr);
  read();
}

ClientAuthority::~ClientAuthority() {
  http_.cancel(request_);
  loop_.cancel(timer_);
}

void ClientAuthority::read() {
  BERTH_ASSERT(request_ == 0 && timer_ == 0);
  request_ = http_.send({.method = kube::Method::kGet,
                         .path = kAuthorityPath,
                         .content_type = {},
                         .body = {},
                         .limit = kLimit},
                        [this](const kube::Answer& answer) { on_answer(answer); });
}

void ClientAuthority::on_answer(const kube::Answer& answer) {
  BERTH_ASSERT(request_ != 0);
  request_ = 0;
  timer_ = loop_.after(kPeriod, [this] {
    timer_ = 0;
    read();
  });
  std::optional<std::string> text;
  if (answer.ok()) text = authority_in(answer.body);
  // A cluster without client certificates has no such ConfigMap.
  if (answer.status == 404) text.emplace();
  std::string failure;
  if (!text) failure = answer.ok() ? "the API server's answer is no ConfigMap" : failure_of(answer);
  const bool is_new = failure != failure_;
  failure_ = failure;
  if (text) return take(std::move(*text));
  if (is_new) problem_(std::move(failure));
}

void ClientAuthority::take(std::string text) {
  if (text == text_) return;
  text_ = text;
  changed_(std::move(text));
}

}  // namespace berth::service
