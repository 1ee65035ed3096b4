const PATHS = {
  ok: "M8 12.5l2.7 2.7L16.5 9.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  warning: "M12 9.5v4M12 17h.01M10.3 4.2L2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z",
  fault: "M12 7.5v5.5M12 16.5h.01M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z",
  info: "M12 11v5.5M12 7.5h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  none: "M8 12h8M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  overview: "M3 13h4l3-8 4 14 3-6h4",
  alarms: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4M12 3v2",
  clients:
    "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM1.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14.3c2.9.6 4.6 2.5 5 5.7",
  admission: "M4 21V4h10v17M14 6l6 2v13M2 21h20M10.5 12.5h.01",
  certificates: "M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM8.5 13l-1.5 8 5-2.5 5 2.5-1.5-8",
  nodes: "M6 4v14h5M6 9h5M14 6.5h7v5h-7zM14 15.5h7v5h-7zM3 2h6v4H3z",
  upstreams: "M12 15V3M8 7l4-4 4 4M4 14v5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5",
  trace: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.5 16.5L21 21M11 8v3.5M11 14h.01",
  configuration:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a text that says the same; screen readers get the text alone. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
