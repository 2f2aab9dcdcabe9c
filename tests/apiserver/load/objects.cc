#include "tests/apiserver/load/objects.h"

#include <fmt/format.h>

#include <string_view>

namespace berth::apiserver {
namespace {

constexpr std::string_view kNode = R"({{"metadata":{{"name":"n-{0}","labels":{{
"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64",
"kubernetes.io/os":"linux","kubernetes.io/hostname":"n-{0}",
"topology.kubernetes.io/region":"r","topology.kubernetes.io/zone":"z{1}"}}}},
"spec":{{"podCIDR":"10.0.0.0/24"}},"status":{{
"capacity":{{"cpu":"32","memory":"256Gi","ephemeral-storage":"100Gi","pods":"110"}},
"allocatable":{{"cpu":"32","memory":"256Gi","ephemeral-storage":"100Gi","pods":"110"}},
"conditions":[{{"type":"Ready","status":"True","reason":"KubeletReady"}}],
"nodeInfo":{{"architecture":"amd64","operatingSystem":"linux","kubeletVersion":"v1.36.2"}}}}}})";

constexpr std::string_view kPod =
    R"({{"metadata":{{"name":"p-{0}","generateName":"web-{1}-5d4f8c7b9-","labels":{{
"app":"web-{1}","pod-template-hash":"5d4f8c7b9"}},"ownerReferences":[{{"apiVersion":"apps/v1",
"kind":"ReplicaSet","name":"web-{1}-5d4f8c7b9","uid":"6a1ff0b8-12ab-4d9c-9d5e-0000000000aa",
"controller":true,"blockOwnerDeletion":true}}]}},"spec":{{"containers":[{{"name":"web",
"image":"registry.example.com/web:1.27","resources":{{"requests":{{"cpu":"100m",
"memory":"500Mi"}}}},"ports":[{{"containerPort":80,"protocol":"TCP"}}],"volumeMounts":[{{
"name":"kube-api-access","readOnly":true,"mountPath":
"/var/run/secrets/kubernetes.io/serviceaccount"}}],"terminationMessagePath":
"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}}],
"volumes":[{{"name":"kube-api-access","projected":{{"sources":[{{"serviceAccountToken":{{
"expirationSeconds":3607,"path":"token"}}}}],"defaultMode":420}}}}],"restartPolicy":"Always",
"terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default",
"securityContext":{{}},"schedulerName":"default-scheduler","tolerations":[{{
"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
"tolerationSeconds":300}},{{"key":"node.kubernetes.io/unreachable","operator":"Exists",
"effect":"NoExecute","tolerationSeconds":300}}],"enableServiceLinks":true}},"status":{{
"phase":"Pending","qosClass":"Burstable"}}}})";

constexpr size_t kZones = 3, kPodsOfDeployment = 100;

}  // namespace

std::string load_node(size_t number) { return fmt::format(kNode, number, number % kZones); }

std::string load_pod(size_t number) {
  return fmt::format(kPod, number, number / kPodsOfDeployment);
}

}  // namespace berth::apiserver
