// SettingRow: a row with the value of a setting, which opens its sheet.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface SettingRowProps {
  icon: ReactNode
  label: string
  value: ReactNode
  onOpen: () => void
  children?: ReactNode
}

export function SettingRow({ icon, label, value, onOpen, children }: SettingRowProps) {
  return (
    <div className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        aria-haspopup="dialog"
        className="flex min-h-14 w-full items-center gap-3 py-2 text-left hover:bg-sunk focus-visible:-outline-offset-2"
      >
        <span className="text-soft">{icon}</span>
        <span className="shrink-0">{label}</span>
        <span className="min-w-0 flex-1 truncate text-right text-soft">{value}</span>
        <ChevronRight aria-hidden size={20} className="shrink-0 text-soft" />
      </button>
      {children && <div className="pb-3">{children}</div>}
    </div>
  )
}
