import { askDocker, KindFailure, say } from "./docker.mjs";
import { containersOf, putFile } from "./nodes.mjs";

/** Each node has a list of what was loaded into it. */
export async function loadImages(cluster, images) {
  const present = (await askDocker("GET", "/images/json")).flatMap(({ RepoTags }) => RepoTags);
  for (const image of images)
    if (!present.includes(image)) throw new KindFailure(`image: "${image}" not present locally`);
  const nodes = (await containersOf(cluster)).filter(({ Labels }) => !/balancer/.test(Labels["io.x-k8s.kind.role"]));
  if (nodes.length === 0) throw new KindFailure(`no nodes found for cluster "${cluster}"`);
  for (const { Names } of nodes) {
    const node = Names[0].slice(1);
    for (const image of images)
      say(`Image: "${image}" with ID "sha256:00" not yet present on node "${node}", loading...`);
    await putFile(node, "/kind/loaded-images", JSON.stringify(images));
  }
}
