import { z } from "zod";
import { dnsLabel, id, idParams, line, nameParams, selector } from "./common.ts";
import type { RouteTable } from "./route.ts";

/** Clusters that belong together, by their labels. */
const group = z.strictObject({ name: dnsLabel, selector, description: line(1024).optional() });

/** How someone likes to look at the list of clusters. */
const viewContent = { title: line(100), query: line(4096), shared: z.boolean() };
const view = z.strictObject({ id, owner: z.string(), ...viewContent });

export const groupRoutes = {
  listGroups: {
    method: "GET",
    path: "/api/v1/groups",
    summary: "All groups.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(group) }),
    errors: [],
  },
  createGroup: {
    method: "POST",
    path: "/api/v1/groups",
    summary: "Make a group.",
    access: "operator",
    body: group,
    success: 201,
    response: group,
    errors: ["group-exists", "validation-failed"],
  },
  changeGroup: {
    method: "PUT",
    path: "/api/v1/groups/:name",
    summary: "Change a group.",
    access: "operator",
    params: nameParams,
    body: group.omit({ name: true }),
    success: 200,
    response: group,
    errors: ["group-not-found", "validation-failed"],
  },
  deleteGroup: {
    method: "DELETE",
    path: "/api/v1/groups/:name",
    summary: "Delete a group. Its clusters stay.",
    access: "operator",
    params: nameParams,
    success: 204,
    response: null,
    errors: ["group-not-found"],
  },
  listViews: {
    method: "GET",
    path: "/api/v1/views",
    summary: "Your saved views, and those that others share.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(view) }),
    errors: [],
  },
  saveView: {
    method: "POST",
    path: "/api/v1/views",
    summary: "Save a view of your own.",
    access: "viewer",
    body: z.strictObject(viewContent),
    success: 201,
    response: view,
    errors: [],
  },
  deleteView: {
    method: "DELETE",
    path: "/api/v1/views/:id",
    summary: "Delete a view of your own.",
    access: "viewer",
    params: idParams,
    success: 204,
    response: null,
    errors: ["view-not-found"],
  },
} as const satisfies RouteTable;
