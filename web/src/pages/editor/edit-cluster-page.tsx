import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Cluster, versionOf } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { Bones, Forbidden, Loaded } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { clusterToYaml } from "../../components/yaml/to-yaml.ts";
import { readDocument, setField } from "../../components/yaml/yaml-document.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { type MergedField, mergeThree } from "../../lib/merge-three.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { recallDraft, useDraft } from "./draft.ts";
import { MovedOn } from "./moved-on.tsx";

const route = getRouteApi("/clusters/$name/edit");

export function EditClusterPage() {
  const m = useMessages();
  const { may } = useSession();
  const { name } = route.useParams();
  const cluster = useApi(KEYS.cluster(name), "clusters", "getCluster", { params: { name } });
  if (!may("operator")) {
    return (
      <Page title={m.editor.editTitle(name)}>
        <Forbidden needs="operator" />
      </Page>
    );
  }
  return <Loaded query={cluster}>{(current) => <EditLoaded key={name} current={current} />}</Loaded>;
}

interface Base {
  readonly cluster: Cluster;
  readonly text: string;
}

const draftOf = ({ metadata }: Cluster) => `edit.${metadata.name}`;

/** What was there when editing began stays the base, however the cluster moves on meanwhile, also for a kept draft. */
function EditLoaded({ current }: { readonly current: Cluster }) {
  const [base, setBase] = useState(() => recallDraft<Base>(draftOf(current))?.basis);
  useEffect(() => {
    if (base === undefined) void clusterToYaml(current).then((text) => setBase({ cluster: current, text }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the first cluster is the base
  }, []);
  if (base === undefined) return <Bones />;
  return <EditCluster base={base} current={current} onBase={setBase} />;
}

interface EditClusterProps {
  readonly base: Base;
  readonly current: Cluster;
  readonly onBase: (base: Base) => void;
}

const declared = ({ metadata: { labels = {}, annotations = {} }, spec }: Cluster) => ({
  metadata: { labels, annotations },
  spec,
});

function EditCluster({ base, current, onBase }: EditClusterProps) {
  const m = useMessages();
  const { name } = current.metadata;
  const draft = useDraft(draftOf(current), base.text, base);
  const isOutdated = versionOf(base.cluster) !== versionOf(current);
  const fields = isOutdated
    ? mergeThree(declared(base.cluster), declared(current), readDocument(draft.text).value ?? {})
    : [];
  const merge = (taken: readonly MergedField[]) => {
    draft.setText(taken.reduce((text, { path, theirs }) => setField(text, path, theirs), draft.text));
    void clusterToYaml(current).then((text) => onBase({ cluster: current, text }));
  };
  const discard = () =>
    void clusterToYaml(current).then((text) => {
      onBase({ cluster: current, text });
      draft.setText(text);
    });
  return (
    <Page
      title={m.editor.editTitle(name)}
      subtitle={<span>{draft.isChanged ? m.editor.draftKept : m.editor.editText}</span>}
      full
      actions={
        draft.isChanged ? (
          <Button variant="default" onClick={discard}>
            {m.editor.discard}
          </Button>
        ) : undefined
      }
    >
      <DocumentEditor
        text={draft.text}
        onText={draft.setText}
        isNew={false}
        onProvider={() => {}}
        onDone={draft.forget}
        isOutdated={isOutdated}
      >
        {isOutdated ? <MovedOn fields={fields} onMerge={merge} /> : null}
      </DocumentEditor>
    </Page>
  );
}
