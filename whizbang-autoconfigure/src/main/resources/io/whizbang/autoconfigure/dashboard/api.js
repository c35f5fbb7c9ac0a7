// Calls the operations below the page's own path.
export let session = { sections: {} };

const WAIT = 20000;
// So that Spring Security answers whoever is not logged in any more, and does not have the browser ask for a password.
const SCRIPT = { "X-Requested-With": "XMLHttpRequest" };

export class Problem extends Error {}

async function answer(response) {
  const json = (response.headers.get("Content-Type") || "").includes("json");
  if (response.redirected || (!json && response.status !== 204)) throw new Problem("You are not logged in any more. Load the page again.");
  const body = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw Object.assign(new Problem(body.error || `The answer was ${response.status}.`), { status: response.status });
  return body;
}

export async function open() {
  session = await get("session");
}

export async function get(path, parameters) {
  const query = new URLSearchParams(Object.entries(parameters || {}).filter(([, value]) => value)).toString();
  return answer(await fetch(`api/${path}${query ? `?${query}` : ""}`, { headers: { Accept: "application/json", ...SCRIPT }, signal: AbortSignal.timeout(WAIT) }));
}

const send = (method, path, body) => {
  const headers = { "Content-Type": "application/json", "X-Whizbang-Dashboard": "1", ...SCRIPT };
  if (session.csrf) headers[session.csrf.header] = session.csrf.token;
  return fetch(`api/${path}`, { method, headers, body: JSON.stringify(body || {}) });
};

async function change(method, path, body) {
  let response = await send(method, path, body);
  if (response.status === 403 || response.status === 401) {
    await open(); // the token may have changed, as it does when somebody logs in
    response = await send(method, path, body);
  }
  return answer(response);
}

export const post = (path, body) => change("POST", path, body);
export const remove = (path, body) => change("DELETE", path, body);
export const part = (text) => encodeURIComponent(text);
export const mayWrite = (endpoint) => session.sections[endpoint] === true;
