#include "engine/service/review/delegated_reviewer.h"

#include <openssl/sha.h>

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::service {
namespace {

constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kUnauthenticatedGroup = "system:unauthenticated";
constexpr std::string_view kMasters = "system:masters";
constexpr std::string_view kAnonymous = "system:anonymous";

constexpr size_t kMostTokens = 4096, kMostAccesses = 1024;
// Longer reviews are not kept, so that senders cannot fill the memory (as webhook.go has it).
constexpr size_t kMostKeptBytes = 10'000;

// Tokens are secrets, so they are not kept themselves.
std::string hash_of_token(const std::string& token) {
  std::string hash(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

bool is_in(const User& user, std::string_view group) {
  return std::ranges::find(user.groups, group) != user.groups.end();
}

User with_group_of_all(User user) {
  if (!is_in(user, kAuthenticated) && !is_in(user, kUnauthenticatedGroup) &&
      user.name != kAnonymous)
    user.groups.emplace_back(kAuthenticated);
  return user;
}

}  // namespace

struct DelegatedReviewer::Review {
  Asked asked;
  Done done;
  User user;
  std::unique_ptr<Posting> posting;  // the question that is open
};

DelegatedReviewer::DelegatedReviewer(kube::Loop& loop, kube::Http* authentication,
                                     kube::Http* authorization)
    : loop_(loop),
      authentication_(authentication),
      authorization_(authorization),
      users_(kMostTokens),
      accesses_(kMostAccesses) {}

DelegatedReviewer::~DelegatedReviewer() = default;

void DelegatedReviewer::review(Asked asked, Done done) {
  BERTH_ASSERT(done != nullptr);
  const At at = reviews_.emplace(reviews_.end());
  at->asked = std::move(asked);
  at->done = std::move(done);
  if (at->asked.by_certificate) {
    authorize(at, with_group_of_all(std::move(*at->asked.by_certificate)));
  } else if (!at->asked.token.empty() && authentication_ != nullptr) {
    ask_for_user(at);
  } else {
    without_token_user(at, false);
  }
}

void DelegatedReviewer::ask_for_user(At at) {
  const std::string key = hash_of_token(at->asked.token);
  if (const std::optional<User>* known = users_.find(key, loop_.now()); known != nullptr) {
    if (*known) {
      authorize(at, **known);
    } else {
      without_token_user(at, true);
    }
    return;
  }
  at->posting = std::make_unique<Posting>(
      loop_, *authentication_, std::string(kTokenReviews), token_review(at->asked.token),
      [this, at, key](const kube::Answer& answer) { on_token_answer(at, key, answer); });
}

void DelegatedReviewer::on_token_answer(At at, const std::string& key, const kube::Answer& answer) {
  const std::optional<TokenStatus> status = answer.ok() ? token_status(answer.body) : std::nullopt;
  // What the server could not find out is not kept.
  if (!status || (!status->authenticated && !status->error.empty()))
    return without_token_user(at, true);
  std::optional<User> user;
  if (status->authenticated) user = with_group_of_all(status->user);
  users_.put(key, user, loop_.now() + kKept);
  if (!user) return without_token_user(at, true);
  authorize(at, std::move(*user));
}

void DelegatedReviewer::without_token_user(At at, bool refused) {
  if (refused || at->asked.bad_certificate)
    return finish(at, {.kind = Verdict::Kind::kUnauthenticated, .user = {}, .reason = {}});
  authorize(at, {.name = std::string(kAnonymous),
                 .uid = {},
                 .groups = {std::string(kUnauthenticatedGroup)},
                 .extra = {}});
}

void DelegatedReviewer::authorize(At at, User user) {
  at->user = std::move(user);
  const std::string& path = at->asked.path;
  if (is_in(at->user, kMasters) || std::ranges::find(kAlwaysAllowed, path) != kAlwaysAllowed.end())
    return finish(at, {.kind = Verdict::Kind::kAllowed, .user = {}, .reason = {}});
  if (authorization_ == nullptr) return decide(at, {});
  const std::string review = access_review(at->user, path, at->asked.verb);
  if (const AccessStatus* known = accesses_.find(review, loop_.now()); known != nullptr)
    return decide(at, AccessStatus(*known));
  at->posting = std::make_unique<Posting>(
      loop_, *authorization_, std::string(kAccessReviews), review,
      [this, at, review](const kube::Answer& answer) { on_access_answer(at, review, answer); });
}

void DelegatedReviewer::on_access_answer(At at, const std::string& key,
                                         const kube::Answer& answer) {
  const std::optional<AccessStatus> status =
      answer.ok() ? access_status(answer.body) : std::nullopt;
  if (!status)
    return finish(at, {.kind = Verdict::Kind::kFailed, .user = {}, .reason = failure_of(answer)});
  if (key.size() <= kMostKeptBytes) accesses_.put(key, *status, loop_.now() + kKept);
  decide(at, *status);
}

void DelegatedReviewer::decide(At at, const AccessStatus& status) {
  if (status.allowed && !status.denied)
    return finish(at, {.kind = Verdict::Kind::kAllowed, .user = {}, .reason = {}});
  finish(at, {.kind = Verdict::Kind::kForbidden, .user = at->user.name, .reason = status.reason});
}

// `at` and its posting are gone before the call, which may ask again.
void DelegatedReviewer::finish(At at, Verdict verdict) {
  const Done done = std::move(at->done);
  reviews_.erase(at);
  done(std::move(verdict));
}

}  // namespace berth::service
