#pragma once

// Metrics over plain HTTP/1.1, for a Prometheus that scrapes them: GET /metrics. It is readable by
// whoever reaches the address, and has a thread of its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace berth::metrics {

struct PortAddress {
  std::string host;   // an IP address
  uint16_t port = 0;  // 0: any that is free
};

// "HOST:PORT": HOST is an IPv4 address, an IPv6 address in brackets, localhost, or empty, which is
// 127.0.0.1. Throws Error for any other text.
PortAddress parse_port_address(std::string_view text);

class MetricsPort {
 public:
  // Listens when it returns. `text` is called for each scrape, on the port's thread, and gives
  // metrics in Prometheus' text format; throws nothing. Throws Error if the address cannot be used.
  MetricsPort(const PortAddress& address, std::function<std::string()> text);
  // Ends all connections.
  ~MetricsPort();
  MetricsPort(const MetricsPort&) = delete;
  MetricsPort& operator=(const MetricsPort&) = delete;

  uint16_t port() const;
  std::string url() const;  // "http://127.0.0.1:9100/metrics"

 private:
  class Server;
  class Connection;

  std::unique_ptr<Server> server_;
};

}  // namespace berth::metrics
