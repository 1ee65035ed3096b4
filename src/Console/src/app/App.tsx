import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { begin, can, isKnown, me } from "../api/session.ts";
import { Empty } from "../parts/Empty.tsx";
import { Fault } from "../parts/Fault.tsx";
import { Page } from "../parts/Page.tsx";
import { LoginPage } from "./LoginPage.tsx";
import { type PageRow, pages } from "./pages.ts";
import { path, visit } from "./router.ts";
import { Shell } from "./Shell.tsx";

export function App() {
  const [error, setError] = useState<unknown>(null);
  const ask = () => {
    setError(null);
    begin().catch(setError);
  };
  useEffect(ask, []);
  if (error)
    return (
      <main class="login">
        <Fault error={error} retry={ask} />
      </main>
    );
  if (!isKnown.value) return null;
  if (!me.value) return <LoginPage />;
  return (
    <Shell>
      <Current key={`${path.value} ${visit.value}`} />
    </Shell>
  );
}

function Current() {
  const page = pages.find((one) => one.path === path.value);
  if (!page)
    return (
      <Page title="No such page">
        <p>
          There is nothing at <code>{path.value}</code>. <a href="/">Go to the overview</a>.
        </p>
      </Page>
    );
  if (!can(page.permission))
    return (
      <Page title={page.title}>
        <Empty what="Your roles do not allow you to see this page.">Log in as a user with more rights.</Empty>
      </Page>
    );
  return <Loaded page={page} />;
}

const loaded = new Map<string, ComponentType>();

function Loaded({ page }: { page: PageRow }) {
  const [error, setError] = useState<unknown>(null);
  const [, setDone] = useState(false);
  const load = () => {
    setError(null);
    page.load().then((module) => {
      loaded.set(page.path, module.default);
      setDone(true);
    }, setError);
  };
  const Shown = loaded.get(page.path);
  useEffect(() => {
    if (!Shown) load();
  }, []);
  if (Shown) return <Shown />;
  return error ? (
    <Page title={page.title}>
      <Fault error={error} retry={load} />
    </Page>
  ) : null;
}
