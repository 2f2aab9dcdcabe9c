#pragma once

// The base class of all extension points: the declaration and the reasons of a hook.

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/call.hpp"
#include "berth/sdk/host.hpp"
#include "berth/sdk/points.hpp"

namespace berth::sdk {

// One plugin at one extension point. A member of the plugin, created once and never moved.
class Hook : public Declaration {
 public:
  virtual ~Hook() = default;
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;

  Point point() const { return point_; }

  // [init] Looks up services. Called after the plugin's own init. Throws Failure.
  virtual void init(Host) {}

  // [init] The C table of the extension point, with the inputs that were declared so far.
  virtual const void* table() = 0;

  // The values that the host passed at init; null before.
  const berth_host* host() const { return host_; }
  const berth_columns_service* columns() const { return columns_; }
  void start(Host host) {
    for (const std::string& id : ids()) host.needs().require("column", id);
    host.needs().require_minor(what_is_new_, since_minor_);
    host_ = host.raw();
    log_ = host.find<berth_log_service>(BERTH_LOG_SERVICE);
    columns_ = host.find<berth_columns_service>(BERTH_COLUMNS_SERVICE);
    declare_found([this](const std::string& id) {
      return columns_ != nullptr && columns_->find(host_, to_abi(id)) != 0;
    });
    init(host);
  }

  uint32_t add_reason(std::string_view text) {
    reasons_.emplace_back(text);
    return static_cast<uint32_t>(reasons_.size());
  }

 protected:
  explicit Hook(Point point) : point_(point) {}

  // `space`: id of a dictionary column, or empty for the extension point's own space. Its text must
  // live as long as the process.
  void run_over(std::string_view space) { hook_.space = to_abi(space); }
  void depends(uint32_t on) { hook_.depends = on; }
  // The hook uses what came with that minor version. `what` is the rest of a sentence.
  void needs_minor(uint16_t minor, std::string_view what) {
    since_minor_ = minor;
    what_is_new_ = what;
  }

  // Runs a function that cannot fail a pod. An exception becomes an error in the log.
  template <class Work>
  void logged(std::string_view function, Work&& work) const noexcept {
    try {
      work();
    } catch (const std::exception& exception) {
      log_error(function, exception.what());
    } catch (...) {
      log_error(function, "an exception of an unknown type");
    }
  }

  void write_reason(uint32_t reason, const TextSink& sink) const {
    if (reason == 0 || reason > reasons_.size())
      return sink.write(concat("a reason without text: ", reason));
    sink.write(reasons_[reason - 1]);
  }

  berth_hook* complete() {
    inputs_.clear();
    for (const std::string& id : ids()) inputs_.push_back(to_abi(id));
    hook_.size = sizeof(hook_);
    hook_.inputs = inputs_.data();
    hook_.input_count = static_cast<uint32_t>(inputs_.size());
    hook_.input_types = types().data();
    return &hook_;
  }

 private:
  void log_error(std::string_view function, std::string_view text) const noexcept {
    guarded(nullptr, [&] {
      if (log_ != nullptr)
        log_->write(host_, BERTH_LOG_ERROR, to_abi(concat(function, ": ", text)));
    });
  }

  const Point point_;
  uint16_t since_minor_ = 0;
  std::string_view what_is_new_;
  berth_hook hook_{};
  std::vector<berth_string> inputs_;
  std::vector<std::string> reasons_;
  const berth_host* host_ = nullptr;
  const berth_columns_service* columns_ = nullptr;
  const berth_log_service* log_ = nullptr;
};

// A reason with a fixed text; a member of the hook. Converts to its id. Ids count from 1.
class Reason {
 public:
  Reason(Hook& hook, std::string_view text) : id_(hook.add_reason(text)) {}
  operator uint32_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  uint32_t id_;
};

}  // namespace berth::sdk
