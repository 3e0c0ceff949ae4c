// The bank: takes transfer files, executes them, and returns results.
import { decodeRecord, RECORD } from '#server/rules/payouts/transfer-records.ts'
import { newId } from '#contract/ids.ts'
import { call, type Reply } from '#server/testing/people/members.ts'
import { readFile, recordFee, sendResults } from '#server/testing/payouts/payouts.ts'
import type { World } from '#server/testing/world.ts'
import { actingAdmin, onSomeServer } from './servers.ts'
import type { StoredFile } from './observed.ts'
import type { BankTransfer, DeliveredFile, PayoutStory } from './story.ts'

const CRLF = 2
/** Where a result file has the digit of a transfer. */
const OUTCOME = 113

/** Places of data records in a file. */
function placesOf(bytes: Buffer): number[] {
  const places: number[] = []
  for (let at = 0; at < bytes.length; at += RECORD + CRLF) if (bytes[at] === 0x32) places.push(at)
  return places
}

function transfersOf({ random }: PayoutStory, bytes: Buffer): BankTransfer[] {
  return placesOf(bytes).flatMap((at) => {
    const record = decodeRecord(bytes.subarray(at, at + RECORD))
    if (record.is !== 'data') return []
    const { payoutNumber, amount, accountNumber } = record.values
    const outcome = random.chance(0.75) ? '0' : random.pick(['1', '2', '8'])
    return [
      { payoutNumber: Number(payoutNumber), amount: Number(amount), accountNumber, outcome, cameBack: false },
    ]
  })
}

/** Live files that no admin has taken to the bank. */
export const filesToDeliver = ({ observed, delivered }: PayoutStory) =>
  observed.files.filter((it) => !it.voided && delivered.every((known) => known.id !== it.id))

/** An admin takes a file to the bank, which executes it. */
export async function deliverFile(story: PayoutStory): Promise<void> {
  const { servers, random, delivered } = story
  const files = filesToDeliver(story)
  if (files.length === 0) return
  const { id } = random.pick(files)
  const reply = await readFile(servers.steady, await actingAdmin(story), id)
  if (reply.statusCode !== 200) return
  const bytes = reply.rawPayload
  delivered.push({ id, bytes, transfers: transfersOf(story, bytes) })
}

/** The bank has refused a file as a whole, and an admin voids it. */
export async function voidUndelivered(story: PayoutStory): Promise<void> {
  const files = filesToDeliver(story)
  if (files.length === 0) return
  const { id } = story.random.pick(files)
  const as = await actingAdmin(story)
  const body = { reason: '銀行がファイルを受け付けませんでした。', not_executed: true }
  await onSomeServer(story, (world) => call(world, as, 'POST', `/admin/payouts/exports/${id}/void`, body))
}

/** The file with the digit of each transfer, as the bank returns it. */
function resultOf({ bytes, transfers }: DeliveredFile): Buffer {
  const result = Buffer.from(bytes)
  for (const [n, at] of placesOf(bytes).entries())
    result.write(transfers[n]?.outcome ?? '0', at + OUTCOME, 'latin1')
  return result
}

/** An admin imports the results of a file, also again. */
export async function importResults(story: PayoutStory): Promise<void> {
  const { delivered, random } = story
  if (delivered.length === 0) return
  const file = resultOf(random.chance(0.7) ? (delivered.at(-1) as DeliveredFile) : random.pick(delivered))
  const as = await actingAdmin(story)
  await onSomeServer(story, (world) => sendResults(world, as, file))
}

/** Imports the results of all files on a server that is not killed. */
export async function importAll(story: PayoutStory): Promise<void> {
  const as = await actingAdmin(story)
  for (const it of story.delivered) await sendResults(story.servers.steady, as, resultOf(it))
}

/** A transfer that was paid comes back days later, and an admin records it by hand. */
export async function sendBack(story: PayoutStory): Promise<void> {
  const { observed, delivered, random } = story
  const paid = observed.payouts.filter((it) => it.state === 'paid')
  if (paid.length === 0) return
  const { id, number } = random.pick(paid)
  const transfer = delivered.flatMap((it) => it.transfers).find((it) => it.payoutNumber === number)
  if (transfer) transfer.cameBack = true
  const as = await actingAdmin(story)
  const body = { is: 'returned', reason: '口座が解約されています。', keeps_fee: false }
  const settle = (world: World): Promise<Reply> =>
    call(world, as, 'POST', `/admin/payouts/${id}/result`, body)
  await onSomeServer(story, settle)
}

/** What a bank takes for one transfer at most, yen. */
const MOST_FEE = 880

/** An admin types what the bank's statement shows for a file, perhaps after another one did, or before all results are known. */
async function recordFeeOf(story: PayoutStory, file: StoredFile, on = onSomeServer): Promise<void> {
  const { random, typedFees } = story
  const known = file.fees.at(-1)
  const [id, fee] = [newId(), random.between(0, file.count * MOST_FEE)]
  typedFees.set(id, { fileId: file.id, fee })
  const replaces = random.chance(0.9) ? (known?.id ?? null) : (file.fees[0]?.id ?? newId())
  const as = await actingAdmin(story)
  await on(story, (world) => recordFee(world, as, file.id, fee, { id, replaces }))
}

export async function recordFeeOfFile(story: PayoutStory): Promise<void> {
  const { observed, random } = story
  const settled = observed.files.filter((it) => it.settled)
  const files = settled.length > 0 && random.chance(0.9) ? settled : observed.files
  if (files.length > 0) await recordFeeOf(story, random.pick(files))
}

/** Records the fee of each file that has none, on a server that is not killed. */
export async function recordFees(story: PayoutStory): Promise<void> {
  for (const file of story.observed.files)
    if (file.settled && file.fees.length === 0)
      await recordFeeOf(story, file, async ({ servers }, work) => void (await work(servers.steady)))
}
