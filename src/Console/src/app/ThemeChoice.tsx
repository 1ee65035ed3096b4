import { useId } from "preact/hooks";
import { type Theme, theme } from "./theme.ts";

export function ThemeChoice() {
  const id = useId();
  return (
    <div class="row">
      <label for={id}>Theme</label>
      <select
        id={id}
        class="small-button"
        value={theme.value}
        onChange={(event) => {
          theme.value = event.currentTarget.value as Theme;
        }}
      >
        <option value="system">As the system</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </div>
  );
}
