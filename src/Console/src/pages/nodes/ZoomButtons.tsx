import { moved, type View, zoomedIn, zoomedOut } from "./zoom.ts";

interface Props {
  /** Null: the plot goes on with time. */
  view: View | null;
  /** What is shown now, zoomed or not. */
  shown: View;
  /** Seconds that are shown without zoom. */
  seconds: number;
  onView: (view: View | null) => void;
}

/** What the pointer does by dragging, for the keyboard. */
export function ZoomButtons({ view, shown, seconds, onView }: Props) {
  const isLive = view === null;
  return (
    <div class="row">
      <button type="button" class="small-button" onClick={() => onView(zoomedIn(shown, isLive))}>
        Zoom in
      </button>
      <button type="button" class="small-button" disabled={isLive} onClick={() => onView(zoomedOut(shown, seconds))}>
        Zoom out
      </button>
      <button type="button" class="small-button" onClick={() => onView(moved(shown, -1))}>
        Earlier
      </button>
      <button type="button" class="small-button" disabled={isLive} onClick={() => onView(moved(shown, 1))}>
        Later
      </button>
      <button type="button" class="small-button" disabled={isLive} onClick={() => onView(null)}>
        Show all
      </button>
    </div>
  );
}
