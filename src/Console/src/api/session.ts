import { computed, signal } from "@preact/signals";
import { get, onRefused, setAuthorization } from "./client.ts";
import { ApiError } from "./problem.ts";
import type { Me, Permission } from "./types.ts";

const CHANGES: Permission[] = ["endClients", "manageCertificates", "manageConfiguration"];

/** Asked once at the start: is a login needed? */
export const isKnown = signal(false);

export const me = signal<Me | null>(null);

/** Why the user is at the login page again, in words; null at the first time. */
export const endedBecause = signal<string | null>(null);

/** A user who may change neither the plant nor the gateway. */
export const isReadOnly = computed(() => {
  const user = me.value;
  return user !== null && !user.canWrite && !CHANGES.some((one) => user.permissions.includes(one));
});

export function can(permission: Permission): boolean {
  return me.value?.permissions.includes(permission) ?? false;
}

/** Minutes without a key or a pointer until the login is forgotten; null: never. */
const idleMinutes = signal<number | null>(15);

let lastInput = Date.now();

/** With --demo on the gateway's own machine no login is needed: then there is a user at once. */
export async function begin(): Promise<void> {
  setAuthorization(null);
  try {
    me.value = await get<Me>("/me");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  } finally {
    isKnown.value = true;
  }
}

export async function logInByPassword(user: string, password: string, idle: number | null): Promise<void> {
  await logIn(`Basic ${toBase64(`${user}:${password}`)}`, idle);
}

export async function logInByToken(token: string, idle: number | null): Promise<void> {
  await logIn(`Bearer ${token.trim()}`, idle);
}

async function logIn(value: string, idle: number | null): Promise<void> {
  setAuthorization(value);
  try {
    const answer = await get<Me>("/me");
    idleMinutes.value = idle;
    lastInput = Date.now();
    endedBecause.value = null;
    me.value = answer;
  } catch (error) {
    setAuthorization(null);
    throw error;
  }
}

export function logOut(because: string | null): void {
  setAuthorization(null);
  endedBecause.value = because;
  me.value = null;
}

/** Ends the login when nobody is there, or when its token has come to its end. */
export function endIfOver(now: number): void {
  const user = me.value;
  if (!user || user.kind === "anonymous") return;
  const idle = idleMinutes.value;
  if (idle !== null && now - lastInput >= idle * 60_000)
    logOut(`Nothing was done here for ${idle} minutes: you are logged out.`);
  else if (user.expiresAt && now >= Date.parse(user.expiresAt)) logOut("Your token has come to its end: log in again.");
}

/** Looks after the end of the login. Called once. */
export function watchLogin(): void {
  const seen = () => {
    lastInput = Date.now();
  };
  for (const event of ["pointerdown", "keydown", "wheel"]) addEventListener(event, seen, { passive: true });
  setInterval(() => endIfOver(Date.now()), 5_000);
  onRefused(() => {
    if (me.value) logOut("The gateway no longer takes this login.");
  });
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
