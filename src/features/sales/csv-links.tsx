// CsvLinks: downloads of the shown entries in two encodings.
import { Download } from 'lucide-react'
import { csvEncodings } from '#contract/sales/sales.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { csvAddress, type EntryFilter } from './sales.ts'
import { salesText } from './text.ts'

const words = salesText.csv
const names = { 'utf-8': words.utf8, shift_jis: words.shiftJis } as const

export function CsvLinks({ filter }: { filter: EntryFilter }) {
  return (
    <div className="px-4 py-6 rail:px-6">
      <p className="text-sm font-semibold">{words.title}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        {csvEncodings.map((it) => (
          <a key={it} href={csvAddress(filter, it)} download className={buttonClass('quiet', 'small')}>
            <Download aria-hidden size={18} />
            {names[it]}
          </a>
        ))}
      </div>
      <p className="mt-2 text-sm text-soft">{words.hint}</p>
    </div>
  )
}
