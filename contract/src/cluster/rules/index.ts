import { checkDependencies } from "./check-dependencies.ts";
import { checkListKeys } from "./check-list-keys.ts";
import { checkBranchName, checkNameLength } from "./check-name.ts";
import { checkNetworks } from "./check-networks.ts";
import { checkAddresses, checkRoles, checkTopology } from "./check-nodes.ts";
import { checkPorts } from "./check-ports.ts";
import { checkPortTargets, checkProviderAbilities, checkProviderBlock } from "./check-provider.ts";
import { checkVersion } from "./check-version.ts";
import type { Rule } from "./rule.ts";

export const RULES: readonly Rule[] = [
  checkProviderBlock,
  checkProviderAbilities,
  checkNameLength,
  checkBranchName,
  checkVersion,
  checkNetworks,
  checkPorts,
  checkPortTargets,
  checkListKeys,
  checkRoles,
  checkAddresses,
  checkTopology,
  checkDependencies,
];
