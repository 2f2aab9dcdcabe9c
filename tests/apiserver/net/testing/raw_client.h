#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::apiserver {

// A socket of a client. Calls block, a minute at most, and throw std::runtime_error then.
class RawClient {
 public:
  // `receives`: the size of the socket's buffer; 0: that of the system.
  explicit RawClient(uint16_t port, int receives = 0);

  void send(std::string_view bytes);
  void end_of_sending();
  // What comes next; empty: the connection ended.
  std::string read_some();
  // Up to and with `text`, or to the end of the connection.
  std::string read_until(std::string_view text);
  // To the end of the connection.
  std::string read_all();

 private:
  bool read_more();  // false: the connection ended

  Descriptor socket_;
  std::string read_;
};

}  // namespace berth::apiserver
