// Tabs: a tab list with an indicator, and the panel of the selected tab.
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from './cx.ts'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  /** Whether the tab list stays visible while the panel scrolls. */
  sticky?: boolean
}

// Not from a library, whose tabs measure the indicator and force a layout during rendering. These have equal widths,
// so the indicator's position is computed.
export function Tabs<Value extends string>({ label, value, onChange, tabs, sticky }: TabsProps<Value>) {
  const id = useId()
  const shown = tabs.findIndex((it) => it.value === value)
  const { list, reached: focusedIndex, keys } = useArrows(shown)
  return (
    <>
      {/* Labels that are wider than the screen scroll and do not wrap. */}
      <div
        className={cx(
          'scroll-quiet overflow-x-auto border-b border-line bg-paper',
          sticky && 'stays-on-top top-(--head) z-10 rail:top-0',
        )}
      >
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className="relative grid w-max min-w-full auto-cols-fr grid-flow-col"
        >
          {tabs.map((tab, i) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={i === shown}
              aria-controls={i === shown ? `${id}-panel` : undefined}
              tabIndex={i === focusedIndex ? 0 : -1}
              {...keys}
              onClick={() => i !== shown && onChange(tab.value)}
              className="min-h-(--tab-row) px-3 font-semibold whitespace-nowrap text-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-selected:text-ink"
            >
              {tab.label}
            </button>
          ))}
          <span
            aria-hidden
            className="marked-part absolute bottom-0 left-0 h-0.5 bg-ink transition-[translate]"
            style={{ width: `${100 / tabs.length}%`, translate: `${shown * 100}%` }}
          />
        </div>
      </div>
      <div key={value} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={0}>
        {tabs[shown]?.panel}
      </div>
    </>
  )
}

/** Roving focus: one tab is in the tab order; arrows, Home and End move the focus. */
function useArrows(shown: number) {
  const list = useRef<HTMLDivElement>(null)
  const [focused, setAt] = useState<number>()
  const all = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  return {
    list,
    reached: focused ?? shown,
    keys: {
      onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => setAt(all().indexOf(currentTarget)),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!list.current?.contains(relatedTarget)) setAt(undefined)
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        const tabs = all()
        const next = nextOf(event.key, focused ?? shown, tabs.length)
        if (next === undefined) return
        event.preventDefault()
        tabs[next]?.focus()
      },
    },
  }
}

function nextOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
