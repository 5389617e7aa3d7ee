// The same bytes from memory, as fast as node:http sends them. Nobody is asked who they are.
import { createServer } from "node:http";
import { serveOrders } from "./processes.mjs";

let answers = new Map();
const server = createServer((request, response) => {
  const { headers, body } = answers.get(request.url);
  response.writeHead(200, headers);
  response.end(body);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

serveOrders(
  { port: server.address().port },
  {
    learn: async ({ pages }) => {
      answers = new Map(pages.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body) }]));
    },
  },
);
