#ifndef BERTH_ABI_RULES_H_
#define BERTH_ABI_RULES_H_

#include "berth/abi/host.h"

/*
 * The rules by which the host decides: those of one version of kube-scheduler, as its feature gates
 * switch them. A plugin that follows several versions asks for each rule once, in `init`. Draft.
 */

/* Since ABI 1.3. */
#define BERTH_RULES_SERVICE "berth.rules/0"

/* Since ABI 1.3. Answers of `holds`. */
#define BERTH_RULE_NO 0
#define BERTH_RULE_YES 1
#define BERTH_RULE_UNKNOWN 2 /* the host has no rule of that name */

/* Since ABI 1.3. */
typedef struct berth_rules_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] Whether the rule holds in this run. Names are listed in the host's documentation; a rule
     that a feature gate switches has the gate's name. The answer stays as it is for the life of the
     instance. */
  int32_t (*holds)(const berth_host* host, berth_string name);
  /* [init] Writes the version of Kubernetes, "1.34". The text is valid until `destroy` returns. */
  void (*version)(const berth_host* host, berth_string* version);
} berth_rules_service;

#endif /* BERTH_ABI_RULES_H_ */
