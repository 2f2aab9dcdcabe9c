#include "engine/conformance/scripts/extender_scripts.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <list>
#include <thread>

#include "engine/base/mutex.h"
#include "engine/conformance/scripts/script_answers.h"

namespace berth::conformance {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::string_view kRecorded = "http://127.0.0.1:18888/";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// "/ext-N/VERB".
std::pair<size_t, std::string> target_of(std::string_view target) {
  constexpr std::string_view kPrefix = "/ext-";
  const size_t slash = target.find('/', 1);
  if (!target.starts_with(kPrefix) || slash == target.npos) throw Error("an unknown path");
  const std::string number(target.substr(kPrefix.size(), slash - kPrefix.size()));
  return {std::stoul(number), std::string(target.substr(slash + 1))};
}

}  // namespace

bool has_extender_scripts(document::Value root) {
  return root.find("extenders").is(document::Kind::kArray);
}

// One thread accepts, and each connection has its own: extenders are asked at the same time.
class ExtenderScripts::Server {
 public:
  explicit Server(document::Value root) : answers_(root), acceptor_(loop_) {
    error_code error;
    const tcp::endpoint here(asio::ip::make_address_v4("127.0.0.1"), 0);
    acceptor_.open(here.protocol(), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) throw Error("cannot serve extenders: " + error.message());
    prefix_ = "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/";
    accepting_ = std::thread([this] { accept(); });
  }

  // Ends what waits: accept, and reads.
  ~Server() {
    shutdown(acceptor_.native_handle(), SHUT_RDWR);
    accepting_.join();
    for (Connection& connection : connections_) {
      shutdown(connection.socket.native_handle(), SHUT_RDWR);
      connection.thread.join();
    }
  }

  const std::string& prefix() const { return prefix_; }

  std::vector<ScriptRequest> requests() const {
    const MutexLock lock(mutex_);
    return requests_;
  }

 private:
  struct Connection {
    tcp::socket socket;
    std::thread thread;
  };

  void accept() {
    while (true) {
      error_code error;
      tcp::socket socket(loop_);
      acceptor_.accept(socket, error);
      if (error) return;
      Connection& made = connections_.emplace_back(Connection{std::move(socket), {}});
      made.thread = std::thread([this, &made] { serve(made.socket); });
    }
  }

  void serve(tcp::socket& socket) {
    beast::flat_buffer buffer;
    error_code error;
    while (true) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(boost::none);
      http::read(socket, buffer, parser, error);
      if (error) return;
      if (!answer(socket, parser.get())) return;
    }
  }

  bool answer(tcp::socket& socket, const http::request<http::string_body>& request) {
    http::response<http::string_body> response;
    response.version(11);
    error_code error;
    try {
      const auto [extender, verb] = target_of(std::string_view(request.target()));
      auto [asked, answer] = answers_.answer(extender, verb, request.body());
      {
        const MutexLock lock(mutex_);
        requests_.push_back(std::move(asked));
      }
      if (answer.never) {
        char byte = 0;
        socket.read_some(asio::buffer(&byte, 1), error);
        return false;
      }
      response.result(answer.status);
      response.body() = std::move(answer.body);
    } catch (const std::exception& failure) {
      response.result(http::status::bad_request);
      response.body() = failure.what();
    }
    response.prepare_payload();
    http::write(socket, response, error);
    return !error;
  }

  ScriptAnswers answers_;
  asio::io_context loop_;
  tcp::acceptor acceptor_;
  std::string prefix_;
  std::thread accepting_;
  std::list<Connection> connections_;  // of the accepting thread, until it has ended
  mutable Mutex mutex_;
  std::vector<ScriptRequest> requests_ BERTH_GUARDED_BY(mutex_);
};

ExtenderScripts::ExtenderScripts(document::Value root) : server_(std::make_unique<Server>(root)) {}
ExtenderScripts::~ExtenderScripts() = default;

std::string ExtenderScripts::to_here(const std::string& json) const {
  return replaced(json, kRecorded, server_->prefix());
}

std::string ExtenderScripts::to_recorded(std::string json) const {
  return replaced(std::move(json), server_->prefix(), kRecorded);
}

std::string ExtenderScripts::requests(const std::string& pod) const {
  std::vector<ScriptRequest> asked = server_->requests();
  std::erase_if(asked, [&](const ScriptRequest& one) { return one.pod != pod; });
  const auto prioritizes = [](const ScriptRequest& one) { return one.verb == "prioritize"; };
  const auto first = std::find_if(asked.begin(), asked.end(), prioritizes);
  const auto last = std::find_if_not(first, asked.end(), prioritizes);
  std::sort(first, last, [](const auto& a, const auto& b) { return a.extender < b.extender; });
  std::string json;
  for (const ScriptRequest& one : asked) json += (json.empty() ? "[" : ",") + one.json;
  return json.empty() ? "[]" : json + "]";
}

}  // namespace berth::conformance
