// OpenTextsFields: fields for the title and introduction that are open to everybody.
import { type OpenTexts, openTextFields } from '#src/domain/posts/open-texts.ts'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'

interface OpenTextsFieldsProps {
  texts: OpenTexts
  onChange: (change: Partial<OpenTexts>) => void
}

export function OpenTextsFields({ texts, onChange }: OpenTextsFieldsProps) {
  const fields = openTextFields(texts)
  return (
    <div className="flex flex-col gap-4 pb-4">
      <Field {...fields.title}>
        <TextInput
          dir="auto"
          autoComplete="off"
          value={texts.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </Field>
      <Field {...fields.introduction}>
        <TextArea
          rows={3}
          value={texts.introduction}
          onChange={(event) => onChange({ introduction: event.target.value })}
        />
      </Field>
    </div>
  )
}
