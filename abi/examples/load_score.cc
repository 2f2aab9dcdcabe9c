// Prefers nodes with little load, and refuses those with more than `most`, as a file says that
// somebody rewrites: lines of a node's name and its load from 0 to 100. Nodes that it does not name
// have the load 0.
//
//   {"file": "/run/loads", "most": 90}
//
// A thread reads the file each second. What it read counts from the epoch on that it raises:
// PreFilter takes it when the epoch is another, so all calls of a decision see one file.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/external.hpp"

namespace sdk = berth::sdk;

constexpr char kEpoch[] = "com.example.load";
constexpr char kColumn[] = "cluster.epoch:com.example.load";

class Loads {
 public:
  using ByNode = std::map<std::string, int64_t, std::less<>>;

  ~Loads() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    end_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  // [init] Begins to read the file.
  void follow(sdk::Host host, std::string file) {
    strings_ = sdk::Strings(host);
    epoch_ = sdk::Epoch(host, kEpoch);
    waker_ = sdk::Waker(host);
    file_ = std::move(file);
    if (!std::ifstream(file_))
      sdk::Log(host).write(BERTH_LOG_WARNING,
                           sdk::concat("cannot read ", file_, " yet: all nodes have the load 0"));
    look();
    thread_ = std::thread([this] { watch(); });
  }

  // [cycle] What was read last counts from now on, if the epoch is another.
  void take(int64_t epoch) {
    if (std::exchange(taken_at_, epoch) == epoch) return;
    const std::lock_guard lock(mutex_);
    loads_ = read_;
  }
  // [rows] Of the nodes with these names. A plugin in a process of its own asks for all texts at
  // once.
  std::vector<int64_t> of(std::span<const uint32_t> nodes) const {
    std::vector<std::string_view> names(nodes.size());
    strings_.texts(nodes, names);
    std::vector<int64_t> loads(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      const auto known = loads_.find(names[i]);
      if (known != loads_.end()) loads[i] = known->second;
    }
    return loads;
  }

 private:
  void watch() {
    constexpr std::chrono::seconds kEach(1);
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, kEach, [this] { return ends_; })) {
      lock.unlock();
      if (look()) {
        epoch_.raise();
        waker_.wake();
      }
      lock.lock();
    }
  }

  // True if the file has changed.
  bool look() {
    std::ostringstream text;
    text << std::ifstream(file_).rdbuf();
    if (text.str() == text_) return false;
    text_ = text.str();
    ByNode loads;
    std::istringstream lines(text_);
    std::string node;
    for (int64_t load = 0; lines >> node >> load;) loads[node] = std::clamp<int64_t>(load, 0, 100);
    const std::lock_guard lock(mutex_);
    read_ = std::move(loads);
    return true;
  }

  sdk::Strings strings_;
  sdk::Epoch epoch_;
  sdk::Waker waker_;
  std::string file_, text_;
  ByNode loads_;  // of the decisions
  int64_t taken_at_ = -1;
  std::mutex mutex_;
  ByNode read_;        // by the thread
  bool ends_ = false;  // both under the mutex
  std::condition_variable end_;
  std::thread thread_;
};

struct TakeLoads : sdk::PreFilter<> {
  explicit TakeLoads(Loads& of) : loads(of) {}

  Loads& loads;
  sdk::Input<int64_t> epoch{*this, kColumn};

  void pre_filter(const Call& call, sdk::PreFilterResult&) const override {
    loads.take(call.one(epoch));
  }
};

struct LoadFilter : sdk::Filter<> {
  explicit LoadFilter(const Loads& of) : loads(of) {}

  const Loads& loads;
  int64_t most = 100;
  sdk::Input<uint32_t> node{*this, "node.name"};
  sdk::Input<int64_t> epoch{*this, kColumn};
  sdk::Reason busy{*this, "node(s) were busy"};

  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const std::vector<int64_t> of_nodes = loads.of(call[node]);
    for (size_t i = 0; i < verdicts.size(); ++i)
      verdicts[i] = of_nodes[i] > most ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  }
};

struct LoadScore : sdk::Score<> {
  explicit LoadScore(const Loads& of) : Score(BERTH_NORMALISE_NONE), loads(of) {}

  const Loads& loads;
  sdk::Input<uint32_t> node{*this, "node.name"};
  sdk::Input<int64_t> epoch{*this, kColumn};

  void score(const Call& call, std::span<int64_t> raw) const override {
    const std::vector<int64_t> of_nodes = loads.of(call[node]);
    for (size_t i = 0; i < raw.size(); ++i) raw[i] = 100 - of_nodes[i];
  }
};

class LoadAware : public sdk::Plugin {
 public:
  LoadAware() { add(take_, filter_, score_); }

  static void validate(const sdk::Config& config) {
    if (config["file"].text().empty()) config["file"].error("must be the path of a file");
    config["most"].integer(100, 0, 100);
  }
  void init(sdk::Host host, const sdk::Config& config) override {
    filter_.most = config["most"].integer(100, 0, 100);
    loads_.follow(host, std::string(config["file"].text()));
  }

 private:
  Loads loads_;
  TakeLoads take_{loads_};
  LoadFilter filter_{loads_};
  LoadScore score_{loads_};
};

BERTH_SDK_PLUGIN(LoadAware, "com.example.load-aware", "LoadAware",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_SCORE, kColumn,
                 BERTH_EXTERNAL_SERVICE);
