// MediaGallery: each fixture as picked and in every view, with the button that publishes them.
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Banner } from '#src/ui/states/banner.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { FixtureRow } from './row.tsx'
import { mediaGalleryText as words } from './text.ts'
import { type CopiesState, useCopies } from './use-copies.ts'
import { type Fixtures, useFixtures } from './use-fixtures.ts'

export function MediaGallery() {
  const me = useMember()
  return me && <Gallery key={me.id} ownerId={me.id} />
}

function Gallery({ ownerId }: { ownerId: string }) {
  const fixtures = useFixtures(ownerId)
  const copies = useCopies(ownerId)
  const { list } = fixtures
  return (
    <div className="mx-auto w-full max-w-320 min-w-0 self-start py-6">
      <header className="px-4">
        <h1 className="text-2xl font-semibold">{words.title}</h1>
        <p className="mt-2 max-w-prose text-sm text-soft">{words.intro}</p>
      </header>
      <Acts fixtures={fixtures} copies={copies} />
      {list === undefined && (
        <p className="grid place-items-center py-12">
          <Spinner label={text.loading} />
        </p>
      )}
      {list === 'failed' && <Banner look="error">{words.notListed}</Banner>}
      {Array.isArray(list) && (
        <ul aria-label={words.list} className="mt-6">
          {list.map((it) => (
            <FixtureRow
              key={it.file}
              fixture={it}
              state={fixtures.stateOf(it)}
              post={copies.copies.posts.get(it.file)}
              message={copies.copies.messages.get(it.file)}
              isGiven={copies.given.has(it.file)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Publishes the fixtures that the editor takes, and removes what was published. */
function Acts({ fixtures: { list, stateOf }, copies }: { fixtures: Fixtures; copies: CopiesState }) {
  const { people, work, publish, remove, hasFailed } = copies
  if (!people || !Array.isArray(list)) return null
  const states = list.map(stateOf)
  const areAllPicked = states.every((it) => it.is === 'picked' || it.is === 'failed')
  const taken = states.flatMap((it) => (it.is === 'picked' && it.picked.items.length > 0 ? [it.file] : []))
  const isPublished = copies.copies.posts.size + copies.copies.messages.size > 0
  return (
    <section className="mt-4 px-4">
      <p className="max-w-prose text-sm text-soft">
        {people.partner ? words.publishHint(people.partner.name) : words.noPartner}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          size="small"
          disabled={!areAllPicked || work !== undefined}
          busy={work?.is === 'publishing'}
          busyLabel={text.working}
          onClick={() => publish(taken)}
        >
          {words.publish}
        </Button>
        {isPublished && (
          <Button
            look="danger"
            size="small"
            disabled={work !== undefined}
            busy={work?.is === 'removing'}
            busyLabel={words.removing}
            onClick={remove}
          >
            {words.remove}
          </Button>
        )}
        <output className="text-sm text-soft">
          {work?.is === 'publishing' && words.publishing(work.done, work.all)}
        </output>
      </div>
      {hasFailed && (
        <p role="alert" className="mt-2 text-sm text-seal-text">
          {words.failed}
        </p>
      )}
    </section>
  )
}
