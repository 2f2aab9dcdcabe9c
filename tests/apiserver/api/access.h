#pragma once

// Who may do what, as TokenReviews and SubjectAccessReviews answer it.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver {

struct User {
  std::string name, uid;
  std::vector<std::string> groups;
};

// Allows a verb. Each text may be "*", which stands for all.
struct AccessRule {
  std::string subject;   // the name of a user, or a group
  std::string verb;      // "list", "create"; of paths "get"
  std::string group;     // of the resource; empty: the core group
  std::string resource;  // "pods", "pods/binding"; empty: the rule is for `path`
  std::string path;      // outside of resources: "/metrics", or a beginning: "/healthz/*"
};

// What is asked for, in the terms of AccessRule.
struct Attempt {
  std::string_view verb, group, resource, path;
};

struct Access {
  // False: the server asks nobody who they are. Reviews are answered all the same.
  bool enforced = false;
  std::map<std::string, User> tokens;  // by bearer token
  std::vector<AccessRule> rules;

  bool allows(const User& user, const Attempt& attempt) const;
};

}  // namespace berth::apiserver
