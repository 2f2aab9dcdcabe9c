// Questions about claims, volumes and the objects of storage.

#include "engine/isolation/answers/host_answers.h"
#include "engine/isolation/answers/used.h"

namespace berth::isolation {

template <typename T>
constexpr HostAnswers::Kind HostAnswers::kind_of() {
  if constexpr (std::is_same_v<T, berth_claim>) return Kind::kClaim;
  if constexpr (std::is_same_v<T, berth_volume>) return Kind::kVolume;
  if constexpr (std::is_same_v<T, berth_storage_class>) return Kind::kClass;
  if constexpr (std::is_same_v<T, berth_csi_node>) return Kind::kCsiNode;
  if constexpr (std::is_same_v<T, berth_csi_driver>) return Kind::kCsiDriver;
  if constexpr (std::is_same_v<T, berth_csi_capacity>) return Kind::kCapacity;
  return Kind::kAttachment;
}

template <typename T>
uint32_t HostAnswers::number_of(const T* object) {
  if (object == nullptr) return 0;
  objects_.push_back({kind_of<T>(), object});
  return static_cast<uint32_t>(objects_.size());
}
template uint32_t HostAnswers::number_of(const berth_claim*);
template uint32_t HostAnswers::number_of(const berth_volume*);
template uint32_t HostAnswers::number_of(const berth_storage_class*);
template uint32_t HostAnswers::number_of(const berth_csi_node*);
template uint32_t HostAnswers::number_of(const berth_csi_driver*);
template uint32_t HostAnswers::number_of(const berth_csi_capacity*);
template uint32_t HostAnswers::number_of(const berth_volume_attachment*);

template <typename T>
const T* HostAnswers::object(uint32_t number) const {
  if (number == 0) return nullptr;
  if (number > objects_.size() || objects_[number - 1].kind != kind_of<T>())
    throw BadMessage("an object of the volumes service is not known");
  return static_cast<const T*>(objects_[number - 1].at);
}

template <typename T>
void HostAnswers::put(Writer& out, const T* object) {
  out.put(number_of(object));
  if (object == nullptr) return;
  out.put(*object);
  if constexpr (std::is_same_v<T, berth_volume>)
    out.list(object->labels, uint64_t{object->label_count} * 2);
  if constexpr (std::is_same_v<T, berth_csi_node>) {
    out.list(object->drivers, object->driver_count);
    out.list(object->limits, object->driver_count);
  }
}

template <typename T>
void HostAnswers::put_next(Reader& in, Writer& out,
                           const T* (*next)(const berth_host* host, const T* after)) {
  put(out, next(services_.host, object<T>(in.get<uint32_t>())));
}

void HostAnswers::answer_volumes(Ask kind, Reader& in, Writer& out) {
  const berth_volumes_service& volumes = used(services_.volumes);
  const berth_host* host = services_.host;
  switch (kind) {
    case Ask::kVolumesVersion:
      return out.put(volumes.version(host));
    case Ask::kClaim: {
      const auto space = in.get<uint32_t>();
      return put(out, volumes.claim(host, space, in.get<uint32_t>()));
    }
    case Ask::kVolume:
      return put(out, volumes.volume(host, in.get<uint32_t>()));
    case Ask::kStorageClass:
      return put(out, volumes.storage_class(host, in.get<uint32_t>()));
    case Ask::kCsiDriver:
      return put(out, volumes.csi_driver(host, in.get<uint32_t>()));
    case Ask::kNextClaim:
      return put_next(in, out, volumes.next_claim);
    case Ask::kNextVolume:
      return put_next(in, out, volumes.next_volume);
    case Ask::kNextCsiNode:
      return put_next(in, out, volumes.next_csi_node);
    case Ask::kNextCapacity:
      return put_next(in, out, volumes.next_capacity);
    default:
      return put_next(in, out, volumes.next_attachment);
  }
}

void HostAnswers::change_volumes(Ask kind, Reader& in, Writer& out) {
  const berth_volumes_service& volumes = used(services_.volumes);
  const berth_host* host = services_.host;
  if (kind == Ask::kSelects || kind == Ask::kNodeMatches) {
    const auto first = in.get<uint32_t>(), second = in.get<uint32_t>();
    if (kind == Ask::kNodeMatches) return out.put(volumes.node_matches(host, first, second));
    const auto* claim = object<berth_claim>(first);
    const auto* volume = object<berth_volume>(second);
    const bool both = claim != nullptr && volume != nullptr;
    return out.put(both ? volumes.selects(host, claim, volume) : uint32_t{0});
  }
  if (kind == Ask::kWrittenClaim) {
    const auto space = in.get<uint32_t>();
    return put(out, volumes.written_claim(host, space, in.get<uint32_t>()));
  }
  if (kind == Ask::kWrittenVolume)
    return put(out, volumes.written_volume(host, in.get<uint32_t>()));
  const auto pod = in.get<uint64_t>();
  const auto name = in.get<uint32_t>();  // of the volume, or of the claim's namespace
  if (kind == Ask::kForgetVolume) return volumes.forget_volume(host, pod, name);
  const auto second = in.get<uint32_t>();
  if (kind == Ask::kForgetClaim) return volumes.forget_claim(host, pod, name, second);
  if (kind == Ask::kAssumeVolume || kind == Ask::kWriteVolume) {
    const auto* claim = object<berth_claim>(second);
    const auto function = kind == Ask::kAssumeVolume ? volumes.assume_volume : volumes.write_volume;
    return out.put(claim != nullptr ? function(host, pod, name, claim) : berth_code{BERTH_ERROR});
  }
  const auto function = kind == Ask::kAssumeClaim ? volumes.assume_claim : volumes.write_claim;
  out.put(function(host, pod, name, second, in.get<uint32_t>()));
}

}  // namespace berth::isolation
