// Tabs: views of one thing, side by side; an ink line marks the one that is shown.
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  /** They stay in sight while the panel scrolls. */
  sticky?: boolean
}

export function Tabs<Value extends string>({ label, value, onChange, tabs, sticky }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List
        aria-label={label}
        className={cx(
          'flex border-b border-line bg-paper',
          sticky ? 'sticky top-13 z-10 rail:top-0' : 'relative',
        )}
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="min-h-12 flex-1 px-3 font-semibold text-soft transition-colors hover:text-ink data-active:text-ink focus-visible:-outline-offset-2"
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-ink transition-[translate,width]" />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
