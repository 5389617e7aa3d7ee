// Writes docs/states.md from the transition table; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ActualState, Phase } from "@drover/contract";
import { PHASES } from "@drover/contract";
import type { ClusterEvent } from "../src/domain/cluster-events.ts";
import { CLUSTER_EVENTS, JOB_EVENTS, OBSERVATION_EVENTS, REQUEST_EVENTS } from "../src/domain/cluster-events.ts";
import { actualStateOf, isReady } from "../src/domain/phase.ts";
import type { Answer, Cell, Stage } from "../src/domain/transition.ts";
import { STAGES } from "../src/domain/transition.ts";
import { listEdges, TRANSITIONS } from "../src/domain/transitions.ts";

const FILE = fileURLToPath(new URL("../../docs/states.md", import.meta.url));

const HEAD = `<!-- Generated from drover/src/domain/transitions.ts by \`npm run generate\`. -->
# The states of a cluster

People see a cluster in one of eleven phases. A phase is never set: it is read off a few facts (the live job, how the last
job ended, what was seen last) by one function, \`phaseOf\` in drover/src/domain/phase.ts, where the life of a cluster is
told in words. This page shows what comes of every event in every phase. A test walks through all the situations that a
cluster can get into and finds exactly these answers.

Beside the phase a cluster can be Drifted, Paused, Protected or Stalled. None of these changes the phase.
`;

const MEANINGS: Readonly<Record<Phase, string>> = {
  Pending: "A create waits for a worker.",
  Creating: "A worker has begun a create.",
  Connecting: "An import waits or runs.",
  Updating: "A worker has begun an update, upgrade, repair, restore or renewal, or stops or starts the cluster.",
  Canceling: "A job that has begun was asked to stop and has not yet said how it ended.",
  Deleting: "It is declared absent and not yet proven gone.",
  Running: "It exists, and its API answers as far as was looked.",
  Unreachable: "It exists; its API does not answer. That is no failure.",
  Hibernated: "It was stopped, as somebody or its schedule wants it; its data is kept.",
  Unavailable: "The last job failed or was cancelled, or the cluster has vanished.",
  Unknown: "Nobody could look, and nothing else tells.",
};

function renderPhases(): string {
  const line = (phase: Phase): string => {
    const actual: ActualState = actualStateOf(phase, { deleted: false });
    return `| ${phase} | ${MEANINGS[phase]} | ${isReady(phase) ? "yes" : "no"} | ${actual} |`;
  };
  return `## Phases

Ready means that the sub-resources of the cluster (nodes, kubeconfig …) can be used. \`actualState\` is the coarse word of
older systems; a cluster that is proven gone is \`deleted\`. *Gone* stands below for: there is no such cluster.

| phase | meaning | ready | \`actualState\` |
| --- | --- | --- | --- |
${PHASES.map(line).join("\n")}
`;
}

/** Phases that share ways out: drawn as one box, so that such a way is drawn once. */
const BOXES: Readonly<Record<string, readonly Stage[]>> = {
  AtWork: ["Creating", "Connecting", "Updating"],
  AtRest: ["Running", "Unreachable", "Hibernated", "Unavailable", "Unknown"],
};

/** Every arrow of the picture with its events; an event that leads out of a whole box is put on the box. */
function listArrows(): ReadonlyMap<string, readonly ClusterEvent[]> {
  const edges = listEdges();
  const arrows = new Map<string, ClusterEvent[]>();
  const name = (stage: string): string => (stage === "Gone" ? "[*]" : stage);
  for (const edge of edges) {
    for (const event of edge.events) {
      const box = Object.entries(BOXES).find(
        ([, stages]) =>
          stages.includes(edge.from) &&
          !stages.includes(edge.to) &&
          stages.every((from) => edges.some((o) => o.from === from && o.to === edge.to && o.events.includes(event))),
      );
      const arrow = `${name(box?.[0] ?? edge.from)} --> ${name(edge.to)}`;
      const events = arrows.get(arrow) ?? [];
      if (!events.includes(event)) arrows.set(arrow, [...events, event]);
    }
  }
  return arrows;
}

function renderDiagram(): string {
  const boxes = Object.entries(BOXES).map(
    ([box, stages]) => `    state ${box} {\n        ${stages.join("\n        ")}\n    }`,
  );
  const lines = [...listArrows()].map(([arrow, events]) => `    ${arrow}: ${events.join(", ")}`);
  return `## Picture

Events that leave the phase as it is are left out. An arrow that leaves a box holds for every phase in it.

\`\`\`mermaid
stateDiagram-v2
${[...boxes, ...lines].join("\n")}
\`\`\`
`;
}

function nameAnswer(answer: Answer, stage: Stage): string {
  if (answer.kind === "to") return answer.stage === stage ? "stays" : `**${answer.stage}**`;
  return answer.kind === "ignored" ? "ignored" : `\`${answer.code}\``;
}

function renderMatrix(title: string, intro: string, events: readonly ClusterEvent[]): string {
  const cell = (event: ClusterEvent, stage: Stage): string =>
    TRANSITIONS[event][stage].map((answer) => nameAnswer(answer, stage)).join("<br>");
  const lines = events.map((event) => `| ${event} | ${STAGES.map((stage) => cell(event, stage)).join(" | ")} |`);
  return `### ${title}

${intro}

| event | ${STAGES.join(" | ")} |
| --- |${" --- |".repeat(STAGES.length)}
${lines.join("\n")}
`;
}

function renderCases(event: ClusterEvent): string {
  const cases = STAGES.map((stage) => renderCell(stage, TRANSITIONS[event][stage])).filter((line) => line !== "");
  return `#### ${event}\n\n${CLUSTER_EVENTS[event]}\n${cases.length === 0 ? "" : `\n${cases.join("\n")}\n`}`;
}

function renderCell(stage: Stage, cell: Cell): string {
  const explained = cell.filter((answer) => answer.when !== "");
  if (cell.length === 1 || explained.length === 0) return "";
  const parts = cell.map((answer) => `${nameAnswer(answer, stage)}${answer.when === "" ? "" : ` (${answer.when})`}`);
  return `- ${stage}: ${parts.join("; ")}`;
}

function render(): string {
  const keys = (events: object): ClusterEvent[] => Object.keys(events) as ClusterEvent[];
  return [
    HEAD,
    renderPhases(),
    renderDiagram(),
    `## Table

A cell names the phase that follows (in bold), says that the phase stays, that the event is ignored, or the
[code](errors.md) it is refused with. Where several answers are possible, the cases below tell which one comes when.
`,
    renderMatrix(
      "What people ask for",
      "Written by the API, the web page, the CLI and the operator.",
      keys(REQUEST_EVENTS),
    ),
    renderMatrix("What workers do", "Each needs the lease of the job it speaks about.", keys(JOB_EVENTS)),
    renderMatrix("What the reconciler sees", "Always stored; moves only clusters at rest.", keys(OBSERVATION_EVENTS)),
    "## Cases\n",
    keys(CLUSTER_EVENTS).map(renderCases).join("\n"),
  ].join("\n");
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const wanted = render();
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (readIfThere(FILE) !== wanted) {
  process.stdout.write("docs/states.md does not show the transition table as it is; run `npm run generate`.\n");
  process.exitCode = 1;
}
