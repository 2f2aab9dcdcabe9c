#pragma once

// Reads single objects at the server, until an answer comes: the owner of the core counts on what
// it wrote, and if that was not written it is told what is there.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/kube/http/limited_http.h"
#include "engine/kube/kinds.h"
#include "engine/kube/loop.h"
#include "engine/kube/reflector/sink.h"

namespace berth::service {

// One thread, the loop's.
class ObjectReads {
 public:
  using Say = std::function<void(const std::string&)>;
  using OnRead = std::function<void(std::vector<kube::Watched>)>;

  // Both outlive it. `say` prints a message, `on_read` gets an object that is there: a watch tells
  // of one that is not.
  ObjectReads(kube::LimitedHttp& http, kube::Loop& loop, Say say, OnRead on_read)
      : http_(http), loop_(loop), say_(std::move(say)), on_read_(std::move(on_read)) {}
  ObjectReads(const ObjectReads&) = delete;
  ObjectReads& operator=(const ObjectReads&) = delete;
  ~ObjectReads() {
    for (const auto& [number, timer] : timers_) loop_.cancel(timer);
  }

  // `kind` outlives it.
  void read(const kube::ServedKind& kind, const std::string& path);

 private:
  void take(const kube::ServedKind& kind, const std::string& path, const kube::Answer& answer);
  void try_later(const kube::ServedKind& kind, const std::string& path);

  kube::LimitedHttp& http_;
  kube::Loop& loop_;
  const Say say_;
  const OnRead on_read_;
  std::map<uint64_t, uint64_t> timers_;  // by number
  uint64_t numbers_ = 0;
};

}  // namespace berth::service
