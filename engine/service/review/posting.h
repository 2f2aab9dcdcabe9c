#pragma once

// A POST that asks and changes nothing, tried again as client-go's webhooks are
// (k8s.io/apiserver/pkg/util/webhook).

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::service {

// The thread of the loop.
class Posting {
 public:
  using Done = std::function<void(kube::Answer)>;

  // Of all tries together, as kube-scheduler limits its reviews.
  static constexpr Time kLimit = std::chrono::seconds(10);
  // After the first try; each further one comes after half as much more.
  static constexpr Time kFirstWait = std::chrono::milliseconds(500);
  static constexpr int kTries = 5;

  // Sends the JSON. `done` is called once with the last answer, never within this call, and may
  // destroy this object. The server and the loop outlive it.
  Posting(kube::Loop& loop, kube::Http& http, std::string path, std::string body, Done done);
  // `done` is not called any more.
  ~Posting();
  Posting(const Posting&) = delete;
  Posting& operator=(const Posting&) = delete;

 private:
  void send();
  void on_answer(kube::Answer answer);

  kube::Loop& loop_;
  kube::Http& http_;
  std::string path_, body_;
  Done done_;
  Time until_;
  Time wait_ = kFirstWait;
  int tries_ = 0;
  uint64_t request_ = 0, timer_ = 0;  // at most one of them is not 0
};

}  // namespace berth::service
