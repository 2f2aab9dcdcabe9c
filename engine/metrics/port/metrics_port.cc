#include "engine/metrics/port/metrics_port.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/program/signals.h"

namespace berth::metrics {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

// One more than this ends the connection that is unused for the longest time.
constexpr size_t kMostConnections = 64;
constexpr uint32_t kMostHeaderBytes = 16 << 10;
constexpr auto kIdleLimit = 60s;  // until the whole next request is there
constexpr auto kWriteLimit = 30s;
constexpr auto kPauseAfterFault = 100ms;
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kTextType = "text/plain; charset=utf-8";

tcp::acceptor listening_at(asio::io_context& loop, const PortAddress& address) {
  error_code fault;
  const tcp::endpoint at(asio::ip::make_address(address.host, fault), address.port);
  tcp::acceptor acceptor(loop);
  if (!fault) acceptor.open(at.protocol(), fault);
  if (!fault) acceptor.set_option(tcp::acceptor::reuse_address(true), fault);
  if (!fault) acceptor.bind(at, fault);
  if (!fault) acceptor.listen(tcp::acceptor::max_listen_connections, fault);
  if (fault)
    throw Error("cannot listen on " + address.host + " port " + std::to_string(address.port) +
                ": " + fault.message());
  return acceptor;
}

}  // namespace

PortAddress parse_port_address(std::string_view text) {
  const auto wrong = [&] {
    return Error(
        "expected HOST:PORT such as 127.0.0.1:9100, where HOST is an IP address, found \"" +
        std::string(text) + '"');
  };
  const size_t colon = text.rfind(':');
  if (colon == text.npos) throw wrong();
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!bracketed && (host.empty() || host == "localhost")) host = "127.0.0.1";
  PortAddress address{.host = std::string(host)};
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  error_code bad;
  const asio::ip::address ip = asio::ip::make_address(address.host, bad);
  if (port.empty() || fault != std::errc() || end != port.data() + port.size() || bad ||
      ip.is_v6() != bracketed)
    throw wrong();
  return address;
}

// The state that the thread works with. Its members are of that thread, but for `loop`.
class MetricsPort::Server {
 public:
  Server(const PortAddress& address, std::function<std::string()> text)
      : text_(std::move(text)), acceptor_(listening_at(loop_, address)), pause_(loop_) {
    accept();
    const SignalsBlocked in_the_thread;
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~Server() {
    loop_.stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string text() const { return text_(); }
  tcp::endpoint address() const { return acceptor_.local_endpoint(); }

  // The connections that are open, the one that was used last at the end.
  using Open = std::list<Connection*>;
  Open::iterator add(Connection* one) { return open_.insert(open_.end(), one); }
  void used(Open::iterator one) { open_.splice(open_.end(), open_, one); }
  void remove(Open::iterator one) { open_.erase(one); }

 private:
  void accept();

  const std::function<std::string()> text_;
  Open open_;  // outlives the loop, whose end destroys connections
  asio::io_context loop_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::thread thread_;
};

// Lives as long as an operation of it is open.
class MetricsPort::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server& server, tcp::socket socket)
      : server_(server), stream_(std::move(socket)), place_(server.add(this)) {}
  ~Connection() { server_.remove(place_); }

  void read() {
    server_.used(place_);
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kIdleLimit);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, size_t) { self->on_read(error); });
  }
  // Ends what is open.
  void close() { stream_.close(); }

 private:
  void on_read(error_code error) {
    if (!error) return on_request();
    const bool malformed =
        error.category() == make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message;
    if (malformed) write(http::status::bad_request, kTextType, "bad request\n", false);
  }

  void on_request() {
    const auto& request = parser_->get();
    const bool keep = request.keep_alive();
    is_head_ = request.method() == http::verb::head;
    if (!is_head_ && request.method() != http::verb::get)
      return write(http::status::method_not_allowed, kTextType, "expected GET or HEAD\n", keep);
    const std::string_view target(request.target().data(), request.target().size());
    if (target.substr(0, target.find('?')) != "/metrics")
      return write(http::status::not_found, kTextType, "metrics are at /metrics\n", keep);
    write(http::status::ok, kMetricsType, server_.text(), keep);
  }

  void write(http::status status, const char* type, std::string body, bool keep) {
    answer_ = {};
    answer_.result(status);
    answer_.set(http::field::content_type, type);
    if (status == http::status::method_not_allowed) answer_.set(http::field::allow, "GET, HEAD");
    answer_.keep_alive(keep);
    answer_.content_length(body.size());
    if (!is_head_) answer_.body() = std::move(body);
    serializer_.emplace(answer_);
    stream_.expires_after(kWriteLimit);
    const auto written = [self = shared_from_this(), keep](error_code error, size_t) {
      if (!error && keep) self->read();
    };
    if (is_head_) {
      http::async_write_header(stream_, *serializer_, written);
    } else {
      http::async_write(stream_, *serializer_, written);
    }
  }

  Server& server_;
  beast::tcp_stream stream_;
  Server::Open::iterator place_;
  beast::flat_buffer buffer_{2 * kMostHeaderBytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> answer_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  bool is_head_ = false;
};

void MetricsPort::Server::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!error) {
      std::make_shared<Connection>(*this, std::move(socket))->read();
      if (open_.size() > kMostConnections) open_.front()->close();
    }
    if (!error || error == asio::error::connection_aborted) return accept();
    // There are no files left, or no memory.
    pause_.expires_after(kPauseAfterFault);
    pause_.async_wait([this](error_code) { accept(); });
  });
}

MetricsPort::MetricsPort(const PortAddress& address, std::function<std::string()> text)
    : server_(std::make_unique<Server>(address, std::move(text))) {}

MetricsPort::~MetricsPort() = default;

uint16_t MetricsPort::port() const { return server_->address().port(); }

std::string MetricsPort::url() const {
  const tcp::endpoint at = server_->address();
  const std::string host = at.address().to_string();
  return "http://" + (at.address().is_v6() ? "[" + host + "]" : host) + ":" +
         std::to_string(at.port()) + "/metrics";
}

}  // namespace berth::metrics
