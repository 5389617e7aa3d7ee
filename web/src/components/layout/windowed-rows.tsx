import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

interface WindowedRowsProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly className: string | undefined;
  /** The row to bring into view whenever it becomes another one. */
  readonly shown?: number;
  readonly children: (index: number) => ReactNode;
}

/** Rows of one height, of which only those are there that can be seen. It scrolls by itself. */
export function WindowedRows({ count, rowHeight, className, shown = -1, children }: WindowedRowsProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    useFlushSync: false,
  });
  useEffect(() => {
    if (shown >= 0) virtual.scrollToIndex(shown, { align: "auto" });
  }, [shown, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={scroll} className={className} tabIndex={0}>
      <div style={{ position: "relative", height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            style={{ position: "absolute", insetInline: 0, height: rowHeight, transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
