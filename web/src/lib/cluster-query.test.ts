import { expect, it } from "vitest";
import { parseClusterQuery } from "./cluster-query.ts";

const ENGLISH = { phase: { Running: "Running", Unavailable: "Unavailable" }, modifier: { Paused: "Paused" } };
const CHINESE = { phase: { Running: "运行中", Unavailable: "不可用" }, modifier: { Paused: "已暂停" } };
const SYLLABLES = {
  ...{ yun: "运", xing: "行", zhong: "中", bu: "不", ke: "可", yong: "用", yi: "已", zan: "暂", ting: "停" },
};

it.each([
  ["", {}],
  ["  dev ", { search: "dev" }],
  ["label:env=prod", { selector: "env=prod" }],
  ["label:env=prod dev label:!legacy 12", { search: "dev 12", selector: "env=prod,!legacy" }],
  ["label:", {}],
  ["label:env=prod unavailable", { selector: "env=prod", named: { phase: ["Unavailable"] } }],
  ["Running paused dev", { search: "dev", named: { phase: ["Running"], modifier: ["Paused"] } }],
  ["runnin running-1", { search: "runnin running-1" }],
])("reads %j", (text, query) => {
  const nothing = { search: undefined, selector: undefined, named: {} };
  expect(parseClusterQuery(text, ENGLISH, {})).toEqual({ ...nothing, ...query });
});

it.each([
  ["不可用", { phase: ["Unavailable"] }],
  ["bukeyong dev", { phase: ["Unavailable"] }],
  ["bky", { phase: ["Unavailable"] }],
  ["yunxing yzt", { phase: ["Running"], modifier: ["Paused"] }],
  ["yun", {}],
])("reads %j as it is typed for Chinese", (text, named) => {
  expect(parseClusterQuery(text, CHINESE, SYLLABLES).named).toEqual(named);
});
