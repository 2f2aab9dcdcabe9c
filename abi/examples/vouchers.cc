// Vouchers that pods use up: a pod with the label example.com/voucher spends one of that name.
//
//   {"vouchers": {"spring": 2, "summer": 10}}
//
// Reserve takes a voucher, Unreserve gives it back, and with PostBind it is spent. Vouchers of
// bound pods never come back; for something that pods occupy, ask the counts service, as
// DomainLimit does, or keep a ledger with Observe, as NumaZones does.

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

// The hooks share this. PostBind runs beside Reserve and Unreserve of other pods, so all lock it.
struct Ledger {
  struct Kind {
    int64_t all = 0, taken = 0, spent = 0;
  };
  // By texts: string ids in columns are valid for the call alone.
  using Kinds = std::map<std::string, Kind, std::less<>>;

  sdk::Strings strings;
  sdk::Log log;
  std::mutex mutex;
  Kinds kinds;
  std::unordered_map<uint64_t, Kind*> holders;  // by pod.handle; pods on their way to a node
};

struct TakeVoucher : sdk::Reserve {
  explicit TakeVoucher(Ledger& of) : ledger(of) {}

  Ledger& ledger;
  sdk::Input<uint64_t> pod{*this, "pod.handle"};
  sdk::Input<uint32_t> voucher{*this, "pod.label:example.com/voucher"};
  sdk::Reason unknown{*this, "the pod's voucher is unknown"};
  sdk::Reason none_left{*this, "no voucher is left"};

  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    const std::lock_guard lock(ledger.mutex);
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (call[voucher][i] == 0) continue;
      const auto kind = ledger.kinds.find(ledger.strings.text(call[voucher][i]));
      const bool known = kind != ledger.kinds.end();
      if (known && kind->second.taken < kind->second.all) {
        ++kind->second.taken;
        ledger.holders[call[pod][i]] = &kind->second;
        continue;
      }
      codes[i] = BERTH_UNSCHEDULABLE;
      reasons[i] = known ? none_left : unknown;
    }
  }
  void unreserve(const Call& call) const noexcept override {
    const std::lock_guard lock(ledger.mutex);
    for (const uint64_t handle : call[pod]) {
      const auto held = ledger.holders.find(handle);
      if (held == ledger.holders.end()) continue;
      --held->second->taken;
      ledger.holders.erase(held);
    }
  }
};

struct SpendVoucher : sdk::PostBind {
  explicit SpendVoucher(Ledger& of) : ledger(of) {}

  Ledger& ledger;
  sdk::Input<uint64_t> pod{*this, "pod.handle"};
  sdk::Input<uint32_t> voucher{*this, "pod.label:example.com/voucher"};

  void post_bind(const Call& call) const noexcept override {
    const std::lock_guard lock(ledger.mutex);
    for (size_t i = 0; i < call.size(); ++i) {
      const auto held = ledger.holders.find(call[pod][i]);
      if (held == ledger.holders.end()) continue;
      const Ledger::Kind& kind = *held->second;
      ++held->second->spent;
      ledger.log.write(BERTH_LOG_INFO, sdk::concat(ledger.strings.text(call[voucher][i]), ": ",
                                                   kind.spent, " of ", kind.all, " spent"));
      ledger.holders.erase(held);
    }
  }
};

class Vouchers : public sdk::Plugin {
 public:
  Vouchers() { add(take_, spend_); }

  static void validate(const sdk::Config& config) { read(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    ledger_.strings = sdk::Strings(host);
    ledger_.log = sdk::Log(host);
    ledger_.kinds = read(config);
  }

 private:
  static Ledger::Kinds read(const sdk::Config& config) {
    Ledger::Kinds kinds;
    for (const auto& [name, number] : config["vouchers"].members())
      kinds[std::string(name)].all = number.integer(0, 0, 1000000);
    return kinds;
  }

  Ledger ledger_;
  TakeVoucher take_{ledger_};
  SpendVoucher spend_{ledger_};
};

BERTH_SDK_PLUGIN(Vouchers, "com.example.vouchers", "Vouchers", BERTH_RESERVE " " BERTH_POST_BIND);
