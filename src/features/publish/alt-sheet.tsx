// AltSheet: what a picture shows, for those who cannot see it.
import { useId, useState } from 'react'
import { MAX_ALT } from '#contract/limits.ts'
import { mediaText } from '#src/lib/text-media.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import type { EditorItem } from './editor-item.ts'
import { ShownPicture } from './shown-picture.tsx'

interface AltSheetProps {
  item: EditorItem
  open: boolean
  onOpenChange: (open: boolean) => void
  onSave: (alt: string) => void
}

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
  const id = useId()
  const [alt, setAlt] = useState(item.media.alt)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave(alt)
      }}
      className="flex flex-col gap-3"
    >
      {item.preview !== null && (
        <span className="block h-48 overflow-hidden rounded-field bg-sunk">
          <ShownPicture src={item.preview} alt="" />
        </span>
      )}
      <label htmlFor={id}>{mediaText.altField}</label>
      <textarea
        id={id}
        value={alt}
        rows={4}
        maxLength={MAX_ALT}
        aria-describedby={`${id}-hint`}
        onChange={(event) => setAlt(event.target.value)}
        className="block w-full resize-none rounded-field border border-edge bg-paper p-3 leading-[1.75]"
      />
      <p id={`${id}-hint`} className="text-sm text-soft">
        {mediaText.altHint}
      </p>
      <Button type="submit" look="ink">
        {mediaText.altSave}
      </Button>
    </form>
  )
}
