import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Nothing from elsewhere, nothing inline, nothing in a frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Every answer, of whatever kind, carries these and the id under which the log tells of it. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    setSecurityHeaders(request, reply);
  });
}

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...HEADERS, "x-request-id": request.id });
}
