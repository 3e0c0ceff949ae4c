// Decides whether a viewer may open a page, by the access of its route.
import type { Viewer } from './viewer-state.ts'

/** Anyone, only people without a session, only people with one, or only the operator's staff. */
export type Access = 'open' | 'guest' | 'member' | 'staff'

/** Open the page, sign in first, go home, or show that there is no such page. */
export type Entry = 'enter' | 'sign-in' | 'home' | 'not-found'

/** Only prevents pages that would stay empty; the server checks every call. */
export function entryOf(access: Access, viewer: Exclude<Viewer, { is: 'loading' }>): Entry {
  const isSignedIn = viewer.is === 'authenticated'
  switch (access) {
    case 'open':
      return 'enter'
    case 'guest':
      return isSignedIn ? 'home' : 'enter'
    case 'member':
      return isSignedIn ? 'enter' : 'sign-in'
    case 'staff':
      return isSignedIn && viewer.user.role !== 'member' ? 'enter' : 'not-found'
    default:
      return access satisfies never
  }
}
