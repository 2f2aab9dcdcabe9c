#include "tests/apiserver/verbs/remove.h"

#include <cmath>
#include <optional>
#include <vector>

#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/objects/time_text.h"
#include "tests/apiserver/verbs/budgets.h"
#include "tests/apiserver/verbs/read.h"

namespace berth::apiserver {
namespace {

struct DeleteOrder {
  std::optional<int64_t> grace_seconds;
  std::string uid, revision;  // that the object has to have; empty: any
};

DeleteOrder order_of(const json::value& options) {
  DeleteOrder order;
  const json::value* grace = find(options, "gracePeriodSeconds");
  if (grace != nullptr && grace->is_int64()) order.grace_seconds = grace->get_int64();
  order.uid = text_at(options, "preconditions.uid");
  order.revision = text_at(options, "preconditions.resourceVersion");
  return order;
}

DeleteOrder delete_order(const Call& call) {
  json::value options = json::object();
  if (!call.request.body.empty()) options = parse_object(call.request.body);
  if (array_at(options, "dryRun") != nullptr) throw bad_request("dryRun is not supported here");
  DeleteOrder order = order_of(options);
  if (!call.query("gracePeriodSeconds").empty()) {
    order.grace_seconds = static_cast<int64_t>(query_number(call, "gracePeriodSeconds", 0));
  }
  return order;
}

void require(const Resource& resource, const Object& object, const DeleteOrder& order) {
  const std::string_view uid = text_at(object.tree, "metadata.uid");
  const std::string_view revision = text_at(object.tree, "metadata.resourceVersion");
  std::string why;
  if (!order.uid.empty() && order.uid != uid) {
    why = "the UID in the precondition (" + order.uid + ") does not match the UID in record (" +
          std::string(uid) + "). The object might have been deleted and then recreated";
  } else if (!order.revision.empty() && order.revision != revision) {
    why = "the ResourceVersion in the precondition (" + order.revision +
          ") does not match the ResourceVersion in record (" + std::string(revision) +
          "). The object might have been modified";
  } else {
    return;
  }
  throw conflict(resource, resource.kind, text_at(object.tree, "metadata.name"), why);
}

bool is_deleted(const json::value& tree) {
  return !text_at(tree, "metadata.deletionTimestamp").empty();
}

// Seconds that a kubelet has to end the pod; 0: no kubelet has it.
int64_t grace_of(const json::value& pod, const DeleteOrder& order) {
  const std::string_view phase = text_at(pod, "status.phase");
  if (text_at(pod, "spec.nodeName").empty() || phase == "Failed" || phase == "Succeeded") return 0;
  const int64_t seconds =
      order.grace_seconds.value_or(number_at(pod, "spec.terminationGracePeriodSeconds", 0));
  return seconds < 0 ? 1 : seconds;
}

void mark_deleted(Core& core, json::value& tree, int64_t grace) {
  json::object& metadata = make_object(tree, "metadata");
  metadata["deletionTimestamp"] = time_text(core.clock.now() + grace * kSecond);
  metadata["deletionGracePeriodSeconds"] = grace;
  if (const int64_t generation = number_at(tree, "metadata.generation", 0); generation > 0) {
    metadata["generation"] = generation + 1;
  }
}

// The kubelet's part: the pod is deleted again, with a grace period of 0. Another pod of the name
// stays, and so does one whose grace period was cut: then another such call is on its way.
void end_later(Core& core, const Resource& pods, const Object& object, int64_t grace) {
  if (!core.options.grace_scale) return;
  const auto wait = static_cast<Nanoseconds>(
      std::llround(static_cast<double>(grace * kSecond) * *core.options.grace_scale));
  const std::string uid(text_at(object.tree, "metadata.uid"));
  core.at(core.clock.now() + wait, [&core, &pods, uid, key = object.version->key()] {
    Object* found = core.store.find(pods, key);
    if (found == nullptr || text_at(found->tree, "metadata.uid") != uid) return;
    make_object(found->tree, "metadata")["deletionGracePeriodSeconds"] = 0;
    if (may_go(found->tree)) {
      core.store.remove(pods, key);
    } else {
      core.store.write(pods, *found);
    }
  });
}

// The state of the object after it: the last one, or that in which it waits.
struct Deletion {
  VersionPtr version;
  bool gone;
};

Deletion delete_one(Core& core, const Resource& resource, Object& object,
                    const DeleteOrder& order) {
  require(resource, object, order);
  const std::string key = object.version->key();
  const int64_t grace = resource.kind == "Pod" ? grace_of(object.tree, order) : 0;
  const bool held = array_at(object.tree, "metadata.finalizers") != nullptr;
  if (grace == 0 && !held) return {core.store.remove(resource, key), true};
  // A second deletion may only shorten the wait.
  const int64_t left = number_at(object.tree, "metadata.deletionGracePeriodSeconds", 0);
  if (is_deleted(object.tree) && grace >= left) return {object.version, false};
  mark_deleted(core, object.tree, grace);
  core.store.write(resource, object);
  const VersionPtr version = object.version;
  if (grace != 0) end_later(core, resource, object, grace);
  return {version, false};
}

// Instead of the controller that empties a namespace: all that is in it goes at once.
void empty_namespace(Core& core, std::string_view name) {
  const std::string prefix = std::string(name) + "/";
  for (const Resource& resource : all_resources()) {
    if (!resource.namespaced || resource.view != View::kStored) continue;
    std::vector<std::string> keys;
    core.store.each(resource, prefix, [&](const Object& object) {
      keys.push_back(object.version->key());
      return true;
    });
    for (const std::string& key : keys) core.store.remove(resource, key);
  }
}

}  // namespace

bool may_go(const json::value& tree) {
  return is_deleted(tree) && array_at(tree, "metadata.finalizers") == nullptr &&
         number_at(tree, "metadata.deletionGracePeriodSeconds", 0) == 0;
}

Answer delete_object(Call& call) {
  const Resource& resource = call.resource();
  Object& object = object_of(call);
  const DeleteOrder order = delete_order(call);
  const std::string uid(text_at(object.tree, "metadata.uid"));
  if (resource.kind == "Namespace") {
    require(resource, object, order);
    empty_namespace(call.core, call.route.name);
  }
  const Deletion done = delete_one(call.core, resource, object, order);
  if (!done.gone || resource.kind == "Pod") return answer_with(call, *done.version);
  return {200, success_json(resource, call.route.name, uid)};
}

Answer delete_collection(Call& call) {
  const Resource& resource = call.resource();
  if (resource.namespaced && call.route.namespace_name.empty()) throw unsupported_method();
  if (resource.kind == "Namespace") throw unsupported_method();
  const DeleteOrder order = delete_order(call);
  const Selector selector = selector_of(call);
  std::vector<std::string> keys;
  call.core.store.each(resource, prefix_of(call), [&](const Object& object) {
    if (selector.matches(*object.version)) keys.push_back(object.version->key());
    return true;
  });
  for (const std::string& key : keys) {
    delete_one(call.core, resource, *call.core.store.find(resource, key), order);
  }
  return {200, success_json()};
}

Answer evict_pod(Call& call) {
  Object& pod = object_of(call);
  const json::value eviction = parse_object(call.request.body);
  if (const std::string_view name = text_at(eviction, "metadata.name");
      !name.empty() && name != call.route.name) {
    throw bad_request("name in URL does not match name in Eviction object");
  }
  const json::value* options = find(eviction, "deleteOptions");
  const DeleteOrder order = options == nullptr ? DeleteOrder() : order_of(*options);
  require(call.resource(), pod, order);
  take_disruption(call.core, pod);
  delete_one(call.core, call.resource(), pod, order);
  return {201, success_json()};
}

}  // namespace berth::apiserver
