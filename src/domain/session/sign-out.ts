// The sign-out dialog: one for the whole app, for every ログアウト button.
import { createStore, useStore } from '#src/lib/store.ts'

const dialog = createStore(false)

export const signOutDialog = {
  open: () => dialog.set(true),
  close: () => dialog.set(false),
  isOpen: () => dialog.get(),
}

/** Whether the sign-out dialog is open. */
export const useSignOutDialog = (): boolean => useStore(dialog)
