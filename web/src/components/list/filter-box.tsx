import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { useKeys } from "../shell/use-keys.tsx";
import css from "./list.module.css";

const PAUSE_MS = 200;

export interface FilterBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The text to filter by. It takes effect after a short pause, or at once with Enter; `/` goes there. */
export function FilterBox({ label, placeholder, value, onChange }: FilterBoxProps) {
  const m = useMessages();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  useKeys({ "/": () => box.current?.focus() });
  const clear = () => {
    setText("");
    onChange("");
  };
  return (
    <TextInput
      ref={box}
      className={css.filter ?? ""}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") onChange(text);
        if (event.key === "Escape") box.current?.blur();
      }}
      rightSection={text === "" ? null : <CloseButton size="sm" aria-label={m.list.clear} onClick={clear} />}
    />
  );
}
