import { useId } from "preact/hooks";

interface Props {
  label: string;
  value: string;
  onInput: (value: string) => void;
}

export function Search({ label, value, onInput }: Props) {
  const id = useId();
  return (
    <div class="field search">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={value}
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
