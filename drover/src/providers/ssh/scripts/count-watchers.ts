import type { Script } from "./script.ts";

/**
 * How many clients watch all pods, and how many all EndpointSlices: kubelets, kube-proxies, controllers. Arguments: kubectl
 * with whatever it takes to reach the API server. Says nothing where nobody answers.
 */
export const COUNT_WATCHERS: Script = {
  name: "drover-count-watchers",
  text: `set -u
"$@" --request-timeout 5s get --raw /metrics 2>/dev/null | awk '
  /^apiserver_longrunning_requests\\{/ && /scope="cluster"/ && /verb="WATCH"/ {
    if (/resource="pods"/) pods += $NF
    if (/resource="endpointslices"/) slices += $NF
  }
  END { if (NR > 0) print pods + 0, slices + 0 }'
`,
};
