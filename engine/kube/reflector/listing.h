#pragma once

// One look at the objects of a kind, beside the reflectors: their names, as the newest version of
// the server has them.

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kube/http/http.h"
#include "engine/kube/kinds.h"

namespace berth::kube {

struct ListedObject {
  std::string name;  // "NAMESPACE/NAME", or the name of an object without a namespace; any text
  std::string uid;
  auto operator<=>(const ListedObject&) const = default;
};

// One thread, that of the loop.
class Listing {
 public:
  struct Result {
    std::vector<ListedObject> objects;  // none if there is a fault
    std::string fault;                  // not empty: why there is no list; one line, printable
  };
  using Done = std::function<void(Result)>;

  // Lists in pages. `done` is called once, not within the constructor, and may destroy this. `kind`
  // and `http` outlive it.
  Listing(const ServedKind& kind, Http& http, Done done);
  // `done` is not called any more.
  ~Listing() { http_.cancel(request_); }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

 private:
  void ask(std::string_view continue_token);
  void came(const Answer& answer);
  void finish(std::string fault);

  const ServedKind& kind_;
  Http& http_;
  Done done_;
  uint64_t request_ = 0;
  std::vector<ListedObject> objects_;
};

}  // namespace berth::kube
