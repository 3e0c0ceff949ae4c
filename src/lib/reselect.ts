// Notifies the open page that its own navigation item was pressed again.
import { createSignal } from './store.ts'

const presses = createSignal()

/** The way to the page that is open was pressed. */
export const reselected = presses.emit

/** Calls back at each such press, until the returned function is called. */
export const onReselected = presses.subscribe
