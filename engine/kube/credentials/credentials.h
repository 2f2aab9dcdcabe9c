#pragma once

// The credential of requests: fixed, from a file that is read again, or from a plugin. Internal to
// this module.

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "engine/base/io/io.h"
#include "engine/kube/credentials/exec_credential.h"
#include "engine/kube/loop.h"

namespace berth::kube {

// The thread of the loop, but for the plugin, which is awaited on a thread of its own.
class Credentials {
 public:
  // Calls a function on the loop's thread. Any thread may call it.
  using Post = std::function<void(std::function<void()>)>;
  // The wait for a credential is over. Null: there is none, and the text says why.
  using Fetched = std::function<void(std::shared_ptr<const Credential>, const std::string&)>;

  // The connection and the loop outlive it. Client certificates of the connection itself are not
  // its concern.
  Credentials(const Connection& connection, Loop& loop, Post post, Fetched fetched);
  // Ends the plugin.
  ~Credentials();
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  // Null: the plugin runs, and `fetched` is called when it has ended. Otherwise the credential has
  // not expired. Throws Error if the file of the token cannot be used.
  std::shared_ptr<const Credential> current();
  // The server has answered 401 to it. The next call of current() looks for another one. No effect
  // if there is another one already, or the credential is fixed.
  void refused(const Credential* credential);

 private:
  std::shared_ptr<const Credential> from_file();
  std::shared_ptr<const Credential> from_plugin();
  void start();
  void end(std::shared_ptr<const Credential> made, const std::string& fault);

  const Connection& connection_;
  Loop& loop_;
  Post post_;
  Fetched fetched_;
  enum class Source : uint8_t { kFixed, kFile, kPlugin } source_;
  std::shared_ptr<const Credential> held_;  // null: none is known
  Time read_{};                             // of the file
  Descriptor stop_;
  std::thread plugin_;  // joinable: it runs, or has ended and was not joined yet
  bool running_ = false;
};

}  // namespace berth::kube
