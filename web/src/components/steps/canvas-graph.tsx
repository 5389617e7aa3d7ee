import { useElementSize, useMergedRef } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { useTheme } from "../shell/use-theme.tsx";
import { STEP_LOOKS, type Tone } from "../status/status-look.ts";
import { drawGraph, findAt, fitView, type Palette, type View, zoomAt } from "./canvas-view.ts";
import type { StepGroup } from "./fold-steps.ts";
import { layoutLayers } from "./layout-layers.ts";
import css from "./steps.module.css";

interface CanvasGraphProps {
  readonly groups: readonly StepGroup[];
  readonly isChosen: (group: StepGroup) => boolean;
  readonly onPress: (group: StepGroup) => void;
}

const TONES: readonly Tone[] = ["good", "busy", "warn", "bad", "idle"];
const MOVE_PX = 60;
/** A pointer that moved less than this was a click. */
const CLICK_PX = 4;

/** A graph of thousands: drawn, not made of elements. It is moved and zoomed by pointer and keys. */
export function CanvasGraph({ groups, isChosen, onPress }: CanvasGraphProps) {
  const m = useMessages();
  const { scheme } = useTheme();
  const { ref: sized, width, height } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ref = useMergedRef(sized, canvas);
  const shape = groups.map(({ id, after }) => `${id}<${after.join()}`).join(";");
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the shape decides where things stand
  const layout = useMemo(() => layoutLayers(groups), [shape]);
  const [moved, setMoved] = useState<{ readonly of: object; readonly view: View }>();
  const room = { width, height };
  const view = moved?.of === layout ? moved.view : fitView(layout, { width: width || 1, height: height || 1 });
  const show = (next: View) => setMoved({ of: layout, view: next });
  const byId = new Map(groups.map((group) => [group.id, group]));
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (canvas.current === null || context === null || context === undefined || width === 0) return;
    const ratio = devicePixelRatio;
    canvas.current.width = width * ratio;
    canvas.current.height = height * ratio;
    context.scale(ratio, ratio);
    drawGraph(context, {
      ...{ places: layout.places, view, room, palette: readPalette(canvas.current) },
      toneOf: ({ group }) => STEP_LOOKS[(byId.get(group.id) ?? group).state].tone,
      isChosen: ({ group }) => isChosen(byId.get(group.id) ?? group),
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- drawn anew whenever anything of it may have changed
  }, [groups, layout, view.x, view.y, view.scale, width, height, scheme, isChosen]);
  const drag = useRef<{ readonly x: number; readonly y: number; readonly from: View }>(undefined);
  const placeOf = (event: { readonly nativeEvent: { readonly offsetX: number; readonly offsetY: number } }) =>
    [event.nativeEvent.offsetX, event.nativeEvent.offsetY] as const;
  const hold = (event: PointerEvent<HTMLCanvasElement>) => {
    const [x, y] = placeOf(event);
    drag.current = { x, y, from: view };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const pull = (event: PointerEvent) => {
    if (drag.current === undefined) return;
    const [x, y] = placeOf(event);
    const { from } = drag.current;
    show({ ...from, x: from.x + x - drag.current.x, y: from.y + y - drag.current.y });
  };
  const release = (event: PointerEvent) => {
    const [x, y] = placeOf(event);
    const began = drag.current;
    drag.current = undefined;
    if (began === undefined || Math.hypot(x - began.x, y - began.y) > CLICK_PX) return;
    const found = findAt(layout.places, view, x, y)?.group.id;
    const group = found === undefined ? undefined : byId.get(found);
    if (group !== undefined) onPress(group);
  };
  const hear = (event: KeyboardEvent) => {
    const next: View | undefined = {
      ArrowLeft: { ...view, x: view.x + MOVE_PX },
      ArrowRight: { ...view, x: view.x - MOVE_PX },
      ArrowUp: { ...view, y: view.y + MOVE_PX },
      ArrowDown: { ...view, y: view.y - MOVE_PX },
      "+": zoomAt(view, 1.3, width / 2, height / 2),
      "-": zoomAt(view, 1 / 1.3, width / 2, height / 2),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  return (
    <canvas
      ref={ref}
      className={css.canvas}
      role="img"
      aria-label={m.steps.drawn(groups.length)}
      tabIndex={0}
      onPointerDown={hold}
      onPointerMove={pull}
      onPointerUp={release}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onWheel={(event) => show(zoomAt(view, event.deltaY < 0 ? 1.15 : 1 / 1.15, ...placeOf(event)))}
      onKeyDown={hear}
    />
  );
}

/** The tokens of the theme as colours that a canvas takes. */
function readPalette(element: HTMLElement): Palette {
  const read = (token: string) => {
    element.style.color = `var(${token})`;
    return getComputedStyle(element).color;
  };
  const palette = {
    tones: Object.fromEntries(TONES.map((tone) => [tone, read(`--${tone}-solid`)])) as Palette["tones"],
    ...{ ink: read("--ink"), surface: read("--surface"), line: read("--line-strong"), accent: read("--accent") },
  };
  element.style.color = "";
  return palette;
}
