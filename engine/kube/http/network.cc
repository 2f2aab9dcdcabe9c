#include "engine/kube/http/network.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/text/number_text.h"

namespace berth::kube {
namespace {

constexpr long kUrgentConnections = 4;

// Once for the process, and never undone: other parts of it may use libcurl.
void initialise_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK)
    throw Error(std::string("libcurl cannot be used: ") + curl_easy_strerror(code));
}

CURLM* make_multi(long connections) {
  initialise_curl();
  CURLM* multi = curl_multi_init();
  if (multi == nullptr) throw std::bad_alloc();
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  // The server's own limit counts. With libcurl's, which is 100, a burst beyond it opens a
  // connection for each request until the first of these is ready.
  constexpr long kStreams = 10'000;
  curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, kStreams);
  return multi;
}

void check(CURLMcode code) {
  if (code == CURLM_OUT_OF_MEMORY) throw std::bad_alloc();
  BERTH_ASSERT(code == CURLM_OK);
}

std::string within(Time limit) {
  return " within " + duration_text(std::chrono::duration<double>(limit).count());
}

}  // namespace

Network::Network(const Connection& connection, NetworkOptions options)
    : connection_(connection),
      options_(std::move(options)),
      endpoint_(connection_, options_.user_agent),
      multi_(make_multi(options_.connections)),
      urgent_(make_multi(kUrgentConnections)),
      credentials_(
          connection_, *this, [this](std::function<void()> function) { post(std::move(function)); },
          [this](std::shared_ptr<const Credential> credential, const std::string& fault) {
            on_credential(std::move(credential), fault);
          }) {
  BERTH_ASSERT(options_.connections > 0 && options_.connect_limit > Time(0));
}

Network::~Network() {
  for (auto& [number, flight] : flights_) detach(*flight.transfer);
  bury();
}

void Network::run() {
  BERTH_ASSERT(runner_ == std::thread::id());
  runner_ = std::this_thread::get_id();
  while (!stopped()) {
    run_posted();
    timers_.run(now());
    bury();
    begin_queued();
    perform(urgent_.get());
    perform(multi_.get());
    pause();
    wait();
  }
  runner_ = {};
}

void Network::stop() {
  const MutexLock lock(mutex_);
  stopped_ = true;
  curl_multi_wakeup(multi_.get());
}

void Network::post(std::function<void()> function) {
  BERTH_ASSERT(function);
  const MutexLock lock(mutex_);
  posted_.push_back(std::move(function));
  if (posted_.size() == 1) curl_multi_wakeup(multi_.get());  // else it was woken
}

Time Network::now() const { return std::chrono::steady_clock::now().time_since_epoch(); }

int64_t Network::wall() const {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

uint64_t Network::at(Time time, std::function<void()> due) {
  BERTH_ASSERT(on_thread());
  const uint64_t number = ++numbers_;
  // One that sets itself to a time in the past lets the others come, too.
  timers_.add(std::max(time, now()), number, std::move(due));
  return number;
}

uint64_t Network::send(Request request, Done done) {
  return add(std::move(request), nullptr, std::move(done));
}

uint64_t Network::stream(Request request, Data data, Done done) {
  BERTH_ASSERT(data);
  return add(std::move(request), std::move(data), std::move(done));
}

void Network::cancel(uint64_t number) {
  BERTH_ASSERT(on_thread());
  if (timers_.cancel(number)) return;
  const auto at = flights_.find(number);
  if (at == flights_.end()) return;
  timers_.cancel(at->second.limit);
  timers_.cancel(at->second.connect_limit);
  // This may be a call of its own function, within libcurl.
  at->second.transfer->cancel();
  cancelled_.push_back(std::move(at->second.transfer));
  flights_.erase(at);
}

uint64_t Network::add(Request request, Data data, Done done) {
  BERTH_ASSERT(on_thread());
  const uint64_t number = ++numbers_;
  const Time limit = request.limit;
  Flight flight;
  flight.transfer = std::make_unique<Transfer>(number, std::move(request), std::move(data),
                                               std::move(done), options_.most_body);
  if (limit > Time(0)) flight.limit = after(limit, [=, this] { on_limit(number, limit); });
  flights_.emplace(number, std::move(flight));
  queued_.push_back(number);
  return number;
}

bool Network::stopped() {
  const MutexLock lock(mutex_);
  return std::exchange(stopped_, false);
}

void Network::run_posted() {
  std::vector<std::function<void()>> posted;
  {
    const MutexLock lock(mutex_);
    posted.swap(posted_);
  }
  for (std::function<void()>& function : posted) function();
}

// Those that the functions send, while some end without a credential, wait for the next time.
void Network::begin_queued() {
  std::deque<uint64_t> queued;
  queued.swap(queued_);
  for (const uint64_t number : queued) {
    const auto at = flights_.find(number);
    if (at == flights_.end()) continue;
    Transfer& transfer = *at->second.transfer;
    std::shared_ptr<const Credential> credential;
    try {
      credential = credentials_.current();
    } catch (const Error& error) {
      end(number, transfer.failure(error.what()));
      continue;
    }
    if (credential) {
      begin(transfer, std::move(credential));
    } else {
      without_credential_.push_back(number);
    }
  }
}

void Network::begin(Transfer& transfer, std::shared_ptr<const Credential> credential) {
  Easy easy;
  if (idle_.empty()) {
    easy = endpoint_.make_easy();
    sockets_.own(easy.get());
  } else {
    easy = std::move(idle_.back());
    idle_.pop_back();
  }
  transfer.prepare(std::move(easy), endpoint_, std::move(credential));
  const uint64_t number = transfer.number();
  flights_.at(number).connect_limit =
      after(options_.connect_limit, [=, this] { on_connect_limit(number); });
  check(curl_multi_add_handle(pool_of(transfer), transfer.easy()));
  if (transfer.urgent()) ++urgent_under_way_;
  handed_over_.push_back(number);
}

void Network::on_credential(std::shared_ptr<const Credential> credential,
                            const std::string& fault) {
  for (const uint64_t number : std::exchange(without_credential_, {})) {
    const auto at = flights_.find(number);
    if (at == flights_.end()) continue;
    Transfer& transfer = *at->second.transfer;
    if (credential) {
      begin(transfer, credential);
    } else {
      end(number, transfer.failure(fault));
    }
  }
}

void Network::perform(CURLM* pool) {
  performed_ = now();
  sockets_.hold();
  int running = 0;
  check(curl_multi_perform(pool, &running));
  sockets_.release();
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(pool, &left)) {
    BERTH_ASSERT(message->msg == CURLMSG_DONE);
    Transfer& transfer = Transfer::of(message->easy_handle);
    if (transfer.cancelled()) continue;
    end(transfer.number(), transfer.answer(message->data.result));
  }
}

// In every call libcurl looks at each request under way, with a system call. So calls are apart by
// some times what they cost, and take together what came meanwhile.
void Network::pause() const {
  constexpr Time kEach = std::chrono::microseconds(5);
  const Time until = performed_ + static_cast<int64_t>(flights_.size()) * kEach;
  const Time wait = until - now();
  if (wait > Time(0)) std::this_thread::sleep_for(wait);
}

// Until there is something to do. libcurl knows its own times, but 7.88 may forget to go on with a
// transfer that waited for a connection: it sets a timer for it, and can drop that timer within the
// same call. It goes on in the next call, so that is made soon. The same is done for urgent
// requests, which are few and short: libcurl waits for the sockets of one pool alone.
void Network::wait() {
  using std::chrono::milliseconds;
  constexpr int64_t kSoon = 10;
  int64_t wait = some_wait() || urgent_under_way_ != 0 ? kSoon : INT32_MAX;
  if (const std::optional<Time> next = timers_.next())
    wait = std::min<int64_t>(wait, std::chrono::ceil<milliseconds>(*next - now()).count());
  if (!queued_.empty() || !cancelled_.empty()) wait = 0;
  const int timeout = static_cast<int>(std::clamp<int64_t>(wait, 0, INT32_MAX));
  check(curl_multi_poll(multi_.get(), nullptr, 0, timeout, nullptr));
}

// True if libcurl has a transfer that has not begun.
bool Network::some_wait() {
  for (; !handed_over_.empty(); handed_over_.pop_front()) {
    const auto at = flights_.find(handed_over_.front());
    if (at != flights_.end() && !at->second.transfer->begun()) return true;
  }
  return false;
}

void Network::on_limit(uint64_t number, Time limit) {
  const Transfer& transfer = *flights_.at(number).transfer;
  end(number, transfer.failure(endpoint_.server() + ": no complete answer" + within(limit)));
}

void Network::on_connect_limit(uint64_t number) {
  const Transfer& transfer = *flights_.at(number).transfer;
  if (transfer.begun()) return;
  end(number,
      transfer.failure(endpoint_.server() + ": no connection" + within(options_.connect_limit)));
}

void Network::end(uint64_t number, Answer answer) {
  constexpr int kUnauthorized = 401;
  const auto at = flights_.find(number);
  BERTH_ASSERT(at != flights_.end());
  const Flight flight = std::move(at->second);
  flights_.erase(at);
  timers_.cancel(flight.limit);
  timers_.cancel(flight.connect_limit);
  Transfer& transfer = *flight.transfer;
  if (answer.status == kUnauthorized) credentials_.refused(transfer.credential());
  detach(transfer);
  transfer.finish(std::move(answer));
}

void Network::bury() {
  for (const std::unique_ptr<Transfer>& transfer : std::exchange(cancelled_, {})) detach(*transfer);
}

void Network::detach(Transfer& transfer) {
  if (transfer.easy() == nullptr) return;
  check(curl_multi_remove_handle(pool_of(transfer), transfer.easy()));
  if (transfer.urgent()) --urgent_under_way_;
  idle_.push_back(transfer.release());
}

bool Network::on_thread() const {
  return runner_ == std::thread::id() || runner_ == std::this_thread::get_id();
}

}  // namespace berth::kube
