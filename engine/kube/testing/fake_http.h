#pragma once

// An Http without a network, for tests: it keeps requests until the test answers them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "engine/kube/http/http.h"

namespace berth::kube {

// Request::limit is not heeded: the test answers kLost at that time, if it wants to.
class FakeHttp final : public Http {
 public:
  struct Open {
    uint64_t number = 0;
    Request request;
    bool streams = false;
    Data data;  // null unless it streams
    Done done;
  };

  uint64_t send(Request request, Done done) override;
  uint64_t stream(Request request, Data data, Done done) override;
  void cancel(uint64_t request) override;

  // Requests without an answer, in the order in which they came.
  const std::deque<Open>& open() const { return open_; }
  uint64_t sent() const { return last_; }  // requests so far

  // Precondition: the request is open, and for part() it streams. An answer of status 200 to one
  // that streams has no body.
  void answer(uint64_t request, Answer answer);
  void part(uint64_t request, std::string_view data);

 private:
  uint64_t add(Open open);
  std::deque<Open>::iterator find(uint64_t request);

  std::deque<Open> open_;
  uint64_t last_ = 0;
};

// The value of a parameter in the query of a path, decoded. Nothing: it is not there.
std::optional<std::string> query_value(std::string_view path, std::string_view key);

}  // namespace berth::kube
