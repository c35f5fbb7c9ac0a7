export class Refused extends Error {}

async function answer(response) {
  if (response.status === 204) return undefined;
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(body.detail || body.error || `The answer was ${response.status}.`);
  return body;
}

const WAIT = 10000;
export const get = async (path) => answer(await fetch(path, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(WAIT) }));
export const post = async (path, body) => answer(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body || {}) }));
export const remove = async (path) => answer(await fetch(path, { method: "DELETE" }));
