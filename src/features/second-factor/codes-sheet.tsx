// CodesSheet: new recovery codes, shown once, to copy or save.
import { text } from '#src/domain/text/text.ts'
import { saveText } from '#src/lib/save-file.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import { secondFactorText } from './text.ts'

const words = secondFactorText.codes

export function CodesSheet({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const lines = codes.join('\n')
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={words.lead}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <p className="font-semibold">{words.once}</p>
      <ul aria-label={words.title} className="grid grid-cols-2 gap-x-6 gap-y-1.5 py-4 tabular-nums">
        {codes.map((it) => (
          <li key={it}>
            <code>{it}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 pb-2">
        <Button look="quiet" size="small" onClick={() => void copyText(lines, words)}>
          {words.copy}
        </Button>
        <Button look="quiet" size="small" onClick={() => saveText(words.fileName, `${lines}\n`)}>
          {words.save}
        </Button>
      </div>
    </Sheet>
  )
}
