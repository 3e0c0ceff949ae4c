// useFixtures: the fixtures of the development server, each picked in the editor.
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { MEDIA_FIXTURES_PATH } from '#contract/paths.ts'
import { type PickedInEditor, pickInEditor } from '#src/features/publish/gallery/pick-in-editor.ts'

const fixture = v.object({
  file: v.string(),
  row: v.optional(v.string()),
  name: v.string(),
  expected: v.string(),
})
export type Fixture = v.InferOutput<typeof fixture>

/** How far a fixture is: its file is being made, picked in the editor, or shown there. */
export type FixtureState =
  | { readonly is: 'making' }
  | { readonly is: 'failed' }
  | { readonly is: 'picking'; readonly file: File; readonly url: string }
  | { readonly is: 'picked'; readonly file: File; readonly url: string; readonly picked: PickedInEditor }

/** Waits for a file. */
const making: FixtureState = { is: 'making' }

async function readFixtures(): Promise<readonly Fixture[]> {
  const reply = await fetch(MEDIA_FIXTURES_PATH)
  return v.parse(v.array(fixture), await reply.json())
}

async function readFile({ file }: Fixture): Promise<File> {
  const reply = await fetch(`${MEDIA_FIXTURES_PATH}/${file}`)
  if (!reply.ok) throw new Error(`${file} was not made: ${reply.status}`)
  return new File([await reply.blob()], file)
}

export interface Fixtures {
  /** `undefined` while the list is read. */
  readonly list: readonly Fixture[] | 'failed' | undefined
  readonly stateOf: (fixture: Fixture) => FixtureState
}

/** Picks the fixtures one after the other, since a picture takes much memory while it is prepared. */
export function useFixtures(ownerId: string): Fixtures {
  const [list, setList] = useState<Fixtures['list']>()
  const [states, setStates] = useState<ReadonlyMap<string, FixtureState>>(new Map())
  useEffect(() => {
    const leaving = new AbortController()
    const releases: (() => void)[] = []
    function show({ file }: Fixture, state: FixtureState): void {
      if (!leaving.signal.aborted) setStates((before) => new Map(before).set(file, state))
    }
    async function pick(it: Fixture): Promise<void> {
      const file = await readFile(it)
      const url = URL.createObjectURL(file)
      releases.push(() => URL.revokeObjectURL(url))
      show(it, { is: 'picking', file, url })
      const picked = await pickInEditor(ownerId, file)
      for (const { preview } of [...picked.items, picked.frame ?? { preview: null }])
        if (preview !== null) releases.push(preview.release)
      show(it, { is: 'picked', file, url, picked })
    }
    async function pickAll(): Promise<void> {
      const all = await readFixtures()
      if (leaving.signal.aborted) return
      setList(all)
      for (const it of all) {
        if (leaving.signal.aborted) return
        await pick(it).catch((error: unknown) => {
          console.error(error)
          show(it, { is: 'failed' })
        })
      }
    }
    void pickAll()
      .catch((error: unknown) => {
        console.error(error)
        setList('failed')
      })
      .finally(() => leaving.signal.aborted && releases.forEach((release) => release()))
    return () => {
      leaving.abort()
      for (const release of releases) release()
    }
  }, [ownerId])
  return { list, stateOf: ({ file }) => states.get(file) ?? making }
}
