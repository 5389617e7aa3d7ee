import { type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useElementSize } from "@mantine/hooks";
import { IconChevronsDown, IconChevronsUp } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { useTheme } from "../shell/use-theme.tsx";
import { StatusIcon, toneClass } from "../status/status.tsx";
import { STEP_LOOKS } from "../status/status-look.ts";
import { CanvasGraph } from "./canvas-graph.tsx";
import { type DrawnStep, foldSteps, isOwnHost, type StepGroup, taskOf } from "./fold-steps.ts";
import { chooseLayout, layoutGraph, NODE_HEIGHT, NODE_WIDTH } from "./layout-graph.ts";
import css from "./steps.module.css";

export interface StepGraphProps {
  readonly steps: readonly DrawnStep[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
}

/** With more steps than this, the steps of one task are shown as one until somebody opens it. */
const FOLD_ABOVE = 24;
/** So many steps of one task still fit side by side, large enough to be read. */
const FOLD_TASK_ABOVE = 4;
/** With more than this left, the graph is drawn rather than made of elements. */
const DRAWN_ABOVE = 150;

/** The plan of a job as a graph: what waits for what, and how far each step is. The list shows the same. */
export function StepGraph({ steps, chosen, onChoose }: StepGraphProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => {
    const sizes = new Map<string, number>();
    for (const { id } of steps) sizes.set(taskOf(id), (sizes.get(taskOf(id)) ?? 0) + 1);
    const most = steps.length > FOLD_ABOVE ? 1 : FOLD_TASK_ABOVE;
    return foldSteps(steps, (task) => opened.has(task) || (sizes.get(task) ?? 0) <= most);
  }, [steps, opened]);
  const fold = (task: string) => setOpened((now) => (now.has(task) ? without(now, task) : new Set([...now, task])));
  if (groups.length > DRAWN_ABOVE) {
    return (
      <div className={css.graph}>
        <CanvasGraph
          groups={groups}
          isChosen={(group) => group.steps.some(({ id }) => id === chosen)}
          onPress={(group) =>
            group.steps.length > 1 ? fold(taskOf(group.steps[0]?.id ?? group.id)) : onChoose(group.id)
          }
        />
      </div>
    );
  }
  return <ElementGraph {...{ groups, chosen, onChoose, fold }} isOpen={(task) => opened.has(task)} />;
}

interface ElementGraphProps {
  readonly groups: readonly StepGroup[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
  readonly fold: (task: string) => void;
  /** Whether it can be folded again. */
  readonly isOpen: (task: string) => boolean;
}

function ElementGraph({ groups, chosen, onChoose, fold, isOpen }: ElementGraphProps) {
  const m = useMessages();
  const { scheme } = useTheme();
  // Only the shape decides where things stand, so that a change of state moves nothing.
  const shape = groups.map(({ id, after }) => `${id}<${after.join()}`).join(";");
  const { ref, width, height } = useElementSize();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  const layouts = useMemo(() => layoutGraph(groups), [shape]);
  const layout = useMemo(() => chooseLayout(layouts, width || 1, height || 1), [layouts, width, height]);
  const places = new Map(layout.places.map((place) => [place.group.id, place]));
  const nodes: Node<StepNodeData>[] = groups.map((group) => {
    const { x = 0, y = 0 } = places.get(group.id) ?? {};
    return {
      id: group.id,
      type: "step",
      position: { x, y },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      data: {
        group,
        isChosen: group.steps.some(({ id }) => id === chosen),
        onChoose,
        onFold: fold,
        direction: layout.direction,
        canFold: isOpen(taskOf(group.id)),
      },
      draggable: false,
      selectable: false,
      focusable: false,
    };
  });
  const edges: Edge[] = groups.flatMap(({ id, after, state }) =>
    after.map((before) => ({
      id: `${before}>${id}`,
      source: before,
      target: id,
      animated: state === "Running",
      focusable: false,
    })),
  );
  return (
    <div className={css.graph} ref={ref}>
      {width === 0 ? null : (
        <ReactFlow
          key={`${layout.direction} ${Math.round(width / 50)} ${Math.round(height / 50)} ${groups.length}`}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={scheme}
          fitView
          fitViewOptions={{ padding: 0.08, maxZoom: 1 }}
          minZoom={0.05}
          maxZoom={1.6}
          nodesConnectable={false}
          nodesDraggable={false}
          proOptions={{ hideAttribution: true }}
          ariaLabelConfig={{ "node.a11yDescription.default": m.steps.graphHelp, "edge.a11yDescription.default": "" }}
        />
      )}
    </div>
  );
}

interface StepNodeData extends Record<string, unknown> {
  readonly group: StepGroup;
  readonly isChosen: boolean;
  readonly canFold: boolean;
  readonly direction: "LR" | "TB";
  readonly onChoose: (id: string) => void;
  readonly onFold: (task: string) => void;
}

function StepNode({ data }: NodeProps<Node<StepNodeData>>) {
  const m = useMessages();
  const { group, isChosen, canFold, direction, onChoose, onFold } = data;
  const isFolded = group.steps.length > 1;
  const look = STEP_LOOKS[group.state];
  const done = group.steps.filter(({ state }) => state === "Succeeded" || state === "Skipped").length;
  return (
    <div className={`${css.node} ${toneClass(look.tone)}`} data-chosen={isChosen} data-state={group.state}>
      <Handle
        type="target"
        position={direction === "LR" ? Position.Left : Position.Top}
        className={css.handle ?? ""}
        isConnectable={false}
      />
      <button
        type="button"
        className={css.nodeButton}
        title={group.title}
        onClick={() => (isFolded ? onFold(taskOf(group.steps[0]?.id ?? group.id)) : onChoose(group.id))}
      >
        <StatusIcon look={look} size={18} />
        <span className={css.nodeText}>
          <span className={css.nodeTitle}>{group.title}</span>
          <span className={css.nodeNote}>
            {m.stepStates[group.state]}
            {isFolded ? ` · ${m.steps.folded(done, group.steps.length)}` : null}
            {isFolded || isOwnHost(group.host) ? null : ` · ${group.host}`}
          </span>
        </span>
        {isFolded ? <IconChevronsDown size={15} aria-hidden /> : null}
      </button>
      {canFold ? (
        <button
          type="button"
          className={css.foldButton}
          aria-label={m.steps.fold}
          onClick={() => onFold(taskOf(group.id))}
        >
          <IconChevronsUp size={14} aria-hidden />
        </button>
      ) : null}
      <Handle
        type="source"
        position={direction === "LR" ? Position.Right : Position.Bottom}
        className={css.handle ?? ""}
        isConnectable={false}
      />
    </div>
  );
}

const NODE_TYPES = { step: StepNode };

function without(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  return new Set([...set].filter((one) => one !== value));
}
