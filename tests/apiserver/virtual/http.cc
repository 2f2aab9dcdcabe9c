#include "tests/apiserver/virtual/http.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "tests/apiserver/api/backlog.h"
#include "tests/apiserver/virtual/target.h"

namespace berth::apiserver {

using Fate = kube::Answer::Fate;

struct VirtualHttp::Exchange {
  VirtualHttp* http;  // valid unless `ended`
  uint64_t number;
  kube::Request request;
  Data data;  // null: the body is collected
  Done done;
  kube::Answer answer{};
  bool stopped = false;  // it will not come to the server any more
  bool seen = false;     // by the server
  bool ended = false;    // `done` was called, or never will be
  Time last{};           // when the part of the answer comes that was sent last
  uint64_t waiting = 0;
  uint64_t limit_timer = 0;
};

// The server's end.
class VirtualHttp::Answering : public Backlog {
 public:
  explicit Answering(ExchangePtr exchange) : exchange_(std::move(exchange)) {}

  void begin(int status, std::map<std::string, std::string> headers) override {
    std::optional<Time> retry_after;
    if (const auto found = headers.find("retry-after"); found != headers.end()) {
      const std::string& text = found->second;
      int64_t seconds = 0;
      std::from_chars(text.data(), text.data() + text.size(), seconds);
      retry_after = Time(seconds * kSecond);
    }
    step([status, retry_after](Exchange& at) {
      at.answer.status = status;
      at.answer.retry_after = retry_after;
    });
  }

  void write(std::string_view part) override {
    while (!part.empty() && open()) {
      VirtualHttp& http = *exchange_->http;
      const size_t size =
          std::min<size_t>(part.size(), 1 + below(http.draw(), http.network_.largest_part));
      exchange_->waiting += size;
      step([bytes = std::string(part.substr(0, size))](Exchange& at) {
        at.waiting -= bytes.size();
        if (at.data != nullptr && at.answer.status == 200) {
          at.data(bytes);
        } else {
          at.answer.body += bytes;
        }
      });
      part.remove_prefix(size);
    }
  }

  void end() override { finish(Fate::kAnswered, {}); }
  void cut() override { finish(Fate::kLost, "the connection broke"); }
  bool open() const override { return !exchange_->ended; }
  uint64_t waiting() const override { return exchange_->waiting; }

 private:
  void step(std::function<void(Exchange&)> change) {
    if (!open()) return;
    exchange_->http->deliver(
        exchange_, [exchange = exchange_, change = std::move(change)] { change(*exchange); });
  }
  void finish(Fate fate, std::string error) {
    if (!open()) return;
    exchange_->http->deliver(exchange_, [exchange = exchange_, fate, error = std::move(error)] {
      exchange->http->finish(exchange, fate, error);
    });
  }

  ExchangePtr exchange_;
};

VirtualHttp::~VirtualHttp() {
  for (const auto& [number, exchange] : exchanges_) {
    exchange->ended = true;
    client_.cancel(exchange->limit_timer);
  }
}

uint64_t VirtualHttp::draw() { return mix(mix(network_.seed) ^ ++draws_); }

Time VirtualHttp::draw_way() {
  const auto spread = static_cast<uint64_t>((network_.most - network_.least).count());
  return network_.least + Time(static_cast<int64_t>(below(draw(), spread + 1)));
}

bool VirtualHttp::draw_refusal() {
  return std::ldexp(static_cast<double>(draw() >> 11), -53) < network_.refused;
}

uint64_t VirtualHttp::send(kube::Request request, Done done) {
  return start(std::move(request), nullptr, std::move(done));
}

uint64_t VirtualHttp::stream(kube::Request request, Data data, Done done) {
  BERTH_ASSERT(data != nullptr);
  return start(std::move(request), std::move(data), std::move(done));
}

uint64_t VirtualHttp::start(kube::Request request, Data data, Done done) {
  const uint64_t number = ++last_;
  auto exchange = std::make_shared<Exchange>(
      Exchange{this, number, std::move(request), std::move(data), std::move(done)});
  exchanges_.emplace(number, exchange);
  const Time arrival = draw_way();
  const bool forbidden = exchange->request.may_leave && !exchange->request.may_leave();
  if (draw_refusal() || !connected_ || forbidden) {
    client_.after(arrival, [exchange] {
      if (!exchange->ended) exchange->http->break_off(exchange, "the connection was refused");
    });
    return number;
  }
  loop_.after(arrival, [server = &server_, exchange] {
    if (!exchange->stopped) arrive(*server, exchange);
  });
  if (const Time limit = exchange->request.limit; limit > Time()) {
    exchange->limit_timer = client_.after(limit, [exchange] {
      exchange->limit_timer = 0;
      exchange->http->break_off(exchange, "its time was over");
    });
  }
  return number;
}

void VirtualHttp::arrive(Handler& server, const ExchangePtr& exchange) {
  exchange->seen = true;
  const kube::Request& sent = exchange->request;
  Request request;
  request.method = kube::method_name(sent.method);
  BERTH_ASSERT(parse_target(sent.path, request.path, request.query));
  request.headers["accept"] = "application/json";
  if (!sent.content_type.empty()) request.headers["content-type"] = sent.content_type;
  request.body = sent.body;
  server.handle(request, std::make_shared<Answering>(exchange));
}

void VirtualHttp::deliver(const ExchangePtr& exchange, std::function<void()> step) {
  exchange->last = std::max(exchange->last, loop_.now() + draw_way());
  client_.at(exchange->last, [exchange, step = std::move(step)] {
    if (!exchange->ended) step();
  });
}

void VirtualHttp::break_off(const ExchangePtr& exchange, std::string why) {
  if (exchange->ended) return;
  exchange->stopped = true;
  finish(exchange, exchange->seen ? Fate::kLost : Fate::kNotSent, std::move(why));
}

void VirtualHttp::finish(const ExchangePtr& exchange, Fate fate, std::string error) {
  BERTH_ASSERT(!exchange->ended);
  exchange->ended = true;
  exchanges_.erase(exchange->number);
  client_.cancel(exchange->limit_timer);
  exchange->answer.fate = fate;
  exchange->answer.error = std::move(error);
  exchange->done(std::move(exchange->answer));
}

void VirtualHttp::cancel(uint64_t request) {
  const auto found = exchanges_.find(request);
  if (found == exchanges_.end()) return;
  found->second->ended = true;
  client_.cancel(found->second->limit_timer);
  exchanges_.erase(found);
}

void VirtualHttp::set_connected(bool connected) {
  connected_ = connected;
  if (connected) return;
  for (const auto& [number, exchange] : exchanges_) {
    exchange->stopped = true;
    client_.at(loop_.now(), [exchange = exchange] {
      if (!exchange->ended) exchange->http->break_off(exchange, "the connection broke");
    });
  }
}

}  // namespace berth::apiserver
