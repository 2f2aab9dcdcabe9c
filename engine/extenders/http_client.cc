#include "engine/extenders/http_client.h"

#include <poll.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>

#include "engine/base/assert.h"
#include "engine/base/text/characters.h"
#include "engine/extenders/tls.h"

namespace berth::extenders {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

using Request = http::request<http::string_body>;
using Parser = http::response_parser<http::string_body>;

}  // namespace

Url Url::parse(std::string_view text) {
  const auto wrong = [&] {
    return Error("\"" + std::string(text) + "\" is no URL of the form http://HOST[:PORT][/PATH]");
  };
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    throw wrong();
  }
  const size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  url.path = rest.substr(slash);
  while (url.path.ends_with('/')) url.path.pop_back();
  if (text.find_first_of("@?# \t\r\n") != text.npos) throw wrong();
  const size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == authority.npos) throw wrong();
  const size_t colon = authority.find(':', bracket);
  url.host = bracket != 0 ? authority.substr(1, bracket - 1) : authority.substr(0, colon);
  url.port = url.tls ? "443" : "80";
  if (colon != authority.npos) {
    url.port = authority.substr(colon + 1);
    if (!is_number(url.port)) throw wrong();
  }
  if (url.host.empty()) throw wrong();
  return url;
}

std::string Url::host_header() const {
  const std::string name = host.find(':') != host.npos ? "[" + host + "]" : host;
  return port == (tls ? "443" : "80") ? name : name + ":" + port;
}

// A connection, plain or with TLS. Each operation runs its own event loop until it is over or time
// is.
class HttpClient::Connection {
 public:
  Connection(const Url& url, asio::ssl::context* tls, const std::string& server_name)
      : url_(url), server_name_(server_name), stream_(loop_) {
    if (tls != nullptr) secure_.emplace(stream_, *tls);
  }

  void open(Clock::time_point until) {
    until_ = until;
    tcp::resolver resolver(loop_);
    tcp::resolver::results_type found;
    run("cannot resolve " + url_.host, [&](auto done) {
      resolver.async_resolve(url_.host, url_.port, [&found, done](error_code error, auto results) {
        found = std::move(results);
        done(error);
      });
    });
    const std::string there = url_.host_header();
    run("cannot connect to " + there, [&](auto done) {
      stream_.async_connect(found, [done](error_code error, const auto&) { done(error); });
    });
    stream_.socket().set_option(tcp::no_delay(true));
    if (!secure_) return;
    agree_on_tls("cannot agree on TLS with " + there);
  }

  // True if the server has closed the connection, or sent what was not asked for.
  bool stale() {
    pollfd ready{stream_.socket().native_handle(), POLLIN, 0};
    return poll(&ready, 1, 0) != 0;
  }

  HttpAnswer exchange(Request& request, Clock::time_point until, bool& keep) {
    until_ = until;
    if (secure_) return exchange_over(*secure_, request, keep);
    return exchange_over(stream_, request, keep);
  }

 private:
  // The library's own message says that a certificate is not accepted, and not why.
  void agree_on_tls(const std::string& what) try {
    SSL* tls = secure_->native_handle();
    if (!is_address(server_name_) && SSL_set_tlsext_host_name(tls, server_name_.c_str()) != 1)
      throw Error("\"" + server_name_ + "\" cannot be the name of a TLS server");
    run(what, [&](auto done) { secure_->async_handshake(asio::ssl::stream_base::client, done); });
  } catch (const Error& error) {
    SSL* tls = secure_->native_handle();
    const long verdict = SSL_get_verify_result(tls);
    if (SSL_get_verify_mode(tls) == SSL_VERIFY_NONE || verdict == X509_V_OK) throw;
    throw Error(error.message() + ": " + X509_verify_cert_error_string(verdict));
  }

  template <typename Stream>
  HttpAnswer exchange_over(Stream& stream, Request& request, bool& keep) {
    run("cannot send", [&](auto done) {
      http::async_write(stream, request, [done](error_code error, size_t) { done(error); });
    });
    Parser parser;
    parser.body_limit(kMostBody);
    run("no whole answer", [&](auto done) {
      http::async_read(stream, buffer_, parser, [done](error_code error, size_t) { done(error); });
    });
    keep = parser.get().keep_alive() && buffer_.size() == 0;
    return {parser.get().result_int(), std::move(parser.get().body())};
  }

  template <typename Start>
  void run(const std::string& what, Start&& start) {
    error_code result = asio::error::timed_out;
    bool over = false;
    start([&](error_code error) {
      result = error;
      over = true;
    });
    loop_.restart();
    loop_.run_until(until_);
    if (!over) {
      // Ends what is pending, so that nothing refers to this call any more.
      error_code ignored;
      stream_.socket().close(ignored);
      loop_.stop();
      throw Error(what + ": no answer within the time limit");
    }
    if (result) throw Error(what + ": " + result.message());
  }

  const Url& url_;
  const std::string& server_name_;
  asio::io_context loop_{1};
  beast::tcp_stream stream_;
  std::optional<asio::ssl::stream<beast::tcp_stream&>> secure_;
  beast::flat_buffer buffer_;
  Clock::time_point until_;
};

struct HttpClient::Impl {
  Url url;
  std::string server_name;
  std::chrono::nanoseconds timeout{};
  std::unique_ptr<asio::ssl::context> tls;
  std::unique_ptr<Connection> connection;
};

HttpClient::HttpClient(const config::Extender& extender) : impl_(std::make_unique<Impl>()) {
  impl_->url = Url::parse(extender.url_prefix);
  impl_->timeout = std::chrono::nanoseconds(extender.timeout);
  const bool named = extender.tls && !extender.tls->server_name.empty();
  impl_->server_name = named ? extender.tls->server_name : impl_->url.host;
  if (impl_->url.tls) impl_->tls = make_tls(extender, impl_->server_name);
}

HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;

HttpAnswer HttpClient::post(std::string_view verb, std::string body) {
  BERTH_ASSERT(impl_ != nullptr);
  Impl& impl = *impl_;
  // A year stands for no limit.
  constexpr std::chrono::hours kLongest{24 * 365};
  const auto until =
      Clock::now() + (impl.timeout.count() < 0 ? std::chrono::nanoseconds(kLongest) : impl.timeout);
  Request request{http::verb::post, impl.url.path + "/" + std::string(verb), 11};
  request.set(http::field::host, impl.url.host_header());
  request.set(http::field::user_agent, "berth");
  request.set(http::field::content_type, "application/json");
  request.body() = std::move(body);
  request.prepare_payload();
  if (impl.connection && impl.connection->stale()) impl.connection.reset();
  // Kept again only after a whole exchange.
  std::unique_ptr<Connection> connection = std::move(impl.connection);
  if (!connection) {
    connection = std::make_unique<Connection>(impl.url, impl.tls.get(), impl.server_name);
    connection->open(until);
  }
  bool keep = false;
  HttpAnswer answer = connection->exchange(request, until, keep);
  if (keep) impl.connection = std::move(connection);
  return answer;
}

}  // namespace berth::extenders
