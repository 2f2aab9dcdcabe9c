#include "engine/service/endpoint/endpoint.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/characters.h"
#include "engine/service/endpoint/bearer.h"
#include "engine/service/endpoint/pages.h"
#include "engine/service/tls/client_verifier.h"
#include "engine/service/tls/server_tls.h"

namespace berth::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

// One more than this ends the connection that is unused for the longest time.
constexpr size_t kMostConnections = 256;
constexpr uint32_t kMostHeaderBytes = 16 << 10;
constexpr auto kHandshakeLimit = 10s;
constexpr auto kIdleLimit = 60s;  // until the whole next request is there
constexpr auto kWriteLimit = 30s;
constexpr auto kShutdownLimit = 2s;
constexpr auto kVerdictLimit = 30s;  // more than a reviewer takes for its two questions
constexpr auto kPauseAfterFault = 100ms;

// A listening socket. 0.0.0.0 is both families, as it is for Go, where the machine has IPv6.
tcp::acceptor listening(asio::io_context& loop, const startup::EndpointOptions& options) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.bind_address, error);
  if (error)
    throw Error("--bind-address: expected an IP address, found \"" + options.bind_address + "\"");
  const auto listen = [&](const tcp::endpoint& at, error_code& fault) {
    tcp::acceptor acceptor(loop);
    acceptor.open(at.protocol(), fault);
    if (!fault) acceptor.set_option(tcp::acceptor::reuse_address(true), fault);
    if (!fault && at.address().is_v6() && at.address().is_unspecified())
      acceptor.set_option(asio::ip::v6_only(false), fault);
    if (!fault) acceptor.bind(at, fault);
    if (!fault) acceptor.listen(tcp::acceptor::max_listen_connections, fault);
    return acceptor;
  };
  if (address.is_unspecified()) {
    tcp::acceptor both = listen({asio::ip::address_v6::any(), options.port}, error);
    if (!error) return both;
    if (error != asio::error::address_family_not_supported &&
        error != boost::system::errc::address_not_available)
      throw Error("--secure-port: cannot listen on port " + std::to_string(options.port) + ": " +
                  error.message());
  }
  error.clear();
  const asio::ip::address own =
      address.is_unspecified() ? asio::ip::address(asio::ip::address_v4::any()) : address;
  tcp::acceptor one = listen({own, options.port}, error);
  if (error)
    throw Error("--bind-address, --secure-port: cannot listen on " + options.bind_address +
                " port " + std::to_string(options.port) + ": " + error.message());
  return one;
}

}  // namespace

// The state that the thread works with. Its members are of that thread, but for `loop`.
class Endpoint::Server : public std::enable_shared_from_this<Server> {
 public:
  Server(const startup::EndpointOptions& options, Answers& answers, Access access)
      : answers_(answers),
        access_(std::move(access)),
        acceptor_(listening(loop_, options)),
        pause_(loop_),
        tls_(options.files, options.bind_address) {
    BERTH_ASSERT(access_.reviewer == nullptr || access_.post != nullptr);
  }

  void start() {
    accept();
    thread_ = std::thread([this] { loop_.run(); });
  }
  void stop() {
    loop_.stop();
    thread_.join();
  }

  asio::io_context& loop() { return loop_; }
  Answers& answers() { return answers_; }
  const Access& access() const { return access_; }
  const ClientVerifier& verifier() const { return verifier_; }
  uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void set_authorities(const std::string& pem) try {
    verifier_ = pem.empty() ? ClientVerifier() : ClientVerifier(pem);
  } catch (const Error& error) {
    say("authorities of client certificates: " + std::string(error.what()) +
        "; the former stay in use");
  }

  // Connections that are open, the one last used at the end.
  using Open = std::list<Connection*>;
  Open::iterator add(Connection* one) { return open_.insert(open_.end(), one); }
  void used(Open::iterator one) { open_.splice(open_.end(), open_, one); }
  void remove(Open::iterator one) { open_.erase(one); }

 private:
  void accept();
  void on_accepted(tcp::socket socket);

  Answers& answers_;
  Access access_;
  ClientVerifier verifier_;
  Open open_;  // outlives the loop, whose end destroys connections
  asio::io_context loop_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  ServerTls tls_;
  std::thread thread_;
};

// Lives as long as an operation of it is open.
class Endpoint::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server& server, tcp::socket socket, SSL* tls)
      : server_(server),
        stream_(beast::tcp_stream(std::move(socket)), tls),
        timer_(server.loop()),
        place_(server.add(this)) {}
  ~Connection() { server_.remove(place_); }

  void start() {
    beast::get_lowest_layer(stream_).expires_after(kHandshakeLimit);
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = shared_from_this()](error_code error) {
                              if (!error) self->read();
                            });
  }

  // Ends what is open.
  void close() { beast::get_lowest_layer(stream_).close(); }

 private:
  using Parser = http::request_parser<http::empty_body>;

  void read() {
    server_.used(place_);
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    beast::get_lowest_layer(stream_).expires_after(kIdleLimit);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, size_t) { self->on_read(error); });
  }

  void on_read(error_code error) {
    if (!error) return on_request();
    keep_ = false;
    is_head_ = false;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      write(text_page(431, "request header fields too large"));
    } else if (error == http::error::body_limit || error == http::error::unexpected_body) {
      write(text_page(413, "a request has no body here"));
    } else if (error.category() == make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      write(text_page(400, "bad request"));
    } else {
      shut_down();
    }
  }

  void on_request() {
    const auto& request = parser_->get();
    keep_ = request.keep_alive();
    is_head_ = request.method() == http::verb::head;
    target_ = std::string(request.target());
    verb_ = lower(std::string_view(request.method_string().data(), request.method_string().size()));
    if (!is_head_ && request.method() != http::verb::get)
      return write(text_page(405, "expected GET or HEAD"));
    if (!target_.starts_with('/')) return write(text_page(400, "expected a path"));
    if (server_.access().reviewer == nullptr) return write(page_of(target_, server_.answers()));
    ask(std::string_view(request[http::field::authorization].data(),
                         request[http::field::authorization].size()));
  }

  void ask(std::string_view authorization) {
    ClientVerifier::Shown shown = server_.verifier().shown_by(stream_.native_handle());
    Asked asked{.by_certificate = std::move(shown.user),
                .bad_certificate = shown.bad,
                .token = std::string(bearer_token(authorization)),
                .path = std::string(path_of(target_)),
                .verb = verb_};
    const uint64_t question = ++question_;
    timer_.expires_after(kVerdictLimit);
    timer_.async_wait([self = shared_from_this(), question](error_code error) {
      if (!error) self->on_verdict(question, {.user = {}, .reason = "no verdict in time"});
    });
    // The server may be gone when the verdict comes.
    auto decided = [server = server_.weak_from_this(), self = weak_from_this(),
                    question](Verdict verdict) {
      const std::shared_ptr<Server> there = server.lock();
      if (there == nullptr) return;
      asio::post(there->loop(), [self, question, verdict = std::move(verdict)] {
        if (const auto connection = self.lock()) connection->on_verdict(question, verdict);
      });
    };
    server_.access().post([reviewer = server_.access().reviewer, asked = std::move(asked),
                           decided = std::move(decided)] { reviewer->review(asked, decided); });
  }

  void on_verdict(uint64_t question, const Verdict& verdict) {
    if (question != question_ || answered_ == question) return;
    answered_ = question;
    timer_.cancel();
    write(verdict.kind == Verdict::Kind::kAllowed ? page_of(target_, server_.answers())
                                                  : refusal_page(verdict, target_, verb_));
  }

  void write(Page page) {
    answer_ = {};
    answer_.result(page.status);
    answer_.set(http::field::content_type, page.content_type);
    answer_.set(http::field::cache_control, "no-cache, private");
    answer_.set("X-Content-Type-Options", "nosniff");
    if (page.status == 405) answer_.set(http::field::allow, "GET, HEAD");
    answer_.keep_alive(keep_);
    answer_.content_length(page.body.size());
    if (!is_head_) answer_.body() = std::move(page.body);
    serializer_.emplace(answer_);
    beast::get_lowest_layer(stream_).expires_after(kWriteLimit);
    const auto written = [self = shared_from_this()](error_code error, size_t) {
      self->on_written(error);
    };
    if (is_head_) {
      http::async_write_header(stream_, *serializer_, written);
    } else {
      http::async_write(stream_, *serializer_, written);
    }
  }

  void on_written(error_code error) {
    if (error) return;
    if (!keep_) return shut_down();
    read();
  }

  void shut_down() {
    beast::get_lowest_layer(stream_).expires_after(kShutdownLimit);
    stream_.async_shutdown([self = shared_from_this()](error_code) {});
  }

  Server& server_;
  asio::ssl::stream<beast::tcp_stream> stream_;
  asio::steady_timer timer_;  // of the question
  Server::Open::iterator place_;
  beast::flat_buffer buffer_{2 * kMostHeaderBytes};
  std::optional<Parser> parser_;
  http::response<http::string_body> answer_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::string target_, verb_;
  bool keep_ = false, is_head_ = false;
  uint64_t question_ = 0;  // the number of the last one
  uint64_t answered_ = 0;  // the last one with a verdict
};

void Endpoint::Server::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!error) on_accepted(std::move(socket));
    if (!error || error == asio::error::connection_aborted) return accept();
    // There are no files left, or no memory.
    pause_.expires_after(kPauseAfterFault);
    pause_.async_wait([this](error_code) { accept(); });
  });
}

void Endpoint::Server::on_accepted(tcp::socket socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  SSL* tls = SSL_new(tls_.current());
  if (tls == nullptr) return;
  const auto connection = std::make_shared<Connection>(*this, std::move(socket), tls);
  connection->start();
  if (open_.size() > kMostConnections) open_.front()->close();
}

Endpoint::Endpoint(const startup::EndpointOptions& options, Answers& answers, Access access)
    : server_(std::make_shared<Server>(options, answers, std::move(access))),
      port_(server_->port()) {
  server_->start();
}

Endpoint::~Endpoint() { server_->stop(); }

void Endpoint::set_client_authorities(std::string pem) {
  asio::post(server_->loop(),
             [server = server_.get(), pem = std::move(pem)] { server->set_authorities(pem); });
}

}  // namespace berth::service
