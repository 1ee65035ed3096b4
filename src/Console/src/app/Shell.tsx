import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { lostSince } from "../api/client.ts";
import { can, isReadOnly, logOut, me } from "../api/session.ts";
import { moment } from "../format/times.ts";
import { Icon } from "../parts/Icon.tsx";
import { Note } from "../parts/State.tsx";
import { Toasts } from "../parts/Toasts.tsx";
import { Brand } from "./Brand.tsx";
import { pages } from "./pages.ts";
import { path } from "./router.ts";
import { ThemeChoice } from "./ThemeChoice.tsx";

/** What is around every page: where one can go, who one is, and what concerns all pages. */
export function Shell({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="side">
        <div class="side-sticky">
          <div class="side-top">
            <Brand />
            <button
              type="button"
              class="menu-button"
              aria-expanded={isOpen}
              aria-controls="menu"
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? "close" : "menu"} />
              Menu
            </button>
          </div>
          <div class="side-body" id="menu" data-open={isOpen}>
            <nav class="nav" aria-label="Pages">
              <ul>
                {pages
                  .filter((page) => can(page.permission))
                  .map((page) => (
                    <li key={page.path}>
                      <a
                        href={page.path}
                        aria-current={path.value === page.path ? "page" : undefined}
                        onClick={() => setOpen(false)}
                      >
                        <Icon name={page.icon} />
                        {page.title}
                      </a>
                    </li>
                  ))}
              </ul>
            </nav>
            <Who />
          </div>
        </div>
      </header>
      <main class="main" id="content">
        <Banners />
        {children}
      </main>
      <Toasts />
    </div>
  );
}

function Who() {
  const user = me.value;
  if (!user) return null;
  const isNobody = user.demo && user.kind === "anonymous";
  return (
    <div class="who small">
      <div>
        <strong>{isNobody ? "Demo user" : user.name}</strong>
        <br />
        <span class="muted">{user.roles.join(", ") || "no role"}</span>
      </div>
      {isReadOnly.value && <span class="muted">You can look, and change nothing.</span>}
      <ThemeChoice />
      <button type="button" class="small-button" onClick={() => logOut(null)}>
        {isNobody ? "Log in as a user" : "Log out"}
      </button>
      <a href="/api/v1/docs/" target="_blank" rel="noreferrer">
        The API behind this page
      </a>
    </div>
  );
}

function Banners() {
  return (
    <>
      {me.value?.demo && (
        <Note kind="warning">
          <strong>Demo mode.</strong> Everybody on this machine may do everything here, and anonymous OPC UA clients may
          write and call. Never use it on a plant's network: start the gateway without <code>--demo</code>.
        </Note>
      )}
      {lostSince.value && (
        <div role="alert">
          <Note kind="fault">
            <strong>The gateway has not answered since {moment(lostSince.value.toISOString())}.</strong> What you see is
            from before. This page tries again by itself.
          </Note>
        </div>
      )}
    </>
  );
}
