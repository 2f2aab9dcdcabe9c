#pragma once

// One request and its answer, as the server's core sees them: without sockets.

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace berth::apiserver {

struct Request {
  std::string method;                          // "GET"
  std::string path;                            // decoded, without the query: "/api/v1/pods"
  std::map<std::string, std::string> query;    // decoded; the last one of a name counts
  std::map<std::string, std::string> headers;  // by names in lower case
  std::string body;
};

// Takes the answer to one request, on the thread of the server's core. Calls after the client went
// are passed over.
class Reply {
 public:
  virtual ~Reply() = default;
  // Once, first.
  virtual void begin(int status, std::map<std::string, std::string> headers) = 0;
  // A part of the body.
  virtual void write(std::string_view part) = 0;
  // The body is complete.
  virtual void end() = 0;
  // The connection breaks here.
  virtual void cut() = 0;
  // False: the client went.
  virtual bool open() const = 0;
};

// One thread.
class Handler {
 public:
  virtual ~Handler() = default;
  // May answer now or later, as a watch does.
  virtual void handle(const Request& request, std::shared_ptr<Reply> reply) = 0;
};

}  // namespace berth::apiserver
