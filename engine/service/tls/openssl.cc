#include "engine/service/tls/openssl.h"

#include <openssl/err.h>

#include <cstring>

#include "engine/base/error.h"

namespace berth::service {

std::string openssl_reason() {
  const unsigned long code = ERR_peek_error();
  ERR_clear_error();
  if (ERR_SYSTEM_ERROR(code)) return std::strerror(ERR_GET_REASON(code));
  const char* reason = ERR_reason_error_string(code);
  return reason == nullptr ? "unknown reason" : reason;
}

void openssl_check(bool done, std::string_view what) {
  if (!done) throw Error(std::string(what) + ": " + openssl_reason());
}

}  // namespace berth::service
