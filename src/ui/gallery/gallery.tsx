// Gallery: every component in every state, light and dark side by side.
import { useState } from 'react'
import { Switch } from '#src/ui/fields/switch.tsx'
import { Actions } from './actions.tsx'
import { Feedback } from './feedback.tsx'
import { Fields } from './fields.tsx'
import { Foundations } from './foundations.tsx'
import { Overlays } from './overlays.tsx'

const themes = ['light', 'dark'] as const

export function Gallery() {
  const [still, setStill] = useState(false)
  return (
    <div className="w-full max-w-400 px-4 py-6">
      <header className="flex flex-wrap items-center gap-x-8">
        <h1 className="text-2xl font-semibold">部品</h1>
        <div className="w-56">
          <Switch label="並べて見る" checked={!still} onChange={(side) => setStill(!side)} />
        </div>
      </header>
      <Overlays />
      <div className={still ? '' : 'grid gap-6 side:grid-cols-2'}>
        {themes.map((theme) => (
          <section
            key={theme}
            data-theme={theme}
            aria-label={theme}
            className="min-w-0 rounded-media border border-line bg-paper p-5 text-ink"
          >
            <Foundations />
            <Actions />
            <Fields />
            <Feedback />
          </section>
        ))}
      </div>
    </div>
  )
}
