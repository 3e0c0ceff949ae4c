// useCopies: what the server has of the fixtures, read again while it changes.
import { useEffect, useState } from 'react'
import {
  type Copies,
  findPartner,
  isMaking,
  type People,
  publishCopies,
  readCopies,
  removeCopies,
} from './copies.ts'

const EVERY_MS = 4000

const none: Copies = { posts: new Map(), messages: new Map() }

type Work =
  | { readonly is: 'publishing'; readonly done: number; readonly all: number }
  | { readonly is: 'removing' }

export interface CopiesState {
  readonly people: People | undefined
  readonly copies: Copies
  readonly work: Work | undefined
  readonly hasFailed: boolean
  /** Names of the files that were given to the queue and may still be on their way. */
  readonly given: ReadonlySet<string>
  readonly publish: (files: readonly File[]) => void
  readonly remove: () => void
}

export function useCopies(ownerId: string): CopiesState {
  const [people, setPeople] = useState<People>()
  const [copies, setCopies] = useState(none)
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set())
  const [work, setWork] = useState<Work>()
  const [hasFailed, setFailed] = useState(false)
  const isWaiting = isMaking(copies) || [...given].some((it) => !copies.posts.has(it))

  useEffect(() => {
    void findPartner(ownerId)
      .then((partner) => setPeople({ ownerId, partner }))
      .catch(fail)
  }, [ownerId])
  useEffect(() => {
    if (!people) return undefined
    const read = () => void readCopies(people).then(setCopies).catch(fail)
    read()
    if (!isWaiting) return undefined
    const timer = setInterval(read, EVERY_MS)
    return () => clearInterval(timer)
  }, [people, isWaiting])

  function fail(error: unknown): void {
    console.error(error)
    setFailed(true)
  }
  async function publishAll(to: People, files: readonly File[]): Promise<void> {
    const there = await readCopies(to)
    for (const [done, file] of files.entries()) {
      setWork({ is: 'publishing', done, all: files.length })
      await publishCopies(to, file, there)
      setGiven((before) => new Set(before).add(file.name))
    }
  }
  async function removeAll(from: People): Promise<void> {
    setWork({ is: 'removing' })
    await removeCopies(await readCopies(from))
    setGiven(new Set())
    setCopies(await readCopies(from))
  }
  function run(doing: Promise<void>): void {
    setFailed(false)
    void doing.catch(fail).finally(() => setWork(undefined))
  }
  return {
    people,
    copies,
    work,
    hasFailed,
    given,
    publish: (files) => people && run(publishAll(people, files)),
    remove: () => people && run(removeAll(people)),
  }
}
