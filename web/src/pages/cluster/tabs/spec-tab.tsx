import { useEffect, useState } from "react";
import type { Cluster } from "../../../api/objects.ts";
import { Bones } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import { clusterToYaml } from "../../../components/yaml/to-yaml.ts";
import { YamlText } from "../../../components/yaml/yaml-text.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../cluster.module.css";

/** What is wanted, as the document that would bring it about. */
export function SpecTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const [text, setText] = useState<string>();
  useEffect(() => {
    void clusterToYaml(cluster).then(setText);
  }, [cluster]);
  return (
    <Panel title={m.cluster.document} flush>
      {text === undefined ? (
        <Bones />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={css.code} tabIndex={0}>
          <YamlText text={text} />
        </pre>
      )}
    </Panel>
  );
}
