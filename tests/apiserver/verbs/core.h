#pragma once

// What the verbs work on.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/api/options.h"
#include "tests/apiserver/resources/route.h"
#include "tests/apiserver/store/store.h"
#include "tests/apiserver/store/watches.h"

namespace berth::apiserver {

// The server without its paths: the store, its watches, and the names that it draws.
class Core {
 public:
  // Both outlive this.
  Core(const Options& its_options, Clock& its_clock);

  const Options& options;
  Clock& clock;
  Watches watches;
  Store store;

  std::string now_text() const;
  std::string draw_uid();
  std::string draw_suffix();  // five letters, for generateName
  // As Clock::at(), but nothing happens once this is gone.
  void at(Nanoseconds time, std::function<void()> due);

 private:
  uint64_t draw_number();

  uint64_t draws_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// One request of a resource.
struct Call {
  Core& core;
  const Request& request;
  Route route;

  const Resource& resource() const { return *route.resource; }
  // Empty if it is not there.
  std::string_view query(std::string_view name) const;
};

struct Answer {
  int status = 200;
  std::string body;
  std::string_view content_type = "application/json";
};

// The object that the call names. Throws Problem.
Object& object_of(Call& call);
// As the call's resource shows it.
Answer answer_with(const Call& call, const Version& version, int status = 200);

}  // namespace berth::apiserver
