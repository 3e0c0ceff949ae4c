// Whether the destinations stand beside the page, as a rail, or under it, as tabs: only what is seen is drawn.
import { useSyncExternalStore } from 'react'

/** `--breakpoint-rail` of styles.css. */
const WIDE = '(min-width: 768px)'

let wide: MediaQueryList | undefined
const query = () => (wide ??= window.matchMedia(WIDE))

function subscribe(changed: () => void): () => void {
  query().addEventListener('change', changed)
  return () => query().removeEventListener('change', changed)
}

export function useBeside(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
