// Keeps what it reserved and what it was told of bound pods, and writes down each change: a line
// for each pod or node, "WHAT HANDLE NAME NODE LABEL". LABEL is the pod's label "app", "-" without
// one; of a removed node the line is "node NAME". Reserve refuses a pod with the name
// refuse-*, and ends the process at one with the name crash-*.
// Lines go to the file that the environment variable BERTH_TEST_LEDGER names.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

void write_line(const std::string& line) {
  if (const char* path = std::getenv("BERTH_TEST_LEDGER"))
    std::ofstream(path, std::ios::app) << line << '\n';
}

template <typename Point>
class Ledger : public Point {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }

 protected:
  using Call = typename Point::Call;
  void note(const char* what, const Call& call, size_t i) const {
    const uint32_t app = call[app_][i];
    write_line(sdk::concat(what, ' ', call[handle_][i], ' ', name(call, i), ' ',
                           text(call[node_][i]), ' ', app == 0 ? "-" : text(app)));
  }
  void note_all(const char* what, const Call& call) const {
    for (size_t i = 0; i < call.size(); ++i) note(what, call, i);
  }
  std::string_view name(const Call& call, size_t i) const { return text(call[name_][i]); }
  std::string_view text(uint32_t id) const { return strings_.text(id); }

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Input<uint32_t> app_{*this, "pod.label:app"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::Strings strings_;
};

class LedgerReserve final : public Ledger<sdk::Reserve> {
 public:
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (name(call, i).starts_with("crash-")) std::raise(SIGKILL);
      const bool refuses = name(call, i).starts_with("refuse-");
      codes[i] = refuses ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
      reasons[i] = refused_;
      if (!refuses) note("reserve", call, i);
    }
  }
  void unreserve(const Call& call) const noexcept override { note_all("unreserve", call); }

 private:
  sdk::Reason refused_{*this, "its name says so"};
};

class LedgerObserve final : public Ledger<sdk::Observe> {
 public:
  void bound(const Call& call) const noexcept override { note_all("bound", call); }
  void changed(const Call& call) const noexcept override { note_all("changed", call); }
  void left(const Call& call) const noexcept override { note_all("left", call); }
  void node_left(std::span<const uint32_t> nodes) const noexcept override {
    for (const uint32_t node : nodes) write_line(sdk::concat("node ", text(node)));
  }
};

}  // namespace

using LedgerPlugin = sdk::Hooks<LedgerReserve, LedgerObserve>;

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::LedgerPlugin, "io.berth.test.ledger", "Ledger",
                 BERTH_RESERVE " " BERTH_OBSERVE);
