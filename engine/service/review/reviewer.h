#pragma once

// The decision who may read a path of the endpoint. The endpoint asks; the API server decides
// (delegated_reviewer.h).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::service {

// As the API server knows users (authentication.k8s.io/v1, UserInfo).
struct User {
  std::string name, uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;

  bool operator==(const User&) const = default;
};

// A request, and what it shows of its sender. Texts are from outside.
struct Asked {
  std::optional<User> by_certificate;  // the user of a client certificate that was verified
  bool bad_certificate = false;        // there was one, and it was not accepted
  std::string token;                   // of "Authorization: Bearer"; empty: none
  std::string path;                    // as it was sent, without the query
  std::string verb;                    // the method in small letters: "get"
};

struct Verdict {
  enum class Kind : uint8_t {
    kAllowed,
    kUnauthenticated,  // credentials were shown and not accepted
    kForbidden,
    kFailed,  // the API server could not be asked
  } kind = Kind::kFailed;
  std::string user;    // of kForbidden: the name of the sender; any text
  std::string reason;  // of kForbidden and kFailed; any text, may be empty

  bool operator==(const Verdict&) const = default;
};

class Reviewer {
 public:
  using Done = std::function<void(Verdict)>;

  virtual ~Reviewer() = default;
  // On the thread that talks to the API server. `done` is called once on that thread, perhaps
  // within this call; never after the reviewer is gone.
  virtual void review(Asked asked, Done done) = 0;
};

}  // namespace berth::service
