import { flagsOf, K3dFailure, type K3dRun } from "./run.ts";

/** Images that Docker does not have are a warning; only when none is left it is a failure. */
export async function importImages(run: K3dRun, args: readonly string[]): Promise<void> {
  const [cluster = ""] = flagsOf(args, "--cluster");
  const images = args.slice(0, args.indexOf("--cluster"));
  await run.say(`Importing image(s) into cluster '${cluster}'`);
  const listed = (await run.docker.ask("GET", "/images/json")) as readonly { RepoTags: readonly string[] }[];
  const known = new Set(listed.flatMap(({ RepoTags }) => RepoTags));
  const found = images.filter((image) => known.has(image));
  for (const image of images.filter((one) => !known.has(one))) {
    await run.say(`Image '${image}' is not a file and couldn't be found in the container runtime`, "warning");
  }
  if (found.length === 0) {
    await run.say(`Failed to import image(s) into cluster '${cluster}': no valid images specified`, "error");
    throw new K3dFailure();
  }
  const nodes = (await run.docker.list(cluster)).filter(({ Labels }) =>
    /^(server|agent)$/.test(Labels["k3d.role"] ?? ""),
  );
  for (const { Id, Names } of nodes) {
    await run.say(`Importing images from tarball '/k3d/images/images.tar' into node '${Names[0]?.slice(1)}'...`);
    for (const image of found) await run.docker.put(Id, `/fake/images/${image.replaceAll(/[/:]/g, "_")}`, "");
  }
  await run.say("Successfully imported image(s)");
}
