#pragma once

// A Lease (coordination.k8s.io/v1) as a server gave it, and what an election changes in it.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace berth::kube {

// The fields of `spec` that an election writes. As read, those that are not set are empty or 0.
struct LeaseRecord {
  std::string holder;  // empty: nobody
  int64_t duration_seconds = 0;
  std::string acquired, renewed;  // MicroTime
  int64_t transitions = 0;
};

class LeaseObject {
 public:
  // Throws Error if the text is no Lease: malformed, larger than 4 MiB, a field of another type, or
  // without a resourceVersion, which guards the next write.
  explicit LeaseObject(std::string_view json);

  const LeaseRecord& record() const { return record_; }
  // All of `spec`, as JSON: it changes if somebody acquires, renews or releases the lease.
  const std::string& spec() const { return spec_; }
  const std::string& uid() const { return uid_; }
  const std::string& resource_version() const { return resource_version_; }

  // The whole object with this record, as JSON: for a PUT. All other fields stay as they are.
  std::string with(const LeaseRecord& record) const;

 private:
  document::Document document_;
  LeaseRecord record_;
  std::string spec_, uid_, resource_version_;
};

// A Lease that a server does not have yet: for a POST.
std::string new_lease(std::string_view namespace_name, std::string_view name,
                      const LeaseRecord& record);

}  // namespace berth::kube
