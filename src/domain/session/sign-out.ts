// The sign-out dialog: one for the whole app, for every ログアウト button.
import { createStore, useStore } from '#src/lib/store.ts'

const dialog = createStore(false)

export const signingOut = {
  ask: () => dialog.set(true),
  over: () => dialog.set(false),
  isAsked: () => dialog.get(),
}

/** Whether the person wants to sign out, and has not said yes or no to what that means. */
export const useSigningOut = (): boolean => useStore(dialog)
