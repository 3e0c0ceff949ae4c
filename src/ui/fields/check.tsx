// Check: a checkbox whose label may contain links.
import { Checkbox } from '@base-ui/react/checkbox'
import { Check as Tick } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { FieldNotes } from './field.tsx'

interface CheckProps {
  label: ReactNode
  hint?: string
  error?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: () => void
  disabled?: boolean
  /** Content at the end of the line, a price for instance. */
  aside?: ReactNode
}

export function Check({
  label,
  hint,
  error,
  checked,
  onChange,
  onBlur,
  disabled = false,
  aside,
}: CheckProps) {
  const id = useId()
  const notes = hint || error ? `${id}-notes` : undefined
  return (
    <div>
      <div className="flex min-h-11 items-center gap-1">
        <Checkbox.Root
          id={id}
          nativeButton
          render={<button type="button" />}
          checked={checked}
          onCheckedChange={(next) => onChange(next)}
          onBlur={onBlur}
          disabled={disabled}
          aria-describedby={notes}
          aria-invalid={error ? true : undefined}
          className="group -ml-2.5 grid size-11 shrink-0 place-items-center rounded-pill disabled:opacity-50"
        >
          <span className="grid size-6 place-items-center rounded-[6px] border border-edge bg-raised transition-colors group-aria-invalid:border-seal-text group-data-checked:border-ink group-data-checked:bg-ink">
            <Checkbox.Indicator>
              <Tick aria-hidden size={18} strokeWidth={3} className="text-paper" />
            </Checkbox.Indicator>
          </span>
        </Checkbox.Root>
        <label htmlFor={id} className="min-w-0 flex-1 py-2">
          {label}
        </label>
        {aside}
      </div>
      <FieldNotes id={notes} hint={hint} error={error} />
    </div>
  )
}
