// Shows toasts; those shown before the list is mounted wait.

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

export interface Toast {
  sentence: string
  type: ToastType
  /** Duration, ms; the default duration when undefined. */
  ms?: number
}

const waiting: Toast[] = []
let listener: ((toast: Toast) => void) | undefined

export function toast(sentence: string, type: ToastType = 'default', ms?: number): void {
  const it: Toast = { sentence, type, ...(ms === undefined ? {} : { ms }) }
  if (listener) listener(it)
  else waiting.push(it)
}

/** Passes every toast to `show` until the returned function is called. */
export function listenForToasts(show: (toast: Toast) => void): () => void {
  listener = show
  for (const it of waiting.splice(0)) show(it)
  return () => {
    if (listener === show) listener = undefined
  }
}

/** A displayed toast. */
export interface ShownToast {
  readonly id: string
  readonly type: ToastType
}

/**
 * The displayed toasts that a new one replaces, so that two sentences cannot contradict each other. An error stays
 * beside the next toast, unless that is an error too.
 */
export function replacedBy(next: ToastType, shown: readonly ShownToast[]): readonly string[] {
  return shown.filter(({ type }) => type !== 'error' || next === 'error').map(({ id }) => id)
}
