#pragma once

// Messages of a command that does a thing twice, such as reading one input for two runs: each is
// said once, with the names that the user gave.

#include <string>
#include <vector>

namespace berth {

class MessageScope {
 public:
  struct Name {
    std::string made;   // of a file that stands for an input; not empty
    std::string given;  // by the user
  };

  // One at a time. While it exists, say() and say_as() leave out what they said before in it.
  explicit MessageScope(std::vector<Name> names = {});
  MessageScope(const MessageScope&) = delete;
  MessageScope& operator=(const MessageScope&) = delete;
  ~MessageScope();

  // The message of an error, with the names that the user gave.
  std::string of_user(const std::string& message) const;
};

}  // namespace berth
