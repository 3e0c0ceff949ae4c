// Composer: a growing text field with a send button, above a phone's keyboard.
import { SendHorizontal, X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { createStore, useStore } from '#src/lib/store.ts'

export interface ComposerProps {
  readonly value: string
  /** Name of the field and of the form. */
  readonly label: string
  readonly placeholder: string
  readonly sendLabel: string
  /** Whether there is something to send. */
  readonly canSend: boolean
  /** What is wrong with the text; it cannot be sent. */
  readonly problem: string | undefined
  /** The length and its limit, near the limit. */
  readonly count: string | undefined
  /** What the text replies to. */
  readonly reply?:
    | { readonly label: string; readonly endLabel: string; readonly onEnd: () => void }
    | undefined
  /** The field is focused whenever this number grows. */
  readonly focusRequests: number
  /** Whether Enter alone sends; otherwise it breaks the line, and Ctrl or ⌘ with Enter sends. */
  readonly sendsByEnter?: boolean
  /** Beside the field. */
  readonly before?: ReactNode
  /** Above the field: what is sent with the text. */
  readonly above?: ReactNode
  readonly onChange: (value: string) => void
  readonly onSend: () => void
  /** The focus has left the form; `isOutside` tells later whether it still has. */
  readonly onLeave?: (isOutside: () => boolean) => void
}

export function Composer(it: ComposerProps) {
  const notes = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const focusField = useEffectEvent(() => box.current?.focus())
  useEffect(() => {
    if (it.focusRequests > 0) focusField()
  }, [it.focusRequests])
  const hidden = useCovered()
  const send = () => it.canSend && it.problem === undefined && it.onSend()
  return (
    <form
      aria-label={it.label}
      onSubmit={(event) => {
        event.preventDefault()
        send()
        box.current?.focus()
      }}
      style={hidden > 0 ? { transform: `translateY(-${hidden}px)` } : {}}
      className="border-t border-line bg-paper px-2 py-1.5 rail:px-4"
    >
      {it.reply && (
        <p className="flex items-center pl-2 text-sm text-soft">
          <span className="min-w-0 flex-1 truncate">{it.reply.label}</span>
          <IconButton
            label={it.reply.endLabel}
            icon={<X size={18} />}
            onClick={() => {
              it.reply?.onEnd()
              box.current?.focus()
            }}
          />
        </p>
      )}
      {it.above}
      <div className="flex items-end gap-1">
        {it.before}
        <Field it={it} box={box} notes={notes} onSend={send} />
        <SendButton label={it.sendLabel} disabled={!it.canSend || it.problem !== undefined} />
      </div>
      <p
        id={notes}
        className={cx('px-4 text-xs tabular-nums', it.problem === undefined ? 'text-soft' : 'text-seal-text')}
      >
        {it.count}
        {it.problem !== undefined && ` ${it.problem}`}
      </p>
    </form>
  )
}

interface FieldProps {
  readonly it: ComposerProps
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly notes: string
  readonly onSend: () => void
}

function Field({ it, box, notes, onSend }: FieldProps) {
  return (
    <textarea
      ref={box}
      dir="auto"
      value={it.value}
      rows={1}
      aria-label={it.label}
      aria-describedby={notes}
      aria-invalid={it.problem === undefined ? undefined : true}
      placeholder={it.placeholder}
      enterKeyHint={it.sendsByEnter ? 'send' : 'enter'}
      onChange={(event) => it.onChange(event.target.value)}
      onKeyDown={(event) => {
        if (!isSending(event, it.sendsByEnter ?? false)) return
        event.preventDefault()
        onSend()
      }}
      onBlur={({ relatedTarget, currentTarget: { form } }) => {
        // A change to another window is no leaving.
        if (document.hasFocus() && !form?.contains(relatedTarget))
          it.onLeave?.(() => !form?.contains(document.activeElement))
      }}
      className="field-sizing-content max-h-40 min-h-11 min-w-0 flex-1 resize-none rounded-[22px] border border-edge bg-raised px-4 py-2.5 outline-none focus:border-ink"
    />
  )
}

function SendButton({ label, disabled }: { label: string; disabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label={label}
      title={label}
      disabled={disabled}
      className="grid size-11 shrink-0 place-items-center rounded-pill text-seal-text hover:bg-sunk disabled:text-soft disabled:opacity-60"
    >
      <SendHorizontal aria-hidden size={22} />
    </button>
  )
}

/** Enter that commits an IME composition never sends. Safari reports a composition only by the key code. */
function isSending(event: KeyboardEvent, byEnter: boolean): boolean {
  const { isComposing, keyCode } = event.nativeEvent
  if (event.key !== 'Enter' || isComposing || keyCode === 229) return false
  return event.ctrlKey || event.metaKey || (byEnter && !event.shiftKey)
}

/** The height covered by the keyboard, px. Measured at changes, since rendering must not force a layout. */
function measured(): number {
  const seen = window.visualViewport
  if (!seen || seen.scale > 1) return 0
  return Math.max(0, Math.round(window.innerHeight - seen.height - seen.offsetTop))
}

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

/** Height of the page covered by a keyboard, px; other browsers than on iOS shrink the page. */
export const useCovered = (): number => useStore(covered)
