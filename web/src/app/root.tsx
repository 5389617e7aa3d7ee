import { Outlet } from "@tanstack/react-router";
import { Shell } from "../components/shell/shell.tsx";
import { NAV } from "../pages/index.ts";

export function Root() {
  return (
    <Shell nav={NAV}>
      <Outlet />
    </Shell>
  );
}
