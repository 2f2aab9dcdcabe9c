#include "engine/ingest/watch/watch_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/ingest/admission/match_label_keys.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

constexpr size_t kPiece = size_t{1} << 16;
constexpr size_t kPodsTogether = 4096;

// Labels that differ from pod to pod, so that templates are to do without them.
constexpr std::array<std::string_view, 6> kOwnLabels = {"apps.kubernetes.io/pod-index",
                                                        "batch.kubernetes.io/controller-uid",
                                                        "batch.kubernetes.io/job-name",
                                                        "controller-uid",
                                                        "job-name",
                                                        "statefulset.kubernetes.io/pod-name"};

std::string_view text_of(Value value) {
  return value.is(Kind::kString) ? value.as_string() : std::string_view();
}

bool is_own(const std::string& key) {
  return std::ranges::find(kOwnLabels, key) != kOwnLabels.end();
}

}  // namespace

bool begins_like_watch(std::string_view beginning) {
  const auto skip_blanks = [&] {
    beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  };
  skip_blanks();
  if (!beginning.starts_with('{')) return false;
  beginning.remove_prefix(1);
  skip_blanks();
  return beginning.starts_with("\"type\"");
}

WatchStream::WatchStream(ByteSource& source, Diagnostics& diagnostics, bool strict)
    : source_(source), diagnostics_(diagnostics), strict_(strict), stream_(frames_) {}

size_t WatchStream::read(std::span<uint8_t> out) {
  while (given_ == frames_.bytes().size()) {
    if (ended_) return 0;
    frames_.clear();
    given_ = 0;
    std::string line;
    if (read_line(line)) {
      take_line(line);
    } else {
      stream_.end();
      ended_ = true;
    }
  }
  const size_t count = std::min(out.size(), frames_.bytes().size() - given_);
  std::memcpy(out.data(), frames_.bytes().data() + given_, count);
  given_ += count;
  return count;
}

bool WatchStream::fill() {
  buffer_.resize(kPiece);
  buffer_.resize(source_.read(buffer_));
  at_ = 0;
  return !buffer_.empty();
}

// A line that is too long is read to its end, and its beginning given out.
bool WatchStream::read_line(std::string& line) {
  for (bool any = false;;) {
    if (at_ == buffer_.size() && !fill()) {
      line_ += any;
      return any;
    }
    any = true;
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find(begin, buffer_.end(), uint8_t{'\n'});
    if (line.size() <= kMaxLine) line.append(begin, end);
    at_ = static_cast<size_t>(end - buffer_.begin());
    if (end == buffer_.end()) continue;
    ++at_;
    ++line_;
    return true;
  }
}

void WatchStream::report(const Error& error) {
  Place place = error.place();
  place.file = name();
  place.line = line_;
  Error placed(std::move(place), error.message());
  if (strict_) throw placed;
  diagnostics_.report(std::move(placed));
}

void WatchStream::take_line(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return;
  if (line.size() > kMaxLine) {
    ++rejected_pods_;
    return report(Error("the line has more than " + std::to_string(kMaxLine) + " bytes"));
  }
  Diagnostics found;
  const document::Document document = document::Document::parse(line, name(), found);
  if (found.count() == 0 && document.roots().size() == 1) {
    const Value root = document.roots()[0];
    const std::string_view type = text_of(root.find("type"));
    const Value object = root.find("object");
    if (type == "BOOKMARK") return stream_.write_pods();
    if (type == "ADDED") {
      take(Type::kAdded, object, found);
    } else if (type == "MODIFIED") {
      take(Type::kModified, object, found);
    } else if (type == "DELETED") {
      take(Type::kDeleted, object, found);
    } else {
      Place place = root.place();
      place.field = "type";
      found.report(
          Error(std::move(place), "expected ADDED, MODIFIED, DELETED or BOOKMARK, with an object"));
    }
  } else if (found.count() == 0) {
    found.report(Error("expected one JSON object a line"));
  }
  if (found.count() == 0) return;
  ++rejected_pods_;
  for (const Error& error : found.kept()) report(error);
}

void WatchStream::take(Type type, Value object, Diagnostics& found) {
  if (!object.is(Kind::kObject)) {
    Place place = object.place();
    place.field = "object";
    return found.report(Error(std::move(place), "expected a Kubernetes object"));
  }
  const std::string_view kind = text_of(object.find("kind"));
  if (kind == "Pod") return take_pod(type, object, found);
  if (kind == "Node") return take_node(type, object, found);
  if (kind == "Namespace") return take_namespace(type, object, found);
  const auto set = selector_owner_kind(kind, text_of(object.find("apiVersion")));
  if (set) return take_selector_owner(type, *set, object, found);
  if (!unread_kinds_.emplace(kind).second) return;
  Place place = object.place();
  place.field = "object.kind";
  report(Error(std::move(place), "objects of kind \"" + std::string(kind) +
                                     "\" are not read; this line and others of that kind are "
                                     "passed over"));
}

// A thing that happened, after the pods that came before it.
void WatchStream::happen(Event event) {
  stream_.write_pods();
  scene_ = false;
  stream_.events({&event, 1});
}

TemplatePod WatchStream::shared(model::Pod pod) const {
  TemplatePod result;
  result.namespace_name = std::move(pod.namespace_name);
  result.name = std::move(pod.name);
  result.uid = std::move(pod.uid);
  result.controller = std::move(pod.controller);
  result.node_name = std::exchange(pod.spec.node_name, {});
  result.phase = pod.phase;
  result.nominated_node_name = std::move(pod.nominated_node_name);
  result.terminating = pod.terminating;
  result.spec = std::make_shared<model::PodSpec>(std::move(pod.spec));
  return result;
}

void WatchStream::add_waiting(model::Pod pod) {
  scene_ = false;
  model::StringMap own;
  if (!has_label_keys(pod.spec.affinity)) {
    std::erase_if(pod.spec.labels, [&](const auto& label) {
      if (!is_own(label.first)) return false;
      own.push_back(label);
      return true;
    });
  }
  const std::vector<std::pair<std::string_view, std::string_view>> labels(own.begin(), own.end());
  StreamPod to;
  to.template_id = stream_.template_id(pod.spec);
  to.namespace_name = pod.namespace_name;
  to.name = pod.name;
  to.uid = pod.uid;
  to.nominated_node = pod.nominated_node_name;
  to.labels = labels;
  to.controller = pod.controller ? &*pod.controller : nullptr;
  if (!stream_.add_pod(to)) {
    stream_.write_pods();
    stream_.add_pod(to);
  }
  if (stream_.waiting_pods() == kPodsTogether) stream_.write_pods();
}

void WatchStream::take_pod(Type type, Value object, Diagnostics& found) {
  std::optional<model::Pod> pod = decode_pod(object, found);
  if (!pod) return;
  if (type == Type::kDeleted) return happen(PodDeleted{pod->namespace_name, pod->name});
  if (type == Type::kModified) {
    if (pod->finished()) return happen(PodFinished{pod->namespace_name, pod->name});
    return happen(PodUpdated{shared(std::move(*pod))});
  }
  if (!pod->bound() && !pod->finished() && !pod->terminating) {
    try {
      return add_waiting(std::move(*pod));
    } catch (const Error& error) {
      return found.report(error);
    }
  }
  if (!scene_ && pod->bound() && !pod->finished())
    return happen(PodPlaced{shared(std::move(*pod))});
  stream_.write_pods();
  stream_.cluster({}, {}, {&*pod, 1});
}

void WatchStream::take_node(Type type, Value object, Diagnostics& found) {
  std::optional<model::Node> node = decode_node(object, found);
  if (!node) return;
  if (type == Type::kDeleted) return happen(NodeDeleted{node->name});
  if (type == Type::kModified) return happen(NodeUpdated{std::move(*node)});
  if (!scene_) return happen(NodeAdded{std::move(*node)});
  stream_.cluster({&*node, 1}, {}, {});
}

void WatchStream::take_namespace(Type type, Value object, Diagnostics& found) {
  std::optional<model::Namespace> space = decode_namespace(object, found);
  if (!space) return;
  if (type == Type::kDeleted) return happen(NamespaceDeleted{space->name});
  if (type == Type::kModified) return happen(NamespaceUpdated{std::move(*space)});
  if (!scene_) return happen(NamespaceAdded{std::move(*space)});
  stream_.cluster({}, {&*space, 1}, {});
}

void WatchStream::take_selector_owner(Type type, model::SelectorOwnerKind kind, Value object,
                                      Diagnostics& found) {
  std::optional<model::SelectorOwner> set = decode_selector_owner(object, kind, found);
  if (!set) return;
  if (type == Type::kDeleted)
    return happen(SelectorOwnerDeleted{kind, set->namespace_name, set->name});
  if (type == Type::kModified) return happen(SelectorOwnerUpdated{std::move(*set)});
  if (!scene_) return happen(SelectorOwnerAdded{std::move(*set)});
  stream_.cluster({}, {}, {}, {&*set, 1});
}

}  // namespace berth::ingest
