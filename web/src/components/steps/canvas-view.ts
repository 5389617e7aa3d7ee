import type { Tone } from "../status/status-look.ts";
import { type Layout, NODE_HEIGHT, NODE_WIDTH, type Placed } from "./layout-graph.ts";

/** Where the window stands over the graph. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Palette {
  readonly tones: Readonly<Record<Tone, string>>;
  readonly ink: string;
  readonly surface: string;
  readonly line: string;
  readonly accent: string;
}

export const LEAST_SCALE = 0.02;
export const MOST_SCALE = 1.6;
/** Smaller than this, words are only noise. */
const TEXT_SCALE = 0.4;

export function fitView({ width, height }: Layout, room: { readonly width: number; readonly height: number }): View {
  const scale = Math.max(LEAST_SCALE, Math.min(1, (room.width / width) * 0.94, (room.height / height) * 0.94));
  return { scale, x: (room.width - width * scale) / 2, y: (room.height - height * scale) / 2 };
}

/** Closer or farther, with the point under the pointer staying where it is. */
export function zoomAt(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, view.scale * factor));
  const share = scale / view.scale;
  return { scale, x: x - (x - view.x) * share, y: y - (y - view.y) * share };
}

export function findAt(places: readonly Placed[], view: View, x: number, y: number): Placed | undefined {
  const [left, top] = [(x - view.x) / view.scale, (y - view.y) / view.scale];
  return places.find(
    (place) => left >= place.x && left <= place.x + NODE_WIDTH && top >= place.y && top <= place.y + NODE_HEIGHT,
  );
}

interface Drawing {
  readonly places: readonly Placed[];
  readonly view: View;
  readonly room: { readonly width: number; readonly height: number };
  readonly palette: Palette;
  readonly toneOf: (place: Placed) => Tone;
  readonly isChosen: (place: Placed) => boolean;
}

/** Draws what of the graph is in the window. */
export function drawGraph(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { places, view, room, palette, toneOf, isChosen } = drawing;
  const [left, top] = [-view.x / view.scale, -view.y / view.scale];
  const [right, bottom] = [left + room.width / view.scale, top + room.height / view.scale];
  const isSeen = ({ x, y }: Placed) => x < right && x + NODE_WIDTH > left && y < bottom && y + NODE_HEIGHT > top;
  const byId = new Map(places.map((place) => [place.group.id, place]));
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.strokeStyle = palette.line;
  context.lineWidth = 1 / Math.max(view.scale, 0.2);
  context.beginPath();
  for (const place of places) {
    for (const id of place.group.after) {
      const before = byId.get(id);
      if (before === undefined || !(isSeen(place) || isSeen(before))) continue;
      context.moveTo(before.x + NODE_WIDTH, before.y + NODE_HEIGHT / 2);
      context.lineTo(place.x, place.y + NODE_HEIGHT / 2);
    }
  }
  context.stroke();
  context.font = "600 13px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const place of places.filter(isSeen)) {
    context.fillStyle = palette.surface;
    context.fillRect(place.x, place.y, NODE_WIDTH, NODE_HEIGHT);
    context.fillStyle = palette.tones[toneOf(place)];
    context.fillRect(place.x, place.y, view.scale < TEXT_SCALE ? NODE_WIDTH : 6, NODE_HEIGHT);
    if (isChosen(place)) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 3 / view.scale;
      context.strokeRect(place.x, place.y, NODE_WIDTH, NODE_HEIGHT);
    }
    if (view.scale < TEXT_SCALE) continue;
    context.fillStyle = palette.ink;
    context.fillText(place.group.title, place.x + 16, place.y + NODE_HEIGHT / 2, NODE_WIDTH - 24);
  }
  context.restore();
}
