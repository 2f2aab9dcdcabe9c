#include "engine/service/network/metered_http.h"

#include <utility>

namespace berth::service {

uint64_t MeteredHttp::send(kube::Request request, Done done) {
  Done counted = metered(request, std::move(done));
  return http_.send(std::move(request), std::move(counted));
}

uint64_t MeteredHttp::stream(kube::Request request, Data data, Done done) {
  Done counted = metered(request, std::move(done));
  return http_.stream(std::move(request), std::move(data), std::move(counted));
}

// A watch ends when its server ends it, so its time tells nothing.
MeteredHttp::Done MeteredHttp::metered(const kube::Request& request, Done done) {
  const bool is_watch = request.path.find("watch=") != std::string::npos;
  return [this, method = request.method, is_watch, begun = loop_.now(),
          done = std::move(done)](kube::Answer answer) {
    metrics_.ended(method, host_, answer,
                   is_watch ? std::nullopt : std::optional(loop_.now() - begun));
    done(std::move(answer));
  };
}

std::string host_of(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t begin = scheme == url.npos ? 0 : scheme + 3;
  return url.substr(begin, url.find('/', begin) - begin);
}

}  // namespace berth::service
