import { Button } from "@mantine/core";
import { ApiError } from "../../api/api-error.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { DifferenceTable } from "../../components/diff/difference-table.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Bones, Empty } from "../../components/feedback/states.tsx";
import { LabelList } from "../../components/labels/label-list.tsx";
import { Facts, Page, Panel } from "../../components/layout/page.tsx";
import { ProgressBar, Status } from "../../components/status/status.tsx";
import {
  JOB_LOOKS,
  type Look,
  MODIFIER_LOOKS,
  NODE_LOOKS,
  PHASE_LOOKS,
  STEP_LOOKS,
  WORKER_LOOKS,
} from "../../components/status/status-look.ts";
import { StepGraph } from "../../components/steps/step-graph.tsx";
import { useMessages } from "../../i18n/use-language.tsx";

/** Only developers see it. */
const TITLE = "/gallery";

const STEPS = ["Succeeded", "Skipped", "Running", "Failed", "Blocked", "Canceled", "Pending"] as const;

/** Every part of the page in every state, side by side, to be looked at while it is changed. */
export function GalleryPage() {
  const m = useMessages();
  const error = new ApiError({
    ...{ status: 422, code: "validation-failed", title: "", hint: "", retryable: false, requestId: "req-1" },
    problems: [{ path: "spec.kind.workers", code: "out-of-range", message: "101 > 100", next: "" }],
  });
  return (
    <Page title={TITLE} actions={<CopyAs cli={["drover", "version"]} api="/api/v1/version" yaml={() => TITLE} />}>
      <Looks looks={PHASE_LOOKS} words={m.phases} />
      <Looks looks={MODIFIER_LOOKS} words={m.modifiers} />
      <Looks looks={JOB_LOOKS} words={m.jobStates} />
      <Looks looks={STEP_LOOKS} words={m.stepStates} />
      <Looks looks={NODE_LOOKS} words={m.nodeStates} />
      <Looks looks={WORKER_LOOKS} words={m.workerStates} />
      <Panel title={m.steps.title} flush>
        <div style={{ height: 420 }}>
          <StepGraph
            steps={STEPS.map((state, index) => ({
              ...{ id: `m/t${index}/s/local`, title: state, host: "local", state },
              after: index === 0 ? [] : [`m/t${index - 1}/s/local`],
            }))}
            chosen={null}
            onChoose={() => {}}
          />
        </div>
      </Panel>
      <Panel title={m.cluster.desiredActual} flush>
        <DifferenceTable
          differences={[{ path: "spec.kind.workers", before: 2, after: undefined }]}
          before={m.cluster.desired}
          after={m.cluster.actual}
        />
      </Panel>
      <Panel title={m.cluster.about}>
        <Facts facts={[{ name: m.clusters.labels, value: <LabelList labels={{ env: "prod", "a.b/c": "" }} wrap /> }]} />
      </Panel>
      <ErrorPanel error={error} onRetry={() => {}} />
      <Panel title={m.common.loading}>
        <Bones />
      </Panel>
      <Empty title={m.list.noMatch} actions={<Button>{m.list.clear}</Button>} />
      <div style={{ display: "flex", gap: 8 }}>
        {(["filled", "default", "light", "subtle", "outline"] as const).map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
        <Button color="red">{m.cluster.delete}</Button>
        <Button disabled>{m.editor.apply}</Button>
      </div>
    </Page>
  );
}

interface LooksProps<Word extends string> {
  readonly looks: Readonly<Record<Word, Look>>;
  readonly words: Readonly<Record<Word, string>>;
}

function Looks<Word extends string>({ looks, words }: LooksProps<Word>) {
  return (
    <div style={{ display: "flex", flexWrap: "wrap", gap: 12 }}>
      {(Object.entries(looks) as [Word, Look][]).map(([word, look]) => (
        <span key={word}>
          <Status look={look} pill>
            {words[word]}
          </Status>{" "}
          <ProgressBar percent={60} tone={look.tone} label={words[word]} />
        </span>
      ))}
    </div>
  );
}
