// Suggested: suggested creators for a new member, if there are any.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { peopleText as words } from '#src/domain/people/text.ts'
import { PeopleSkeleton } from './people-skeleton.tsx'
import { PersonRow } from './person-row.tsx'
import { suggestedQuery } from './profiles.ts'

/** @param max highest number of people */
export function Suggested({ max }: { max: number }) {
  const id = useId()
  const { data, isPending } = useQuery(suggestedQuery)
  const people = data?.people.slice(0, max) ?? []
  if (isPending) return <PeopleSkeleton rows={max} />
  if (people.length === 0) return null
  return (
    <section aria-labelledby={id} className="pb-8">
      <h2 id={id} className="border-b border-line px-4 pt-6 pb-2 font-semibold rail:px-6">
        {words.suggested}
      </h2>
      <ul>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
    </section>
  )
}
