#include "engine/kube/lease/lease_client.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/go_duration.h"
#include "engine/kube/api/status.h"

namespace berth::kube {
LeaseClient::LeaseClient(Http& http, const LeaseOptions& options)
    : http_(http),
      limit_(request_limit(options)),
      namespace_name_(options.namespace_name),
      name_(options.name),
      folder_("/apis/coordination.k8s.io/v1/namespaces/" + namespace_name_ + "/leases"),
      query_("?timeout=" + go_duration(limit_)) {}

void LeaseClient::get(Done done) {
  send(Method::kGet, folder_ + "/" + name_, {}, [this, done = std::move(done)](Answer answer) {
    if (answer.fate == Answer::Fate::kAnswered && answer.status == 404) {
      lease_.reset();
      return done({.result = LeaseAnswer::kAbsent});
    }
    done(taken(Method::kGet, answer));
  });
}

void LeaseClient::write(const LeaseRecord& record, Done done) {
  const Method method = lease_ ? Method::kPut : Method::kPost;
  send(method, lease_ ? folder_ + "/" + name_ : folder_,
       lease_ ? lease_->with(record) : new_lease(namespace_name_, name_, record),
       [this, method, holder = record.holder, done = std::move(done)](Answer answer) {
         LeaseAnswer taken_answer = taken(method, answer);
         if (taken_answer.result == LeaseAnswer::kLease && lease_->record().holder != holder) {
           taken_answer = {.result = LeaseAnswer::kFault,
                           .fault = "the server has changed the holder that was written"};
         }
         done(taken_answer);
       });
}

void LeaseClient::cancel() { http_.cancel(std::exchange(request_, 0)); }

void LeaseClient::send(Method method, std::string path, std::string body,
                       std::function<void(Answer)> done) {
  BERTH_ASSERT(request_ == 0);
  Request request{.method = method,
                  .path = std::move(path) + query_,
                  .content_type = body.empty() ? std::string_view() : "application/json",
                  .body = std::move(body),
                  .limit = limit_,
                  .urgent = true};
  request_ = http_.send(std::move(request), [this, done = std::move(done)](Answer answer) {
    request_ = 0;
    done(std::move(answer));
  });
}

LeaseAnswer LeaseClient::taken(Method method, const Answer& answer) {
  std::string fault;
  try {
    if (!answer.ok())
      throw Error(failure_text(answer, {method, "leases.coordination.k8s.io", name_}));
    lease_ = LeaseObject(answer.body);
    return {.result = LeaseAnswer::kLease};
  } catch (const Error& error) {
    fault = error.what();
  }
  return {.result = LeaseAnswer::kFault,
          .fault = std::string(method_name(method)) + " of lease " + namespace_name_ + "/" + name_ +
                   ": " + fault};
}

}  // namespace berth::kube
