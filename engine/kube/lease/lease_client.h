#pragma once

// Reads and writes one Lease. Keeps the object of the last answer, so that a write needs no read
// before it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/kube/http/http.h"
#include "engine/kube/lease/lease_object.h"
#include "engine/kube/lease/lease_options.h"

namespace berth::kube {

struct LeaseAnswer {
  enum Result : uint8_t {
    kLease,   // lease() is what the server has
    kAbsent,  // of a GET: the server has no such Lease, and lease() is null
    kFault,   // a write may have happened or not; lease() is as it was
  } result;
  std::string fault{};  // of kFault: the request and why it failed; any text
};

// One thread, that of the loop. One request at a time.
class LeaseClient {
 public:
  using Done = std::function<void(const LeaseAnswer&)>;

  // `http` must outlive this. The options are valid.
  LeaseClient(Http& http, const LeaseOptions& options);
  ~LeaseClient() { cancel(); }
  LeaseClient(const LeaseClient&) = delete;
  LeaseClient& operator=(const LeaseClient&) = delete;

  // As of the last answer that had one. Null: there was none yet, or the Lease is gone.
  const LeaseObject* lease() const { return lease_ ? &*lease_ : nullptr; }

  // `done` is called once, not within the call.
  void get(Done done);
  // Replaces lease() if nobody has changed it since, or creates the Lease if lease() is null.
  void write(const LeaseRecord& record, Done done);
  // Nothing is called any more. A write may still happen.
  void cancel();

 private:
  void send(Method method, std::string path, std::string body, std::function<void(Answer)> done);
  LeaseAnswer taken(Method method, const Answer& answer);

  Http& http_;
  Time limit_;
  std::string namespace_name_, name_;
  std::string folder_, query_;  // paths are FOLDER[/NAME]QUERY
  std::optional<LeaseObject> lease_;
  uint64_t request_ = 0;
};

}  // namespace berth::kube
