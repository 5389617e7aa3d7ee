import { expect, it } from "vitest";
import { parseClusterQuery } from "./cluster-query.ts";

const ENGLISH = { Running: "Running", Unavailable: "Unavailable", Paused: "Paused" };
const CHINESE = { Running: "运行中", Unavailable: "不可用", Paused: "已暂停" };
const SYLLABLES = {
  ...{ yun: "运", xing: "行", zhong: "中", bu: "不", ke: "可", yong: "用", yi: "已", zan: "暂", ting: "停" },
};

it.each([
  ["", {}],
  ["  dev ", { search: "dev" }],
  ["label:env=prod", { selector: "env=prod" }],
  ["label:env=prod dev label:!legacy 12", { search: "dev 12", selector: "env=prod,!legacy" }],
  ["label:", {}],
  ["label:env=prod unavailable", { selector: "env=prod", word: ["unavailable:Unavailable"] }],
  ["Running paused dev", { search: "dev", word: ["Running:Running", "paused:Paused"] }],
  ["runnin running-1", { search: "runnin running-1" }],
])("reads %j", (text, query) => {
  const nothing = { search: undefined, selector: undefined, word: undefined };
  expect(parseClusterQuery(text, ENGLISH, {})).toEqual({ ...nothing, ...query });
});

it.each([
  ["不可用", ["不可用:Unavailable"]],
  ["bukeyong dev", ["bukeyong:Unavailable"]],
  ["bky", ["bky:Unavailable"]],
  ["yunxing yzt", ["yunxing:Running", "yzt:Paused"]],
  ["yun", undefined],
])("reads %j as it is typed for Chinese", (text, word) => {
  expect(parseClusterQuery(text, CHINESE, SYLLABLES).word).toEqual(word);
});
