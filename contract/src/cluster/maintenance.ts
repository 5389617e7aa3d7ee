import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import { cron, duration, text } from "./scalars.ts";

const schedule = z.strictObject({
  hibernate: describe(cron, "When to stop the cluster, in cron's five fields.", { form: { widget: "cron" } }),
  wake: describe(cron, "When to start it again.", { form: { widget: "cron" } }).optional(),
  timezone: describe(
    defaulted(
      "spec.maintenance.schedule.timezone",
      text(64, /^[A-Za-z][A-Za-z0-9_+-]*([/][A-Za-z0-9_+-]+)*$/, "timezone"),
    ),
    "Time zone of both, by its IANA name.",
  ),
});

export const maintenance = z.strictObject({
  paused: describe(defaulted("spec.maintenance.paused", z.boolean()), "Observe, but change nothing."),
  protected: describe(defaulted("spec.maintenance.protected", z.boolean()), "Refuse deletion."),
  ttl: describe(duration, "Delete the cluster this long after it was made; a warning comes before.").optional(),
  schedule: describe(schedule, "Stop and start by the clock.").optional(),
  selfHeal: describe(
    defaulted("spec.maintenance.selfHeal", z.enum(["repair", "report"])),
    "What to do about drift: repair it as an ordinary job, or only report it.",
  ),
});
