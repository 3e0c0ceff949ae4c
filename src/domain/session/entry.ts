// Who may enter a page, decided in one place from what its route states.
import type { Viewer } from './viewer-state.ts'

/** Anyone, only people without a session, only people with one, or only admins. */
export type Access = 'open' | 'guest' | 'member' | 'admin'

/** Come in, sign in first, go home, or: there is no such page. */
export type Entry = 'enter' | 'sign-in' | 'home' | 'not-found'

/** The server decides again at every call; this only saves people a page that would stay empty. */
export function entryOf(access: Access, viewer: Exclude<Viewer, { is: 'loading' }>): Entry {
  const known = viewer.is === 'authenticated'
  switch (access) {
    case 'open':
      return 'enter'
    case 'guest':
      return known ? 'home' : 'enter'
    case 'member':
      return known ? 'enter' : 'sign-in'
    case 'admin':
      return known && viewer.user.role === 'admin' ? 'enter' : 'not-found'
    default:
      return access satisfies never
  }
}
