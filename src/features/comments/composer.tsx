// Composer: the field of a new comment, above a phone's keyboard.
import { SendHorizontal, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, type KeyboardEvent } from 'react'
import { createStore, useStore } from '#src/lib/store.ts'
import { MAX_COMMENT } from '#contract/limits.ts'
import { number } from '#src/lib/format.ts'
import { isInvisible, lengthOf } from '#contract/text/text-rule.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { commentsText as words } from './text.ts'
import { afterPress } from '#src/lib/after-press.ts'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { Outbox } from './outbox.ts'

/** Share of the limit from which the count is shown. */
const NEAR = 0.9

export function Composer({ outbox }: { outbox: Outbox }) {
  const { typed, to } = outbox
  const length = lengthOf(typed.trim(), MAX_COMMENT)
  const over = length - MAX_COMMENT
  const wrong = over > 0 ? words.tooLong(over) : textSentence(typed.trim(), MAX_COMMENT)
  const notes = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const focusField = useEffectEvent(() => box.current?.focus())
  useEffect(() => {
    if (outbox.writeRequests > 0) focusField()
  }, [outbox.writeRequests])
  const hidden = useStore(covered)
  const stopReply = () => {
    outbox.replyTo(null)
    box.current?.focus()
  }
  const send = () => wrong === undefined && !isInvisible(typed) && outbox.send()
  return (
    <form
      aria-label={words.write}
      onSubmit={(event) => {
        event.preventDefault()
        send()
        box.current?.focus()
      }}
      style={hidden > 0 ? { transform: `translateY(-${hidden}px)` } : {}}
      className="border-t border-line bg-paper px-2 py-1.5 rail:px-4"
    >
      {to && <ReplyTarget name={to.name} onStop={stopReply} />}
      <div className="flex items-end gap-1">
        <textarea
          ref={box}
          dir="auto"
          value={typed}
          rows={1}
          aria-label={to ? words.replyTo(to.name) : words.write}
          aria-describedby={notes}
          aria-invalid={wrong === undefined ? undefined : true}
          placeholder={to ? words.reply : words.write}
          onChange={(event) => outbox.type(event.target.value)}
          onKeyDown={(event) => sends(event) && send()}
          onBlur={({ relatedTarget, currentTarget: { form } }) => {
            // A change to another window does not close the composer.
            if (document.hasFocus() && !form?.contains(relatedTarget))
              afterPress(() => !form?.contains(document.activeElement) && outbox.close())
          }}
          className="field-sizing-content max-h-40 min-h-11 min-w-0 flex-1 resize-none rounded-[22px] border border-edge bg-raised px-4 py-2.5 outline-none focus:border-ink"
        />
        <SendButton disabled={isInvisible(typed) || wrong !== undefined} />
      </div>
      <p
        id={notes}
        className={cx('px-4 text-xs tabular-nums', wrong === undefined ? 'text-soft' : 'text-seal-text')}
      >
        {length > MAX_COMMENT * NEAR && `${number(length)} / ${number(MAX_COMMENT)}`}
        {wrong !== undefined && ` ${wrong}`}
      </p>
    </form>
  )
}

/** The person whom a reply answers, with a button that makes it a comment. */
function ReplyTarget({ name, onStop }: { name: string; onStop: () => void }) {
  return (
    <p className="flex items-center pl-2 text-sm text-soft">
      <span className="min-w-0 flex-1 truncate">{words.replyTo(name)}</span>
      <IconButton label={words.stopReply} icon={<X size={18} />} onClick={onStop} />
    </p>
  )
}

function SendButton({ disabled }: { disabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label={words.send}
      title={words.send}
      disabled={disabled}
      className="grid size-11 shrink-0 place-items-center rounded-pill text-seal-text hover:bg-sunk disabled:text-soft disabled:opacity-60"
    >
      <SendHorizontal aria-hidden size={22} />
    </button>
  )
}

/**
 * Enter breaks the line or commits an IME composition; with Ctrl or ⌘ it sends. Safari reports a composition only by
 * the key code.
 */
function sends(event: KeyboardEvent): boolean {
  const { isComposing, keyCode } = event.nativeEvent
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing && keyCode !== 229
}

/** The height covered by the keyboard, px. Measured at changes, since rendering must not force a layout. */
function measured(): number {
  const seen = window.visualViewport
  if (!seen || seen.scale > 1) return 0
  return Math.max(0, Math.round(window.innerHeight - seen.height - seen.offsetTop))
}

/** Height of the page covered by a keyboard, px; other browsers than on iOS shrink the page. */
const covered = createStore(0, (set) => {
  const seen = window.visualViewport
  const look = () => set(measured())
  seen?.addEventListener('resize', look)
  seen?.addEventListener('scroll', look)
  return () => {
    seen?.removeEventListener('resize', look)
    seen?.removeEventListener('scroll', look)
    set(0)
  }
})
