import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/problem.ts";
import { endedBecause, logInByPassword, logInByToken } from "../api/session.ts";
import { Fault } from "../parts/Fault.tsx";
import { Note } from "../parts/State.tsx";
import { Brand } from "./Brand.tsx";
import { ThemeChoice } from "./ThemeChoice.tsx";

/** Minutes without input until the login is forgotten. */
const IDLE = [
  { minutes: 15, text: "after 15 minutes without input" },
  { minutes: 60, text: "after an hour without input" },
  { minutes: null, text: "never while this page is open (for a display in a control room)" },
];

export function LoginPage() {
  const [isToken, setToken] = useState(false);
  const [idle, setIdle] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const ids = { name: useId(), password: useId(), token: useId(), idle: useId() };

  useEffect(() => {
    document.title = "Log in – OPC UA Gateway";
    first.current?.focus();
  }, [isToken]);

  const submit = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const minutes = IDLE[idle]?.minutes ?? null;
    setBusy(true);
    setError(null);
    try {
      if (isToken) await logInByToken(String(given.get("token")), minutes);
      else await logInByPassword(String(given.get("user")), String(given.get("password")), minutes);
    } catch (failure) {
      setError(failure);
      setBusy(false);
      first.current?.focus();
    }
  };

  return (
    <main class="login">
      <form
        class="panel login-card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <Brand />
        <h1>Log in</h1>
        {endedBecause.value && <Note kind="info">{endedBecause.value}</Note>}
        {isRejected(error) ? (
          <div role="alert">
            <Note kind="fault">
              <strong>The gateway does not take this login.</strong> Check the name, the password and the capital
              letters. After several failures it answers more slowly.
            </Note>
          </div>
        ) : (
          <Fault error={error} />
        )}
        {isToken ? (
          <div class="field" key="token">
            <label for={ids.token}>Token</label>
            <textarea ref={first} id={ids.token} name="token" rows={4} required autocomplete="off" spellcheck={false} />
          </div>
        ) : (
          <>
            <div class="field">
              <label for={ids.name}>Name</label>
              <input ref={first} id={ids.name} name="user" required autocomplete="username" spellcheck={false} />
            </div>
            <div class="field">
              <label for={ids.password}>Password</label>
              <input id={ids.password} name="password" type="password" required autocomplete="current-password" />
            </div>
          </>
        )}
        <div class="field">
          <label for={ids.idle}>Log out</label>
          <select id={ids.idle} value={idle} onChange={(event) => setIdle(event.currentTarget.selectedIndex)}>
            {IDLE.map((one, index) => (
              <option key={one.text} value={index}>
                {one.text}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Logging in …" : "Log in"}
        </button>
        <button
          type="button"
          class="link"
          onClick={() => {
            setToken(!isToken);
            setError(null);
          }}
        >
          {isToken ? "Log in with name and password" : "Log in with a token of your login service"}
        </button>
        <p class="small muted">
          This page keeps the login in its memory alone. Reloading or closing the page forgets it.
        </p>
        <ThemeChoice />
      </form>
    </main>
  );
}

function isRejected(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
