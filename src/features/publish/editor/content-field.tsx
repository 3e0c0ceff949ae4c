// ContentField: the text of the post, with its saved state.
import { publishText } from '#src/features/publish/text.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { number } from '#src/lib/format.ts'
import { cx } from '#src/ui/cx.ts'
import { FieldNotes } from '#src/ui/fields/field.tsx'
import { lengthOf } from '#contract/text/text-rule.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import type { DraftProblems } from './rules.ts'

interface ContentFieldProps {
  value: string
  max: number
  problem: DraftProblems['content'] | undefined
  /** The last change could not be stored. */
  unsaved: boolean
  /** Whether the draft is stored on the device. */
  stored: boolean
  onChange: (content: string) => void
}

const words = publishText
/** Share of the limit from which the count is shown. */
const NEAR = 0.9

export function ContentField({ value, max, problem, unsaved, stored, onChange }: ContentFieldProps) {
  const id = useId()
  const length = lengthOf(value, max)
  const error = textSentence(value, max) ?? (problem === 'empty' ? words.contentEmpty : undefined)
  const notes = error === undefined ? undefined : `${id}-notes`
  return (
    <div className="px-4 pt-4 rail:px-6">
      <textarea
        dir="auto"
        id={id}
        aria-label={words.content}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={notes}
        placeholder={words.placeholder}
        value={value}
        rows={5}
        onChange={(event) => onChange(event.target.value)}
        className="field-sizing-content block min-h-36 w-full resize-none bg-transparent text-lg leading-[1.75] outline-none"
      />
      <div className="mt-1 flex min-h-6 items-center justify-between gap-3 text-sm text-soft">
        <Saved unsaved={unsaved} stored={stored} />
        {length > max * NEAR && (
          <span className={cx('tabular-nums', length > max && 'text-seal-text')}>
            {number(length)} / {number(max)}
          </span>
        )}
      </div>
      {error !== undefined && <FieldNotes id={notes} error={error} />}
    </div>
  )
}

function Saved({ unsaved, stored }: { unsaved: boolean; stored: boolean }) {
  if (unsaved) {
    return (
      <output className="inline-flex items-center gap-1.5 text-care-text">
        <TriangleAlert aria-hidden size={16} />
        {words.unsaved}
      </output>
    )
  }
  return (
    <output className="inline-flex items-center gap-1.5">
      {stored && (
        <>
          <Check aria-hidden size={16} />
          {words.saved}
        </>
      )}
    </output>
  )
}
