import { expect, it } from "vitest";
import { archiveName, fullName } from "./preload-ssh-images.ts";

it.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1.27", "docker.io/library/nginx:1.27"],
  ["team/app", "docker.io/team/app:latest"],
  ["localhost/app:1", "localhost/app:1"],
  ["registry.example.com:5000/app", "registry.example.com:5000/app:latest"],
  ["ghcr.io/team/app@sha256:abc", "ghcr.io/team/app@sha256:abc"],
])("names %s as containerd does", (image, name) => {
  expect(fullName(image)).toBe(name);
});

it("finds the archive of an image by its name", () => {
  expect(archiveName("ghcr.io/team/app:1.2")).toBe("ghcr.io_team_app_1.2.tar");
});
