import { en } from "../en/index.ts";
import type { Messages } from "../messages.ts";

export const zhCn: Messages = en;
