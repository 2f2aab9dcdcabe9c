#include "tests/apiserver/net/http/request_parser.h"

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>

#include "tests/apiserver/net/http/request_target.h"

namespace berth::apiserver {

namespace http = boost::beast::http;

RequestParser::RequestParser(const ServerOptions& options) {
  header_limit(static_cast<uint32_t>(options.header_bytes));
  body_limit(options.body_bytes);
  eager(true);
}

void RequestParser::on_request_impl(http::verb, Text method, Text target, int version,
                                    ErrorCode& error) {
  if (version != 11) error = http::error::bad_version;
  request_.method.assign(method.data(), method.size());
  target_.assign(target.data(), target.size());
}

void RequestParser::on_field_impl(http::field, Text name, Text value, ErrorCode&) {
  std::string lower(name.data(), name.size());
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  add_header(lower, {value.data(), value.size()}, request_);
}

size_t RequestParser::on_body_impl(Text body, ErrorCode&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

size_t RequestParser::on_chunk_body_impl(uint64_t, Text body, ErrorCode& error) {
  return on_body_impl(body, error);
}

int status_of(const RequestParser::ErrorCode& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  if (error == http::error::bad_version) return 505;
  return 400;
}

std::string reason_of(int status) {
  const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
  return {reason.data(), reason.size()};
}

}  // namespace berth::apiserver
