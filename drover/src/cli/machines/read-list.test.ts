import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { makeTestTerminal } from "../../../test/terminal.ts";
import { readMachineList } from "./read-list.ts";

const { terminal } = makeTestTerminal();
const folder = makeTempFolder("list");
const read = async (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return await readMachineList(join(folder, name), terminal);
};

it("reads a table with a line of titles, in any order", async () => {
  const text =
    "address, name,port,labels,sudo,credential,bastion\n# ours\n10.0.0.1,web-1,2222,rack=a;env=dev,password:root-pw,ssh-key:id,ops@jump:2200\n\n10.0.0.2,web-2\n";
  expect(await read("list.csv", text)).toEqual([
    {
      ...{ name: "web-1", address: "10.0.0.1", port: 2222, labels: { rack: "a", env: "dev" } },
      sudo: { mode: "password", credential: { name: "root-pw" } },
      credential: { name: "ssh-key", key: "id" },
      bastion: { user: "ops", address: "jump", port: 2200 },
    },
    { name: "web-2", address: "10.0.0.2" },
  ]);
});

it("reads YAML and JSON, as a list or under machines", async () => {
  const machine = { name: "web-1", address: "10.0.0.1" };
  expect(await read("a.yaml", "- { name: web-1, address: 10.0.0.1 }\n")).toEqual([machine]);
  expect(await read("b.yaml", "machines:\n- { name: web-1, address: 10.0.0.1 }\n")).toEqual([machine]);
  expect(await read("c.json", JSON.stringify([machine]))).toEqual([machine]);
});

it.each([
  ["unknown.csv", "name,adress\na,b\n", "no column adress"],
  ["wide.csv", "name\na,b\n", ":2: there are more cells"],
  ["empty.csv", "name,address\n", "There is no machine"],
  ["sudo.csv", "name,sudo\na,maybe\n", "passwordless"],
  ["other.yaml", "name: web-1\n", "a list of machines"],
  ["broken.yaml", "- [\n", "broken.yaml"],
])("refuses %s with the reason", async (name, text, why) => {
  await expect(read(name, text)).rejects.toThrow(why);
});
