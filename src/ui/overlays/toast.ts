// Shows toasts; those shown before the list is mounted wait.

export type ToastType = 'info' | 'success' | 'warning' | 'error' | 'default'

export interface Toast {
  sentence: string
  type: ToastType
  /** Stays this long, ms; as long as every other when not said. */
  ms?: number
}

const waiting: Toast[] = []
let listener: ((toast: Toast) => void) | undefined

export function toast(sentence: string, type: ToastType = 'default', ms?: number): void {
  const it: Toast = { sentence, type, ...(ms === undefined ? {} : { ms }) }
  if (listener) listener(it)
  else waiting.push(it)
}

/** Hands every toast to the one place that shows them, until the returned function is called. */
export function listenForToasts(show: (toast: Toast) => void): () => void {
  listener = show
  for (const it of waiting.splice(0)) show(it)
  return () => {
    if (listener === show) listener = undefined
  }
}

/** A toast that is shown. */
export interface ShownToast {
  readonly id: string
  readonly type: ToastType
}

/**
 * Which of the shown toasts a new one replaces: two sentences about the state of one thing could contradict each other.
 * An error that was not read yet stays for its time beside the next toast, unless that one is an error as well.
 */
export function replacedBy(next: ToastType, shown: readonly ShownToast[]): readonly string[] {
  return shown.filter(({ type }) => type !== 'error' || next === 'error').map(({ id }) => id)
}
