import { expect, it } from "vitest";
import { describeReason } from "./describe-error.ts";
import { en } from "./en/index.ts";
import { zhCn } from "./zh-cn/index.ts";

it("says why a machine is out of reach in the reader's language, with what the server saw", () => {
  const machine = { reason: "timed-out", message: "10.0.0.7:22 did not answer." } as const;
  expect(describeReason(en, machine)).toBe("10.0.0.7:22 did not answer.");
  expect(describeReason(zhCn, machine)).toBe("机器未及时响应（10.0.0.7:22 did not answer.）");
  expect(describeReason(zhCn, { reason: null, message: "Odd." })).toBe("Odd.");
});

it("says on which side of the worker's a clock is", () => {
  expect([en.machines.skew(-3), en.machines.skew(3)]).toEqual(["3 ms behind the worker", "3 ms ahead of the worker"]);
  expect([zhCn.machines.skew(-3), zhCn.machines.skew(3)]).toEqual(["比工作进程慢 3 毫秒", "比工作进程快 3 毫秒"]);
});
