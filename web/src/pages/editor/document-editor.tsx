import { Button, Checkbox, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { useCanWrite } from "../../api/live/use-live.tsx";
import { KEYS } from "../../api/query-keys.ts";
import { useChange } from "../../api/use-api.ts";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { locateProblems, readDocument, setField } from "../../components/yaml/yaml-document.ts";
import { YamlEditor } from "../../components/yaml/yaml-editor.tsx";
import { describeProblem } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ClusterForm } from "./cluster-form.tsx";
import css from "./editor.module.css";
import { PlanPanel } from "./plan-panel.tsx";
import { readAt } from "./read-at.ts";
import { MachineBoard } from "./ssh/machine-board.tsx";
import { hasError, useMachineChecks } from "./ssh/use-machine-checks.ts";
import type { Maker } from "./starting-document.ts";
import { usePlan } from "./use-plan.ts";

interface DocumentEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isNew: boolean;
  readonly onProvider: (provider: Maker) => void;
  readonly onDone: () => void;
  /** The version that the text was made from; applying is held back when the cluster has moved on. */
  readonly isOutdated?: boolean;
  readonly children?: ReactNode;
}

const NONE = [] as const;

/** Form, YAML and plan of one document: whatever is changed in one shows in the others. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { text, onText, isNew, isOutdated = false } = props;
  const m = useMessages();
  const canWrite = useCanWrite();
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const [consent, setConsent] = useState(false);
  const read = useMemo(() => readDocument(text), [text]);
  const name = readAt(read.value, "metadata.name");
  const lastRead = useRef(read.value);
  if (read.syntax.length === 0) lastRead.current = read.value;
  const isReadable = read.syntax.length === 0 && typeof name === "string" && name !== "";
  const { plan, error, isPlanning, planAgain } = usePlan(text, typeof name === "string" ? name : undefined, isReadable);
  const problems = error?.problems ?? NONE;
  const exists = !isNew || (plan?.baseVersion ?? 0) > 0;
  const marks = useMemo(() => {
    if (read.syntax.length > 0) return read.syntax;
    const found = locateProblems(text, problems);
    return found.map((mark, index) => ({ ...mark, message: describeProblem(m, problems[index] as never) }));
  }, [read, text, problems, m]);
  const isOnMachines = readAt(lastRead.current, "spec.provider") === "ssh";
  const edit = (change: (now: string) => string) => onText(change(text));
  const checks = useMachineChecks(text, isOnMachines && isReadable && hasNodes(read.value));
  const hindered = checks.items?.filter(hasError).length ?? 0;
  const apply = useChange("clusters", "applyPlan", [KEYS.clusters, KEYS.jobPages]);
  const needsConsent = (plan?.consent.length ?? 0) > 0;
  const canApply =
    canWrite && plan?.hash != null && !isPlanning && marks.length === 0 && !isOutdated && (!needsConsent || consent);
  const submit = () => {
    if (!canApply || plan?.hash == null || typeof name !== "string") return;
    const body = {
      ...{ document: text, planHash: plan.hash, baseVersion: plan.baseVersion },
      ...(consent ? { consent } : {}),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    };
    apply.mutate(
      { params: { name }, body },
      {
        onSuccess: ({ jobId }) => {
          props.onDone();
          if (jobId === null) void navigate({ to: "/clusters/$name/$tab", params: { name, tab: "overview" } });
          else void navigate({ to: "/jobs/$id", params: { id: jobId } });
        },
      },
    );
  };
  return (
    <>
      {props.children}
      <div className={css.work} data-machines={isOnMachines}>
        <section className={css.part} aria-labelledby="editor-form">
          <div className={css.partHead}>
            <h2 id="editor-form">{m.editor.form}</h2>
          </div>
          <div className={css.partBody}>
            <ClusterForm
              value={lastRead.current}
              isReadable={read.syntax.length === 0}
              problems={problems}
              isNew={isNew}
              onSet={(path, value) => edit((now) => setField(now, path, value))}
              onEdit={edit}
              onProvider={props.onProvider}
              onSubmit={submit}
            />
            {isOnMachines ? (
              <MachineBoard
                value={lastRead.current}
                isReadable={read.syntax.length === 0}
                problems={problems}
                checks={checks}
                onEdit={edit}
              />
            ) : null}
          </div>
        </section>
        <section className={css.part} aria-labelledby="editor-yaml">
          <div className={css.partHead}>
            <h2 id="editor-yaml">{m.editor.yaml}</h2>
            <span role="status" className={css.soft}>
              {marks[0] === undefined ? "" : m.editor.firstProblem(marks.length, marks[0].line)}
            </span>
          </div>
          <div className={css.partBody}>
            <YamlEditor label={m.editor.yaml} value={text} onChange={onText} marks={marks} onSubmit={submit} />
          </div>
        </section>
        <section className={css.part} aria-labelledby="editor-plan">
          <div className={css.partHead}>
            <h2 id="editor-plan">{m.editor.plan}</h2>
            <span role="status" className={css.soft}>
              {isPlanning && isReadable ? m.editor.planning : ""}
            </span>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div className={css.partBody} tabIndex={0}>
            <PlanPanel
              plan={plan}
              error={error}
              isPlanning={isPlanning}
              marks={marks}
              isNew={isNew}
              exists={exists}
              onRetry={planAgain}
            />
          </div>
        </section>
      </div>
      {apply.error === null ? null : (
        <ErrorPanel error={apply.error}>
          {isApiError(apply.error, "plan-stale") || isApiError(apply.error, "generation-conflict") ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                apply.reset();
                planAgain();
              }}
            >
              {m.editor.planAgain}
            </Button>
          ) : null}
        </ErrorPanel>
      )}
      <div className={css.bar} data-machines={isOnMachines}>
        <TextInput
          label={m.common.reasonOptional}
          value={reason}
          maxLength={1024}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {needsConsent ? (
          <Checkbox
            label={m.editor.consent}
            checked={consent}
            onChange={(event) => setConsent(event.currentTarget.checked)}
          />
        ) : null}
        {hindered === 0 ? null : <span className={css.warn}>{m.sshForm.hindered(hindered)}</span>}
        {canWrite ? null : <span>{m.live.cannotWrite}</span>}
        <Button disabled={!canApply} loading={apply.isPending} onClick={submit}>
          {exists ? m.editor.apply : m.editor.create}
        </Button>
      </div>
    </>
  );
}

const hasNodes = (value: unknown): boolean => {
  const nodes = readAt(value, "spec.ssh.nodes");
  return Array.isArray(nodes) && nodes.length > 0;
};
