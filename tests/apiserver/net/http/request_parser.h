#pragma once

// Boost.Beast's parser of HTTP/1.1, without its messages.

#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <string>

#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/net/options.h"

namespace berth::apiserver {

// Parses one request. put() is given its bytes.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  using ErrorCode = boost::beast::error_code;
  using Text = boost::beast::string_view;

  explicit RequestParser(const ServerOptions& options);

  // Complete once is_done(), except for path and query, which target() has.
  Request& request() { return request_; }
  const std::string& target() const { return target_; }

 private:
  void on_request_impl(boost::beast::http::verb verb, Text method, Text target, int version,
                       ErrorCode& error) override;
  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_field_impl(boost::beast::http::field field, Text name, Text value,
                     ErrorCode& error) override;
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<uint64_t>&, ErrorCode&) override {}
  size_t on_body_impl(Text body, ErrorCode& error) override;
  void on_chunk_header_impl(uint64_t, Text, ErrorCode&) override {}
  size_t on_chunk_body_impl(uint64_t remain, Text body, ErrorCode& error) override;
  void on_finish_impl(ErrorCode&) override {}

  Request request_;
  std::string target_;
};

// The status of the answer to a request that ends with an error of the parser.
int status_of(const RequestParser::ErrorCode& error);
// "Not Found" of 404; empty: the status is unknown.
std::string reason_of(int status);

}  // namespace berth::apiserver
