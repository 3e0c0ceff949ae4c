// Field: a label, a control, and what belongs to them: hint, count, error.
import { CircleAlert } from 'lucide-react'
import { createContext, use, useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from '#src/ui/cx.ts'

export const controlClass =
  'block w-full min-h-12 rounded-field border border-edge bg-raised px-3 text-ink transition-colors hover:border-ink focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-ink aria-invalid:border-seal-text aria-invalid:focus:outline-seal-text disabled:border-line disabled:bg-sunk disabled:text-soft'

export interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Number of characters and its limit. */
  count?: { now: number; max: number } | undefined
  /** Shown beside the label of an optional field. */
  optional?: string | undefined
  /** Id of further notes elsewhere that describe the control. */
  moreNotes?: string | undefined
  children: ReactNode
  className?: string | undefined
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const Wires = createContext<Wiring | undefined>(undefined)

/** Attributes that connect a control to its Field's label and notes; none outside a Field. */
export function useFieldControl(): Partial<Wiring> {
  return use(Wires) ?? {}
}

export function Field(props: FieldProps) {
  const { label, hint, error, count, optional, moreNotes, children, className } = props
  const id = useId()
  const notes = hint || error ? `${id}-notes` : undefined
  const described = [notes, moreNotes].filter((it) => it !== undefined).join(' ')
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="flex items-baseline gap-2 text-sm font-semibold">
        {label}
        {optional && <span className="font-normal text-soft">{optional}</span>}
      </label>
      <Wires
        value={{ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined }}
      >
        {children}
      </Wires>
      <FieldNotes id={notes} hint={hint} error={error} count={count} />
    </div>
  )
}

interface NotesProps extends Pick<FieldProps, 'hint' | 'error' | 'count'> {
  id: string | undefined
}

export function FieldNotes({ id, hint, error, count }: NotesProps) {
  if (!hint && !error && !count) return null
  return (
    <div className="flex items-start gap-3 text-sm">
      <div id={id} className="min-w-0 flex-1">
        {error ? (
          <p className="flex gap-1.5 text-seal-text">
            <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
            <span>{error}</span>
          </p>
        ) : (
          <p className="text-soft">{hint}</p>
        )}
      </div>
      {count && <Count {...count} />}
    </div>
  )
}

function Count({ now, max }: { now: number; max: number }) {
  const shown = `${now.toLocaleString('ja-JP')} / ${max.toLocaleString('ja-JP')}`
  return (
    <span className={cx('shrink-0 tabular-nums', now > max ? 'text-seal-text' : 'text-soft')}>{shown}</span>
  )
}

/** One line of text inside a Field. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...rest} className={cx(controlClass, className)} />
}

/** Several lines of text inside a Field; it grows with what is written. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      rows={4}
      {...useFieldControl()}
      {...rest}
      className={cx(controlClass, 'field-sizing-content min-h-28 py-2.5 text-read', className)}
    />
  )
}
