import { type ErrorKind, errorKind } from "./error-kind.ts";

/** What can be wrong on a Docker host when a cluster is to be made there. */
export const HOST_ERRORS = {
  "docker-unreachable": errorKind(
    503,
    "Docker does not answer",
    true,
    "Start Docker on the host of the worker; `drover doctor` says what is missing there.",
  ),
  "program-missing": errorKind(
    422,
    "A program is not installed on the host of the worker",
    false,
    "Install it there, or add its folder to the search path of the worker; `drover doctor` says how. Then retry.",
  ),
  "name-taken": errorKind(
    409,
    "Somebody else has a cluster of this name on the host",
    false,
    "Choose another name, or import that cluster by its kubeconfig. Drover never touches what it did not make.",
  ),
  "port-taken": errorKind(
    409,
    "A port of the host is in use",
    true,
    "End the program that uses it, choose another port, or leave it out of the spec to get a free one.",
  ),
  "subnet-taken": errorKind(
    409,
    "A network of the host is in the way",
    true,
    "Choose another network, or leave it out of the spec to get a free one.",
  ),
  "image-missing": errorKind(
    422,
    "An image is not there and cannot be pulled",
    false,
    "Load it into Docker on the host, or name another image or version; then retry.",
  ),
  "image-differs": errorKind(
    422,
    "The node image holds another Kubernetes than declared",
    false,
    "Declare the version that the image holds, or an image of the declared version; then retry.",
  ),
  "host-full": errorKind(
    507,
    "There is no room left on the host",
    true,
    "Free disk space at the place that the message names; where Docker keeps its data, such as with `docker system prune`. Then retry.",
  ),
} as const satisfies Record<string, ErrorKind>;
