import { lastName, type Rule } from "./rule.ts";

/** The environment is read in one place, the options table; everything else is given what it needs. */
export const environmentInConfig: Rule = {
  name: "environment-in-config",
  covers: (file) => /^(contract|drover|web)\/src\//.test(file) && !/^drover\/src\/config\/|\.test\.tsx?$/.test(file),
  visit: (report) => ({
    MemberExpression: (node) => {
      if (lastName(node) !== "env" || lastName(node.object) !== "process") return;
      report(node, "only drover/src/config reads the environment; add an option to its table");
    },
    ImportDeclaration: (node) => {
      if (node.source.value !== "node:process") return;
      report(node, "use the global process, so that this rule can see what is read of it");
    },
  }),
};
