#pragma once

// The authorities of client certificates, which an API server publishes in the ConfigMap
// kube-system/extension-apiserver-authentication under client-ca-file.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::service {

// Reads the ConfigMap at once and then now and again. The thread of the loop.
class ClientAuthority {
 public:
  // kube-scheduler watches the ConfigMap. It changes when a cluster's authority does.
  static constexpr Time kPeriod = std::chrono::minutes(1);
  static constexpr Time kLimit = std::chrono::seconds(10);  // of a request

  // `changed` is called with the PEM text whenever it differs from the last one: at the start from
  // "". "" means that there is none. While the ConfigMap cannot be read, the last text stays, and
  // `problem` is called with the reason whenever that differs; any text. Neither may destroy this
  // object. The loop and the server outlive it.
  ClientAuthority(kube::Loop& loop, kube::Http& http, std::function<void(std::string)> changed,
                  std::function<void(std::string)> problem);
  ~ClientAuthority();
  ClientAuthority(const ClientAuthority&) = delete;
  ClientAuthority& operator=(const ClientAuthority&) = delete;

 private:
  void read();
  void on_answer(const kube::Answer& answer);
  void take(std::string text);

  kube::Loop& loop_;
  kube::Http& http_;
  std::function<void(std::string)> changed_, problem_;
  std::string text_;     // the last one
  std::string failure_;  // of the last reading; empty: none
  uint64_t request_ = 0, timer_ = 0;
};

}  // namespace berth::service
