// Tabs: views of one thing, side by side; an ink line marks the one that is shown.
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from './cx.ts'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  /** They stay in sight while the panel scrolls. */
  sticky?: boolean
}

// Our own, since they are on the first page: library tabs measure their line and their order in the page, which forces
// a layout while it is drawn. These have equal widths, so the line's place is known.
export function Tabs<Value extends string>({ label, value, onChange, tabs, sticky }: TabsProps<Value>) {
  const id = useId()
  const shown = tabs.findIndex((it) => it.value === value)
  const { list, reached, keys } = useArrows(shown)
  return (
    <>
      {/* Words that are wider than the screen are scrolled to, not broken. */}
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
              tabIndex={i === reached ? 0 : -1}
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

/** One stop for the Tab key, where one is or what is shown; arrows, Home and End go from one to the other. */
function useArrows(shown: number) {
  const list = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const all = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  return {
    list,
    reached: at ?? shown,
    keys: {
      onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => setAt(all().indexOf(currentTarget)),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!list.current?.contains(relatedTarget)) setAt(undefined)
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        const tabs = all()
        const next = nextOf(event.key, at ?? shown, tabs.length)
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
