// The viewer of this page, the token it sends, and listeners for changes.
import type { SessionUser } from '#contract/accounts/session.ts'
import { createStore } from '#src/lib/store.ts'

export type Viewer =
  | { is: 'loading' }
  | { is: 'authenticated'; user: SessionUser }
  | { is: 'unauthenticated' }

/** Whether two values of JSON are equal. */
export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export type ViewerState = ReturnType<typeof createViewerState>

/** @param send sets the token of every further call */
export function createViewerState(send: (token: string | undefined) => void) {
  const viewer = createStore<Viewer>({ is: 'loading' })
  let token: string | undefined
  return {
    get: viewer.get,
    subscribe: viewer.subscribe,
    set(next: Viewer): void {
      if (!same(viewer.get(), next)) viewer.set(next)
    },
    /** Resolves at the next change. */
    changed: () =>
      new Promise<void>((resolve) => {
        const stop = viewer.subscribe(() => {
          stop()
          resolve()
        })
      }),
    token: () => token,
    useToken(next: string | undefined): void {
      token = next
      send(next)
    },
  }
}
