// TextWithTemplate: the text of a decision, written or taken from a template.
import { useQuery } from '@tanstack/react-query'
import { MAX_DECISION_TEXT, type templateUses } from '#contract/moderation/measures.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { templatesQuery } from './cases.ts'
import { casesText as words } from './text.ts'

type TemplateUse = (typeof templateUses)[number]

interface TextWithTemplateProps {
  use: TemplateUse
  label: string
  hint: string
  value: string
  /** Whether the form was submitted, so that what is missing is named. */
  pressed: boolean
  onChange: (value: string) => void
}

/** Whether a text can be sent. */
export const isSendable = (value: string): boolean =>
  value.trim() !== '' && lengthOf(value, MAX_DECISION_TEXT) <= MAX_DECISION_TEXT

export function TextWithTemplate({ use, label, hint, value, pressed, onChange }: TextWithTemplateProps) {
  const length = lengthOf(value, MAX_DECISION_TEXT)
  const missing = pressed && value.trim() === '' ? words.required : undefined
  return (
    <div className="flex flex-col">
      <Field
        label={label}
        hint={hint}
        error={length > MAX_DECISION_TEXT ? fieldSentence('too_long', MAX_DECISION_TEXT) : missing}
        count={{ now: length, max: MAX_DECISION_TEXT }}
      >
        <TextArea value={value} onChange={(event) => onChange(event.target.value)} className="min-h-28" />
      </Field>
      <TemplateSelect use={use} label={label} onChoose={onChange} />
    </div>
  )
}

interface TemplateSelectProps {
  use: TemplateUse
  /** Of the field that receives the text. */
  label: string
  onChoose: (text: string) => void
}

/** Chooses the text of a template; nothing without templates of this use. */
export function TemplateSelect({ use, label, onChoose }: TemplateSelectProps) {
  const templates = useQuery(templatesQuery).data?.templates.filter((it) => it.use === use) ?? []
  if (templates.length === 0) return null
  return (
    <Select
      aria-label={`${label}：${words.pickTemplate}`}
      className="mt-2"
      value=""
      placeholder={words.pickTemplate}
      options={templates.map((it) => ({ value: it.id, label: it.name }))}
      onChange={(event) => {
        const chosen = templates.find((it) => it.id === event.target.value)
        if (chosen) onChoose(chosen.text)
      }}
    />
  )
}
