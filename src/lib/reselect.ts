// Notifies the open page that its own navigation item was pressed again.
import { createSignal } from './store.ts'

const presses = createSignal()

/** Reports that the navigation item of the open page was pressed. */
export const emitReselected = presses.emit

/** Calls a listener at each such press, until the returned function is called. */
export const onReselected = presses.subscribe
