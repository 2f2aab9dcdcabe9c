#include "engine/kube/credentials/credentials.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/program/signals.h"

namespace berth::kube {
namespace {

std::string token_of(const std::string& path) {
  constexpr size_t kMostBytes = 1 << 20;
  constexpr std::string_view kBlanks = " \t\r\n";
  std::string text = read_file(path, kMostBytes);
  text.erase(text.find_last_not_of(kBlanks) + 1);
  text.erase(0, text.find_first_not_of(kBlanks));
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (text.empty() || std::ranges::any_of(text, control))
    throw Error(Place{.file = path, .field = {}}, "expected a token on one line");
  return text;
}

}  // namespace

Credentials::Credentials(const Connection& connection, Loop& loop, Post post, Fetched fetched)
    : connection_(connection),
      loop_(loop),
      post_(std::move(post)),
      fetched_(std::move(fetched)),
      source_(Source::kFixed) {
  const bool fixed = !connection.token.empty() || !connection.username.empty() ||
                     !connection.password.empty() || !connection.certificate.empty();
  if (!connection.token_file.empty()) {
    source_ = Source::kFile;
  } else if (connection.exec && !fixed) {
    source_ = Source::kPlugin;
    stop_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
    if (stop_.number() < 0) throw Error("cannot make an eventfd; too many files are open");
  } else {
    held_ = std::make_shared<Credential>(Credential{connection.token, {}, {}});
  }
}

Credentials::~Credentials() {
  if (!plugin_.joinable()) return;
  const uint64_t once = 1;
  BERTH_ASSERT(::write(stop_.number(), &once, sizeof once) == sizeof once);
  plugin_.join();
}

std::shared_ptr<const Credential> Credentials::current() {
  switch (source_) {
    case Source::kFixed:
      return held_;
    case Source::kFile:
      return from_file();
    case Source::kPlugin:
      return from_plugin();
  }
  return nullptr;
}

void Credentials::refused(const Credential* credential) {
  if (source_ != Source::kFixed && held_.get() == credential) held_ = nullptr;
}

// A kubelet writes a new token long before the old one ends.
std::shared_ptr<const Credential> Credentials::from_file() {
  constexpr Time kKept = std::chrono::minutes(1);
  const Time now = loop_.now();
  if (held_ && now - read_ < kKept) return held_;
  try {
    std::string token = token_of(connection_.token_file);
    if (!held_ || held_->token != token)
      held_ = std::make_shared<Credential>(Credential{std::move(token), {}, {}});
  } catch (const Error&) {
    // The file may be about to be replaced. The server says if the token is too old.
    if (!held_) throw;
  }
  read_ = now;
  return held_;
}

std::shared_ptr<const Credential> Credentials::from_plugin() {
  if (held_ && held_->expires && *held_->expires <= loop_.wall()) held_ = nullptr;
  if (!held_ && !running_) start();
  return held_;
}

void Credentials::start() {
  BERTH_ASSERT(!running_);
  running_ = true;
  if (plugin_.joinable()) plugin_.join();  // it has posted its result, which was its last act
  const SignalsBlocked blocked;
  plugin_ = std::thread([this] {
    std::shared_ptr<const Credential> made;
    std::string fault;
    try {
      made = std::make_shared<Credential>(run_exec_plugin(connection_, stop_.number()));
    } catch (const Error& error) {
      fault = error.what();
    }
    post_([this, made, fault] { end(made, fault); });
  });
}

void Credentials::end(std::shared_ptr<const Credential> made, const std::string& fault) {
  BERTH_ASSERT(running_ && (made == nullptr) != fault.empty());
  running_ = false;
  held_ = std::move(made);
  fetched_(held_, fault);
}

}  // namespace berth::kube
