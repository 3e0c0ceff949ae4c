// Checks all messages, on server and device, at the end of a story.
import type { MessageJob } from '#device/jobs/job-rows.ts'
import type { SimMessage } from './servers/message-server.ts'
import type { World } from './world.ts'

interface Text {
  readonly id: string
  readonly ownerId: string
  readonly recipientId: string
  readonly content: string
}

/** What the people of a story have written. */
export interface WrittenMessages {
  /** Texts that the device has stored, in the order in which they were written. */
  readonly texts: Text[]
  /** Messages with files as they were submitted, by id. */
  readonly submitted: Map<string, MessageJob>
  /** Each picked file by its id: `<person> <recipient>`, and its digest. */
  readonly picked: Map<string, { readonly between: string; readonly digest: string }>
}

/** Reports every message that is lost, doubled, changed or out of order. */
export function checkMessages(world: World, written: WrittenMessages): void {
  const { inspector, server } = world
  const known = new Set([...written.texts.map((it) => it.id), ...written.submitted.keys()])
  for (const { id } of server.messages.all)
    if (!known.has(id)) inspector.report('1: the server has a message that was not written')
  for (const it of written.texts) checkText(world, it)
  for (const it of written.submitted.values()) checkFiles(world, it)
  checkOrder(world, written)
  checkRest(world, written)
}

const isSame = (stored: SimMessage, { ownerId, recipientId, content }: Omit<Text, 'id'>): boolean =>
  stored.sender === ownerId && stored.recipient === recipientId && stored.content === content

function checkText({ inspector, server, browser }: World, text: Text): void {
  const stored = server.messages.all.filter((it) => it.id === text.id)
  if (stored.length > 1) inspector.report(`1: a text is stored ${stored.length} times`)
  if (stored.some((it) => !isSame(it, text) || it.media.length > 0))
    inspector.report('2: a text is not the written one')
  const row = browser.disk.rows('acts').find((it) => it.id === text.id)
  if (row && row.stage.is !== 'failed') inspector.report(`6: a text never ended: ${JSON.stringify(row)}`)
  if (row?.stage.is === 'failed' && row.stage.code !== 'forbidden')
    inspector.report(`6: a text was refused without a reason: ${row.stage.code}`)
  if (stored.length === 0 && !row && !inspector.evictedMutations.has(text.id))
    inspector.report('6: a text is lost')
}

function checkFiles({ inspector, server, browser }: World, job: MessageJob): void {
  const { id, ownerId, files, form } = job
  const stored = server.messages.all.filter((it) => it.id === id)
  if (stored.length > 1) inspector.report(`1: a message with files is stored ${stored.length} times`)
  const ids = files.map((it) => it.id).join()
  if (stored.some((it) => !isSame(it, { ownerId, ...form })))
    inspector.report('2: a message with files is not the written one')
  if (stored.some((it) => it.media.join() !== ids))
    inspector.report('2: a message has other files than were submitted')
  const isQueued = browser.disk.rows('jobs').some((it) => it.id === id)
  const isEnded = inspector.isCancelled(id) || inspector.evicted.has(id)
  if (stored.length === 0 && !isQueued && !isEnded) inspector.report('6: a message with files is lost')
}

/**
 * Texts of one person to the other are on the server in the order in which they were written. A late duplicate of a
 * refused text may arrive after the block has ended, behind later ones; the device lists it as refused. The request of a text
 * that the browser evicted may arrive behind texts of the emptied device, which knows nothing of it.
 */
function checkOrder({ inspector, server, people, browser }: World, { texts }: WrittenMessages): void {
  const refused = new Set(browser.disk.rows('acts').map((it) => it.id))
  for (const { id: person } of people) {
    const order = texts.flatMap(({ id, ownerId }) =>
      ownerId === person && !refused.has(id) && !inspector.evictedMutations.has(id) ? [id] : [],
    )
    const places = server.messages.all.flatMap((it) => {
      const place = order.indexOf(it.id)
      return place < 0 ? [] : [place]
    })
    if (places.some((place, i) => place < (places[i - 1] ?? -1)))
      inspector.report(`order: texts are ${places.join()}`)
  }
}

/** Files of messages have all their bytes on the server, and those of ended messages are deleted on the device. */
function checkRest({ inspector, server, browser }: World, { picked }: WrittenMessages): void {
  for (const { media } of server.messages.all)
    if (media.some((id) => !server.messages.isWhole(id)))
      inspector.report('2: a message has a file that is not whole')
    else if (media.some((id) => server.messages.digestOf(id) !== picked.get(id)?.digest))
      inspector.report('2: a message has other bytes than were picked')
  const drafts = new Set(
    [...browser.disk.rows('jobs'), ...browser.disk.rows('messageDrafts')].map((it) => it.id),
  )
  for (const { id, draftId } of browser.disk.rows('media'))
    if (picked.has(id) && !drafts.has(draftId))
      inspector.report('13: a file of an ended message stays on the device')
}
