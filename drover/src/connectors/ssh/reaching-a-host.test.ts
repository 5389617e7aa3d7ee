import { once } from "node:events";
import { createServer } from "node:net";
import type { AuthContext } from "ssh2";
import { describe, expect, it, onTestFinished } from "vitest";
import { type JumpOptions, startJump } from "../../../test/ssh/jump-server.ts";
import { findFreePort } from "../../../test/ssh/private-sshd.ts";
import { openProxy } from "../../../test/ssh/proxy.ts";
import { openPool, openScripted, openServer, SERVERS } from "../../../test/ssh/servers.ts";
import { makeKeyPair } from "../../../test/ssh/ssh-server.ts";
import { waitFor, waitUntil } from "../../../test/wait-for.ts";
import type { CommandError } from "../../lib/command-error.ts";
import { fingerprintOf, parseHostKey } from "./host-key.ts";
import type { SshConnector } from "./ssh-connector.ts";
import type { SshTarget } from "./ssh-target.ts";

const failure = (connector: SshConnector): Promise<CommandError> =>
  connector.run({ argv: ["true"] }).then(
    () => Promise.reject(new Error("It could be reached.")),
    (error) => error,
  );

/** Why nothing could be run there. */
async function whyNot(target: SshTarget, options = {}) {
  const error = await failure(openPool({ connectMs: 1_500, ...options }).connect(target));
  expect(error.reason).toBe("unreachable");
  return error.cause as { reason: string; message: string; nextMove: string };
}

describe("a host that cannot be reached", () => {
  it("refuses: nobody listens", async () => {
    const { target } = await openScripted();
    const why = await whyNot({ ...target, port: await findFreePort() });
    expect(why).toMatchObject({ reason: "refused", nextMove: expect.stringContaining("sshd") });
  });

  it("has a name that nobody knows", async () => {
    const { target } = await openScripted();
    expect(await whyNot({ ...target, host: "no-such-host.invalid" })).toMatchObject({ reason: "name-unknown" });
  });

  it("takes the connection and says nothing", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { target } = await openScripted();
    const why = await whyNot({ ...target, port: (server.address() as { port: number }).port }, { connectMs: 300 });
    expect(why).toMatchObject({ reason: "no-banner" });
  });

  it("speaks something else than SSH", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { target } = await openScripted();
    const why = await whyNot({ ...target, port: (server.address() as { port: number }).port });
    expect(why).toMatchObject({ reason: "handshake-failed" });
  });

  it.each([
    ["a host", { host: "-oProxyCommand=id" }],
    ["a user", { user: "a b; id" }],
    ["a port", { port: 70_000 }],
  ])("is not even tried with what is no name of %s", async (_, part) => {
    const { target } = await openScripted();
    expect(() => openPool().connect({ ...target, ...part })).toThrow(TypeError);
  });
});

describe.each(SERVERS)("a host (%s)", (_, start) => {
  it("that does not know the key lets nobody in", async () => {
    const { target } = await openServer(start);
    const stranger = { privateKeys: [{ key: makeKeyPair().private }] };
    expect(await whyNot({ ...target, credentials: stranger })).toMatchObject({ reason: "auth-refused" });
  });

  it("is not talked to while no key of it is pinned, and shows its key when asked", async () => {
    const { target, hostKey } = await openServer(start);
    const why = await whyNot({ ...target, hostKeys: [] });
    expect(why.reason).toBe("host-key-unknown");
    expect(why.message).toContain(fingerprintOf(hostKey));
    expect(await openPool().fetchHostKey({ ...target, hostKeys: [] })).toEqual(hostKey);
  });

  it("with another key than the pinned one is not talked to", async () => {
    const { target, hostKey } = await openServer(start);
    const pinned = parseHostKey(makeKeyPair().public);
    const why = await whyNot({ ...target, hostKeys: [pinned] });
    expect(why.reason).toBe("host-key-changed");
    expect(why.message).toContain(fingerprintOf(hostKey));
    expect(why.message).toContain(fingerprintOf(pinned));
    expect(why.nextMove).toMatch(/accept-key/);
  });

  it("is reached over others", async () => {
    const { target } = await openServer(start);
    const [near, far] = [await openJump(), await openJump()];
    const connector = openPool().connect({ ...target, via: { ...far, via: near } });
    expect(await connector.run({ argv: ["echo", "there"] })).toMatchObject({ stdout: "there\n" });
  });
});

/** A server that hands on connections and nothing else. */
async function openJump(options: JumpOptions = {}): Promise<SshTarget> {
  const jump = await startJump(options);
  onTestFinished(() => jump.stop());
  return jump.target;
}

describe("a host behind another one", () => {
  it("that vanishes is given up although the other one holds on to it, and is met anew", async () => {
    const { target, port } = await openScripted();
    const proxy = await openProxy(port);
    const via = await openJump({ holdsChannels: true });
    const pool = openPool({ keepaliveMs: 500, keepaliveMisses: 2 });
    const connector = pool.connect({ ...target, port: proxy.port, via });
    let hasBegun = false;
    const onLine = () => {
      hasBegun = true;
    };
    const argv = ["sh", "-c", "echo begun; sleep 60"] as const;
    const running = connector.run({ argv }, { onLine }).catch((error) => error);
    await waitFor(() => expect(hasBegun).toBe(true));
    proxy.swallow(true);
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
    proxy.swallow(false);
    expect(await connector.run({ argv: ["echo", "back"] })).toMatchObject({ stdout: "back\n" });
    expect(proxy.counts.connections).toBe(2);
  });

  it("that never answers holds up nobody, and is let go when it answers late", async () => {
    const { target } = await openScripted();
    let answer = () => {};
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const jump = await startJump({ answers });
    onTestFinished(() => jump.stop());
    const pool = openPool({ connectMs: 4_000 });
    await expect(pool.fetchHostKey({ ...target, via: jump.target })).rejects.toMatchObject({ reason: "timed-out" });
    answer();
    await waitFor(() => expect(jump.counts.closed).toBe(1));
  });

  it("is waited for no longer than whoever asks for its key wants", async () => {
    const { target } = await openScripted();
    const via = await openJump({ answers: new Promise(() => {}) });
    const calledOff = new AbortController();
    const asking = openPool({ connectMs: 600_000 }).fetchHostKey({ ...target, via }, calledOff.signal);
    calledOff.abort(new Error("Called off."));
    await expect(asking).rejects.toThrow("Called off.");
  });
});

it("says which of two hosts is out of reach", async () => {
  const { target } = await openScripted();
  const jump = await openJump();
  const why = await whyNot({ ...target, port: await findFreePort(), via: jump });
  expect(why).toMatchObject({ reason: "refused" });
  expect(await whyNot({ ...target, via: { ...jump, port: await findFreePort() } })).toMatchObject({
    reason: "refused",
  });
});

describe("being let in", () => {
  const password = "correct horse";
  const byPassword = (context: AuthContext) => {
    if (context.method === "password" && context.password === password) context.accept();
    else context.reject(["password"]);
  };
  const byQuestion = (context: AuthContext) => {
    if (context.method !== "keyboard-interactive") {
      context.reject(["keyboard-interactive"]);
      return;
    }
    context.prompt([{ prompt: "Password: ", echo: false }], (answers) => {
      if (answers[0] === password) context.accept();
      else context.reject();
    });
  };

  it.each([
    ["by password", byPassword],
    ["by a question that the password answers", byQuestion],
  ])("%s", async (_, authenticate) => {
    const { target } = await openScripted({ authenticate });
    const connector = openPool().connect({ ...target, credentials: { password } });
    expect(await connector.run({ argv: ["echo", "in"] })).toMatchObject({ stdout: "in\n" });
    const why = await whyNot({ ...target, credentials: { password: "wrong" } });
    expect(why).toMatchObject({ reason: "auth-refused" });
    expect(JSON.stringify(why) + why.message).not.toContain("wrong");
  });

  it("by the second of two keys", async () => {
    const { target } = await openScripted();
    const privateKeys = [{ key: makeKeyPair().private }, ...(target.credentials.privateKeys ?? [])];
    const connector = openPool().connect({ ...target, credentials: { privateKeys } });
    expect(await connector.run({ argv: ["true"] })).toMatchObject({ exitCode: 0 });
  });

  it("is not tried with a key that cannot be read, nor with nothing", async () => {
    const { target, counts } = await openScripted();
    const broken = { privateKeys: [{ key: "-----BEGIN OPENSSH PRIVATE KEY-----\nnonsense" }] };
    expect(await whyNot({ ...target, credentials: broken })).toMatchObject({ reason: "credentials-unusable" });
    expect(await whyNot({ ...target, credentials: {} })).toMatchObject({ reason: "credentials-unusable" });
    expect(counts.channels).toBe(0);
  });
});

describe("one connection", () => {
  it("serves all who need the host at once, and the next after a while", async () => {
    const { target, counts } = await openScripted();
    const pool = openPool();
    const connectors = Array.from({ length: 5 }, () => pool.connect(target));
    await Promise.all(connectors.map((connector) => connector.run({ argv: ["true"] })));
    await pool.connect(target).run({ argv: ["true"] });
    expect(counts.connections).toBe(1);
  });

  it("is given up when nobody needs it, and made again", async () => {
    const { target, counts } = await openScripted();
    const connector = openPool({ idleMs: 50 }).connect(target);
    await connector.run({ argv: ["true"] });
    await waitUntil(() => counts.closed === 1);
    await connector.run({ argv: ["sleep", "0.3"] });
    expect(counts.connections).toBe(2);
  });

  it("has no more channels than the host allows, whatever that is", async () => {
    const { target, counts } = await openScripted({ sessions: 3 });
    const connector = openPool().connect(target);
    const runs = Array.from({ length: 12 }, (_, at) =>
      connector.run({ argv: ["sh", "-c", 'sleep 0.1; echo "$1"', "sh", String(at)] }),
    );
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).toEqual(runs.map((_, at) => `${at}\n`));
    expect(counts.mostAtOnce).toBeLessThanOrEqual(3);
  });

  it("takes turns: who asked first is served first", async () => {
    const { target } = await openScripted();
    // One for commands, and the one that is kept for ending them.
    const connector = openPool({ channels: 2, spares: 0 }).connect(target);
    const order: number[] = [];
    const runs = Array.from({ length: 8 }, async (_, at) => {
      await connector.run({ argv: ["sleep", "0.02"] });
      order.push(at);
    });
    await Promise.all(runs);
    expect(order).toEqual(order.map((_, place) => place));
  });

  it("is not disturbed by what a shell says of its own accord", async () => {
    const { target } = await openScripted({ greeting: "Welcome!\nLast login: never\n" });
    expect(
      await openPool()
        .connect(target)
        .run({ argv: ["echo", "hi"] }),
    ).toMatchObject({ stdout: "hi\n" });
  });
});
