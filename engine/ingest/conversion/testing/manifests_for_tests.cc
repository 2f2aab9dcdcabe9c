#include "engine/ingest/conversion/testing/manifests_for_tests.h"

#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace berth::ingest {
namespace {

// JSON members that a container may have besides its name.
constexpr std::string_view kOfContainer[] = {
    R"("image":"registry.example/app:v1.2")",
    R"("imagePullPolicy":"Always")",
    R"("command":["/bin/app"],"args":["--x=1","y"])",
    R"("workingDir":"/")",
    R"("env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}])",
    R"("envFrom":[{"configMapRef":{"name":"c"}},{"secretRef":{"name":"s"},"prefix":"p"}])",
    R"("volumeMounts":[{"name":"config","mountPath":"/etc/config","readOnly":true}])",
    R"("livenessProbe":{"httpGet":{"path":"/","port":"http"},"periodSeconds":5})",
    R"("readinessProbe":{"tcpSocket":{"port":80}})",
    R"("startupProbe":{"exec":{"command":["true"]}})",
    R"("lifecycle":{"preStop":{"exec":{"command":["sleep","5"]}}})",
    R"("securityContext":{"runAsNonRoot":true,"capabilities":{"drop":["ALL"]}})",
    R"("terminationMessagePath":"/dev/log","terminationMessagePolicy":"File")",
    R"("stdin":true,"tty":true)",
};

constexpr std::string_view kPorts[] = {
    R"({"containerPort":8080})",
    R"({"name":"http","containerPort":80,"protocol":"TCP"})",
    R"({"name":"dns","containerPort":53,"protocol":"UDP"})",
    R"({"containerPort":9000,"hostPort":9000})",
    R"({"containerPort":9001,"hostPort":9002,"hostIP":"10.0.0.1","protocol":"SCTP"})",
    R"({"containerPort":70,"hostIP":"10.0.0.1"})",
};

constexpr std::string_view kResources[] = {
    R"({})",
    R"({"requests":{"cpu":"100m","memory":"64Mi"}})",
    R"({"limits":{"cpu":"1","memory":"1Gi","example.com/gpu":"1"}})",
    R"({"requests":{"cpu":"0.5"},"limits":{"cpu":"750m","ephemeral-storage":"1Gi"}})",
    R"({"requests":{"cpu":"1","hugepages-2Mi":"4Mi"},"limits":{"hugepages-2Mi":"4Mi"}})",
};

// Members of a volume besides its name.
constexpr std::string_view kVolumes[] = {
    R"("emptyDir":{"medium":"Memory","sizeLimit":"1Gi"})",
    R"("hostPath":{"path":"/var/log","type":"Directory"})",
    R"("configMap":{"name":"c","items":[{"key":"k","path":"p"}]})",
    R"("secret":{"secretName":"s","defaultMode":420})",
    R"("projected":{"sources":[{"serviceAccountToken":{"path":"token"}}]})",
    R"("downwardAPI":{"items":[{"path":"l","fieldRef":{"fieldPath":"metadata.labels"}}]})",
    R"("persistentVolumeClaim":{"claimName":"data"})",
    R"("ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}})",
    R"("csi":{"driver":"inline.csi.example","volumeAttributes":{"a":"b"}})",
    R"("image":{"reference":"registry.example/data:v1"})",
    R"("nfs":{"server":"a","path":"/"})",
    R"("awsElasticBlockStore":{"volumeID":"vol-1"})",
    R"("gcePersistentDisk":{"pdName":"disk-1","readOnly":true})",
    R"("azureDisk":{"diskName":"d","diskURI":"/d"})",
    R"("cinder":{"volumeID":"c-1"})",
    R"("rbd":{"monitors":["m:1"],"image":"i","pool":"p"})",
    R"("iscsi":{"targetPortal":"10.0.0.2:1","iqn":"iqn.2001-04.com.example:x","lun":0})",
    R"("portworxVolume":{"volumeID":"p-1"})",
};

// A class decides on both others.
constexpr std::string_view kPriorities[] = {
    R"("priority":7)",
    R"("priority":8,"preemptionPolicy":"Never")",
    R"("priorityClassName":"system-node-critical")",
};

// Members of a pod's spec.
constexpr std::string_view kOfSpec[] = {
    R"("schedulerName":"default-scheduler")",
    R"("nodeSelector":{"zone":"a"})",
    R"("nodeSelector":{})",
    R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]},{"key":"cores","operator":"Gt","values":["2"]}]},{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]},"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"preference":{"matchExpressions":[{"key":"disk","operator":"Exists"}]}}]}})",
    R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"w"}},"namespaces":["default"],"matchLabelKeys":["version"]}]},"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":9,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname","namespaceSelector":{},"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["x"]}]}}}]}})",
    R"("tolerations":[{"operator":"Exists"},{"key":"a","value":"b","effect":"NoSchedule"},{"key":"c","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}])",
    R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"w"}},"minDomains":2,"nodeAffinityPolicy":"Ignore","nodeTaintsPolicy":"Honor","matchLabelKeys":["version"]}])",
    R"("schedulingGates":[{"name":"example.com/wait"}])",
    R"("terminationGracePeriodSeconds":5)",
    R"("restartPolicy":"Never","activeDeadlineSeconds":60)",
    R"("hostNetwork":false,"hostPID":true,"dnsPolicy":"ClusterFirst")",
    R"("securityContext":{"fsGroup":1,"seccompProfile":{"type":"RuntimeDefault"}})",
    R"("serviceAccountName":"sa","automountServiceAccountToken":false)",
    R"("imagePullSecrets":[{"name":"s"}],"enableServiceLinks":false)",
    R"("hostAliases":[{"ip":"10.0.0.3","hostnames":["h"]}],"hostname":"h","subdomain":"s")",
    R"("readinessGates":[{"conditionType":"example.com/ready"}])",
    R"("resources":{"requests":{"cpu":"20","memory":"64Gi"},"limits":{"cpu":"30","memory":"64Gi"}})",
};

// Members of the metadata of a live pod, and of one that is written by hand.
constexpr std::string_view kOfMetadata[] = {
    R"("labels":{"app":"w","version":"1"})",
    R"("annotations":{"example.com/note":"any text"})",
    R"("finalizers":["example.com/hold"])",
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"r-1","controller":true,"blockOwnerDeletion":true}])",
    R"("ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"","controller":true},{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u"}])",
};
constexpr std::string_view kOfLive =
    R"("uid":"%","resourceVersion":"12","generation":1,"creationTimestamp":"2026-01-02T03:04:05Z","managedFields":[{"manager":"kubectl","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}])";
constexpr std::string_view kStatuses[] = {
    R"({"phase":"Pending","qosClass":"Burstable","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}]})",
    R"({"phase":"Pending","nominatedNodeName":"n1"})",
    R"({"phase":"Running","podIP":"10.1.0.1","hostIP":"10.0.0.1","startTime":"2026-01-02T03:04:06Z","containerStatuses":[{"name":"c0","ready":true,"restartCount":1,"image":"i","imageID":"d","started":true,"resources":{"requests":{"cpu":"200m"}},"allocatedResources":{"cpu":"200m"}}]})",
};

class Manifests {
 public:
  explicit Manifests(uint64_t seed) : draws_(seed) {}

  std::string list() {
    constexpr int kNodes = 3, kPods = 12;
    std::string items;
    for (int i = 0; i < kNodes; ++i) items += node(i) + ",";
    for (int i = 0; i < kPods; ++i) items += pod(i) + (i + 1 < kPods ? "," : "");
    return R"({"apiVersion":"v1","kind":"List","items":[)" + items + "]}";
  }

 private:
  bool one_in(uint64_t n) { return draws_() % n == 0; }
  template <typename List>
  std::string_view any(const List& list) {
    return list[draws_() % std::size(list)];
  }

  static void add(std::string& to, std::string_view more) {
    if (!to.empty()) to += ',';
    to += more;
  }
  // Each member of the list with a chance of one in `n`; of those of one name the first.
  template <typename List>
  std::string some(const List& list, uint64_t n) {
    std::string text;
    std::vector<std::string_view> names;
    for (const std::string_view member : list) {
      const std::string_view name = member.substr(0, member.find(':'));
      bool known = false;
      for (const std::string_view other : names) known = known || other == name;
      if (known || !one_in(n)) continue;
      names.push_back(name);
      add(text, member);
    }
    return text;
  }

  std::string container(const std::string& name, bool ports) {
    std::string text = R"("name":")" + name + '"';
    if (const std::string more = some(kOfContainer, 3); !more.empty()) add(text, more);
    if (ports && one_in(2)) {
      std::string list;
      for (const std::string_view port : kPorts)
        if (one_in(3)) add(list, port);
      add(text, R"("ports":[)" + list + "]");
    }
    if (one_in(2)) add(text, R"("resources":)" + std::string(any(kResources)));
    return text;
  }

  std::string volumes() {
    std::string list;
    int number = 0;
    for (const std::string_view volume : kVolumes)
      if (one_in(6))
        add(list, R"({"name":"v)" + std::to_string(number++) + R"(",)" + std::string(volume) + "}");
    return R"("volumes":[)" + list + "]";
  }

  std::string spec(bool placed) {
    std::string text = some(kOfSpec, 4);
    if (one_in(3)) add(text, any(kPriorities));
    add(text, R"("containers":[{)" + container("c0", true) + "}" +
                  (one_in(2) ? ",{" + container("c1", false) + "}" : "") + "]");
    if (one_in(3))
      add(text, R"("initContainers":[{)" + container("i0", false) +
                    R"(},{"restartPolicy":"Always",)" + container("i1", false) + "}]");
    if (one_in(2)) add(text, volumes());
    if (placed) add(text, R"("nodeName":"n0")");
    return text;
  }

  std::string pod(int number) {
    const bool live = one_in(3), placed = live && one_in(2);
    const std::string name = "p" + std::to_string(number);
    std::string metadata = R"("name":")" + name + '"';
    if (one_in(3)) add(metadata, R"("namespace":"team")");
    if (const std::string more = some(kOfMetadata, 3); !more.empty()) add(metadata, more);
    if (live) {
      std::string text(kOfLive);
      text.replace(text.find('%'), 1, "uid-" + name);
      add(metadata, text);
    }
    std::string text = R"({"apiVersion":"v1","kind":"Pod","metadata":{)" + metadata +
                       R"(},"spec":{)" + spec(placed) + "}";
    if (live)
      text += R"(,"status":)" + std::string(placed ? kStatuses[2] : kStatuses[draws_() % 2]);
    return text + "}";
  }

  std::string node(int number) {
    std::string spec;
    if (one_in(3)) add(spec, R"("unschedulable":true)");
    if (one_in(3))
      add(spec,
          R"("taints":[{"key":"a","value":"b","effect":"NoSchedule"},{"key":"c","effect":"NoExecute"}])");
    if (one_in(2)) add(spec, R"("podCIDR":"10.1.0.0/24","providerID":"x://n")");
    const std::string amounts =
        R"({"cpu":"64","memory":"512Gi","pods":"110","example.com/gpu":"8","hugepages-2Mi":"1Gi","ephemeral-storage":"100Gi"})";
    std::string status = R"("capacity":)" + amounts;
    if (one_in(2)) add(status, R"("allocatable":)" + amounts);
    if (one_in(2))
      add(status, R"("images":[{"names":["registry.example/app:v1.2"],"sizeBytes":1000000}])");
    if (one_in(2))
      add(status,
          R"("addresses":[{"type":"InternalIP","address":"10.0.0.1"}],"nodeInfo":{"kernelVersion":"6.1"})");
    return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n)" + std::to_string(number) +
           R"(","labels":{"zone":"a","kubernetes.io/hostname":"n)" + std::to_string(number) +
           R"("},"annotations":{"x":"y"}},"spec":{)" + spec + R"(},"status":{)" + status + "}}";
  }

  std::mt19937_64 draws_;
};

}  // namespace

std::string drawn_manifests(uint64_t seed) { return Manifests(seed).list(); }

}  // namespace berth::ingest
