// AltSheet: edits the alternative text of a picture.
import { MAX_ALT } from '#contract/limits.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { PickedPicture } from '#src/domain/media/shown-picture.tsx'
import { mediaText } from '#src/domain/media/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { EditorItem } from '#src/features/publish/files/editor-item.ts'

interface AltSheetProps {
  item: EditorItem
  open: boolean
  onOpenChange: (open: boolean) => void
  onSave: (alt: string) => void
}

/** Share of the limit from which the count is shown. */
const NEAR = 0.9

export function AltSheet({ item, open, onOpenChange, onSave }: AltSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={mediaText.altTitle} closeLabel={mediaText.close}>
      {open && (
        <AltForm
          item={item}
          onSave={(alt) => {
            onSave(alt)
            onOpenChange(false)
          }}
        />
      )}
    </Sheet>
  )
}

function AltForm({ item, onSave }: Pick<AltSheetProps, 'item' | 'onSave'>) {
  const { values, change, clear } = useTypedFields(`alt.${item.media.id}`, { alt: item.media.alt })
  const { alt } = values
  const length = lengthOf(alt.trim(), MAX_ALT)
  const error = textSentence(alt.trim(), MAX_ALT)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (error !== undefined) return
        onSave(alt)
        clear()
      }}
      className="flex flex-col gap-3"
    >
      {item.preview !== null && (
        <span className="block h-48 overflow-hidden rounded-field bg-sunk">
          <PickedPicture id={item.media.id} preview={item.preview} alt="" />
        </span>
      )}
      <Field
        label={mediaText.altField}
        hint={mediaText.altHint}
        error={error}
        count={length > MAX_ALT * NEAR ? { now: length, max: MAX_ALT } : undefined}
      >
        <TextArea
          value={alt}
          onChange={(event) => change({ alt: event.target.value })}
          className="max-h-60"
        />
      </Field>
      <Button type="submit" look="ink" disabled={error !== undefined}>
        {mediaText.altSave}
      </Button>
    </form>
  )
}
