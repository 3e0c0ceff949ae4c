// Facts: what a deletion does, in three short lists.
import { useId } from 'react'
import { leavingText } from './text.ts'

const words = leavingText

export function Facts() {
  return (
    <>
      <p className="text-read">{words.lead}</p>
      <List title={words.nowTitle} items={words.now} />
      <List title={words.laterTitle} items={words.later} />
      <List title={words.retainedTitle} items={words.retained} />
    </>
  )
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 font-semibold">
        {title}
      </h2>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-soft">
        {items.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
    </section>
  )
}
