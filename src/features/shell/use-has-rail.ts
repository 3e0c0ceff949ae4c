// useHasRail: whether the navigation is a rail beside the page.
import { useStore } from '#src/lib/store.ts'

/** `--breakpoint-rail` of styles.css. */
const WIDE = '(min-width: 768px)'

let wide: MediaQueryList | undefined
const query = () => (wide ??= window.matchMedia(WIDE))

function subscribe(changed: () => void): () => void {
  query().addEventListener('change', changed)
  return () => query().removeEventListener('change', changed)
}

export function useHasRail(): boolean {
  return useStore({ get: () => query().matches, subscribe })
}
