import { expect, it } from "vitest";
import { parseClusterQuery } from "./cluster-query.ts";

it.each([
  ["", { search: undefined, selector: undefined }],
  ["  dev ", { search: "dev", selector: undefined }],
  ["label:env=prod", { search: undefined, selector: "env=prod" }],
  ["label:env=prod dev label:!legacy 12", { search: "dev 12", selector: "env=prod,!legacy" }],
  ["label:", { search: undefined, selector: undefined }],
])("reads %j", (text, query) => {
  expect(parseClusterQuery(text)).toEqual(query);
});
