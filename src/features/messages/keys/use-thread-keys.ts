// useThreadKeys: Escape leaves a conversation, and the arrow up leads to the newest own message.
import { useLayoutEffect, useEffectEvent, type RefObject } from 'react'
import { messagesText as words } from '#src/features/messages/text.ts'

/** What handles Escape itself, or has the arrows. */
const OVERLAY = '[role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]'

interface ThreadKeys {
  /** Ends the reply that is being written; undefined without one. */
  readonly onEndReply: (() => void) | undefined
  readonly onBack: () => void
}

export function useThreadKeys(
  thread: RefObject<HTMLElement | null>,
  { onEndReply, onBack }: ThreadKeys,
): void {
  const field = () => thread.current?.querySelector('textarea')
  const escape = useEffectEvent(() => {
    if (onEndReply) onEndReply()
    else if (document.activeElement?.closest('article')) field()?.focus()
    else onBack()
  })
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { key, target } = event
      // Keys of an IME have the code 229 in Safari.
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (document.fullscreenElement || document.querySelector(OVERLAY)) return
      if (key === 'Escape') {
        event.preventDefault()
        escape()
      } else if (key === 'ArrowUp' && target instanceof HTMLTextAreaElement && target.value === '') {
        const menu = newestOwn(thread.current)
        if (!menu) return
        event.preventDefault()
        menu.focus()
      }
    }
    // Before the menus, which have left the document when the event comes to the page.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [thread])
}

/** The menu of the newest own message: there is no editing, and it has unsending, copying and replying. */
function newestOwn(thread: HTMLElement | null): HTMLElement | undefined {
  const own = thread?.querySelectorAll<HTMLElement>(
    `article[aria-label="${words.you}"] button[aria-haspopup="menu"]`,
  )
  return own && [...own].at(-1)
}
