import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconDatabase,
  IconHelpCircle,
  IconServer,
  IconWorld,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Cluster } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../components/feedback/states.tsx";
import { Panel } from "../../components/layout/page.tsx";
import { Status } from "../../components/status/status.tsx";
import type { Look } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { type Branch, buildTree, type Tree, type Verdict } from "./build-tree.ts";
import css from "./resource-tree.module.css";

const LOOKS: Readonly<Record<Verdict, Look>> = {
  fits: { tone: "good", icon: IconCircleCheck },
  differs: { tone: "bad", icon: IconAlertTriangle },
  coming: { tone: "busy", icon: IconCircleDashed },
  unknown: { tone: "idle", icon: IconHelpCircle },
};

/** Branches with more leaves than this are closed at first. */
const OPEN_UP_TO = 12;

/** From the declaration down to everything that is there because of it, each with whether it is as declared. */
export function ResourceTree({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { name, generation = 0 } = cluster.metadata;
  const objects = useApi(KEYS.cluster(name), "clusterDetails", "listObjects", { params: { name } });
  const nodes = useApi(KEYS.cluster(name), "clusterDetails", "listNodes", { params: { name } });
  const { observedGeneration = 0, modifiers = [] } = cluster.status ?? {};
  const isDrifted = modifiers.includes("Drifted");
  const verdict: Verdict = isDrifted ? "differs" : observedGeneration < generation ? "coming" : "fits";
  return (
    <Panel title={m.tree.title} flush>
      <Loaded query={objects}>
        {({ items }) => (
          <ul className={css.tree}>
            <li>
              <div className={css.row}>
                <IconDatabase size={16} aria-hidden />
                <b className={css.name}>{m.tree.declaration(generation)}</b>
                <VerdictStatus verdict={verdict} />
                {isDrifted ? (
                  <Link to="/clusters/$name/$tab" params={{ name, tab: "diff" }}>
                    {m.cluster.showDiff}
                  </Link>
                ) : null}
              </div>
              <Leaves trees={buildTree(cluster, nodes.data?.items ?? [], items)} name={name} />
            </li>
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Leaves({ trees, name }: { readonly trees: readonly Tree[]; readonly name: string }) {
  const m = useMessages();
  if (trees.length === 0) return <p className={css.none}>{m.tree.nothing}</p>;
  return (
    <ul className={css.leaves}>
      {trees.map(({ branch, verdict, leaves }) => (
        <li key={branch.id}>
          {leaves.length === 0 ? (
            <div className={css.row}>
              <BranchRow branch={branch} verdict={verdict} name={name} />
            </div>
          ) : (
            <details open={verdict !== "fits" || leaves.length <= OPEN_UP_TO}>
              <summary className={css.row}>
                <BranchRow branch={branch} verdict={verdict} name={name} />
              </summary>
              <Leaves trees={leaves} name={name} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

interface BranchRowProps {
  readonly branch: Branch;
  readonly verdict: Verdict;
  readonly name: string;
}

function BranchRow({ branch, verdict, name }: BranchRowProps) {
  const m = useMessages();
  switch (branch.kind) {
    case "nodes":
      return (
        <>
          <IconServer size={16} aria-hidden />
          <span className={css.name}>
            {m.clusters.nodes} {m.cluster.nodesReady(branch.ready, branch.total)}
          </span>
          <VerdictStatus verdict={verdict} />
        </>
      );
    case "system":
      return (
        <>
          <IconWorld size={16} aria-hidden />
          <span className={css.name}>{branch.system}</span>
          <VerdictStatus verdict={verdict} />
        </>
      );
    case "node":
      return (
        <>
          <Link to="/clusters/$name/$tab" params={{ name, tab: "nodes" }} className={css.name}>
            {branch.node.name}
          </Link>
          <Status look={LOOKS[verdict]}>{m.nodeStates[branch.node.status]}</Status>
        </>
      );
    case "object":
      return (
        <>
          <span className={css.name}>
            {branch.object.kind} <code>{branch.object.ref}</code>
          </span>
          <Status look={LOOKS[verdict]}>{m.objectStates[branch.object.state]}</Status>
          {branch.object.seenTime === null ? null : (
            <span className={css.soft}>
              {m.cluster.seen} <Ago time={branch.object.seenTime} />
            </span>
          )}
        </>
      );
  }
}

function VerdictStatus({ verdict }: { readonly verdict: Verdict }) {
  const m = useMessages();
  return <Status look={LOOKS[verdict]}>{m.tree.verdicts[verdict]}</Status>;
}
