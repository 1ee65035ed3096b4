export function Brand() {
  return (
    <div class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#0b5cad" />
        <path
          d="M7 10h6l3 6 3-6h6M7 22h6l3-6 3 6h6"
          fill="none"
          stroke="#fff"
          stroke-width="2.5"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      <span>OPC UA Gateway</span>
    </div>
  );
}
