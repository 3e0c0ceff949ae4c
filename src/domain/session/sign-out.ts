// Somebody pressed ログアウト, wherever that stood: one question about it for the whole app.
import { createStore } from '#src/lib/store.ts'

const asked = createStore(false)

export const signingOut = {
  ask: () => asked.set(true),
  over: () => asked.set(false),
  isAsked: () => asked.get(),
}

/** Whether the person wants to sign out, and has not said yes or no to what that means. */
export const useSigningOut = (): boolean => asked.use()
