import { makeProblem, type Problem, type SshSpec } from "@drover/contract";

const OTHER_ARCHIVES = /\.(?:zst|xz|bz2|lz4|zip|7z)$/;

export function validateArtifacts(artifacts: SshSpec["artifacts"]): readonly Problem[] {
  if (artifacts === undefined) return [];
  const { source, location, credential } = artifacts;
  const refuse = (field: string, message: string): readonly Problem[] => [
    makeProblem(`spec.ssh.artifacts.${field}`, "field-unsupported", message),
  ];
  if (source === "directory") {
    return credential === undefined
      ? []
      : refuse("credential", "A folder beside the worker is read without one: leave it out.");
  }
  if (!URL.canParse(location)) return refuse("location", "This is no address: write it as https://host/path.");
  const { username, password, pathname, hash } = new URL(location);
  return [
    ...(username !== "" || password !== ""
      ? refuse(
          "location",
          "Keep user and password out of the address: put them into a secret, and name it in credential.",
        )
      : []),
    ...(hash !== "" ? refuse("location", "What comes after # is not sent: leave it out.") : []),
    ...(source === "url" && OTHER_ARCHIVES.test(pathname)
      ? refuse("location", "Archives are read as .tar or .tar.gz: pack it anew, or unpack it on a mirror.")
      : []),
    ...(source === "url" && pathname.endsWith("/")
      ? refuse("location", "A url is the address of one archive: name it, or set the source to mirror.")
      : []),
  ];
}
