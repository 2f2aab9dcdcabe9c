#pragma once

// Asks the API server who a sender is and what it may read, as kube-scheduler does
// (k8s.io/apiserver v0.34.1: DelegatingAuthenticationOptions, DelegatingAuthorizationOptions).
//
//   1. Who is it?  The user of a verified client certificate, else of the token (TokenReview).
//                  Credentials that are not accepted are refused (401). None at all: the user
//                  system:anonymous.
//   2. May it?     Always: the group system:masters, and kAlwaysAllowed for all. Else as a
//                  SubjectAccessReview says.
//
// Answers are kept for ten seconds, failures are not. Unlike kube-scheduler it does not take users
// from the headers of a front proxy.

#include <array>
#include <list>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"
#include "engine/service/review/expiring.h"
#include "engine/service/review/posting.h"
#include "engine/service/review/review_json.h"
#include "engine/service/review/reviewer.h"

namespace berth::service {

// kube-scheduler's --authorization-always-allow-paths. A single check, such as /livez/ping, is none
// of them.
inline constexpr std::array<std::string_view, 3> kAlwaysAllowed = {"/healthz", "/readyz", "/livez"};

// The thread of the loop.
class DelegatedReviewer : public Reviewer {
 public:
  // kube-scheduler's --authentication-token-webhook-cache-ttl and the two of
  // --authorization-webhook-cache-...-ttl.
  static constexpr Time kKept = std::chrono::seconds(10);

  // The servers for TokenReviews and for SubjectAccessReviews. Null: there is none; then tokens are
  // not looked at, and what is not allowed always is forbidden. All outlive this object.
  DelegatedReviewer(kube::Loop& loop, kube::Http* authentication, kube::Http* authorization);
  ~DelegatedReviewer() override;

  void review(Asked asked, Done done) override;

 private:
  struct Review;
  using At = std::list<Review>::iterator;

  void ask_for_user(At at);
  void on_token_answer(At at, const std::string& key, const kube::Answer& answer);
  void without_token_user(At at, bool refused);
  void authorize(At at, User user);
  void on_access_answer(At at, const std::string& key, const kube::Answer& answer);
  void decide(At at, const AccessStatus& status);
  void finish(At at, Verdict verdict);

  kube::Loop& loop_;
  kube::Http* authentication_;
  kube::Http* authorization_;
  Expiring<std::optional<User>> users_;  // by a hash of the token; nothing: it is not valid
  Expiring<AccessStatus> accesses_;      // by the review
  std::list<Review> reviews_;            // that are not finished
};

}  // namespace berth::service
