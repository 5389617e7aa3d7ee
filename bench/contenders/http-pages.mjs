import { Agent, request } from "node:http";

const CONNECTIONS = 8;

/**
 * Asks for pages in turn over a few connections that stay open, and counts the answers of each second. Every answer has
 * to have the status and the length that is known of it.
 *
 * @param {{ name: string, port: number, pages: readonly { path: string, headers: object, status: number, length: number }[], requests: number }} options
 */
export function httpPages({ name, port, pages, requests }) {
  return {
    name,
    prepare: async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const askSome = async (count) => {
        let next = 0;
        const one = async () => {
          while (next < count) await ask(agent, port, pages[next++ % pages.length]);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, one));
      };
      await askSome(Math.ceil(requests / 10));
      return {
        measure: async () => {
          const begin = performance.now();
          await askSome(requests);
          return { "requests/s": requests / ((performance.now() - begin) / 1_000) };
        },
        dispose: async () => agent.destroy(),
      };
    },
  };
}

function ask(agent, port, { path, headers, status, length }) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers, agent }, (response) => {
      let seen = 0;
      response.on("data", (chunk) => {
        seen += chunk.length;
      });
      response.once("end", () => {
        const isRight = response.statusCode === status && seen === length;
        if (isRight) resolve();
        else reject(new Error(`${path} was answered with ${response.statusCode} and ${seen} bytes.`));
      });
    });
    asked.once("error", reject);
    asked.end();
  });
}
