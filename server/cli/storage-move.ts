// Moves objects between the data folder and the object store, while servers run.
import { parseArgs } from 'node:util'
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { Moved, ObjectMove } from '#server/adapters/files/moving/move.ts'
import type { Command, CommandCall } from './command.ts'
import { wrongCall } from './wrong-call.ts'

/** How often progress is printed, in objects. */
const PROGRESS = 500

interface Parameters {
  /** Whether what was moved is removed from the earlier place. */
  readonly removes: boolean
}

function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { remove: { type: 'boolean' } } })
    return { removes: values.remove === true }
  } catch {
    return undefined
  }
}

const problems: Readonly<Partial<Record<Moved, string>>> = {
  changed: '移している間に変わり続けました。OBJECTS_FROM のないサーバーが動いていないか確認してください',
  broken: '移した先から読んだ内容が、書いた内容と異なります。移していません',
}

async function moveAll(
  move: ObjectMove,
  { removes }: Parameters,
  print: CommandCall['print'],
): Promise<Readonly<Record<Moved, number>>> {
  const counts: Record<Moved, number> = { moved: 0, same: 0, newer: 0, gone: 0, changed: 0, broken: 0 }
  let done = 0
  for await (const key of move.keys()) {
    const moved = await move.move(key)
    counts[moved] += 1
    const problem = problems[moved]
    if (problem !== undefined) print(`${key}: ${problem}`)
    else if (removes) await move.removeEarlier(key)
    done += 1
    if (done % PROGRESS === 0) print(`${done}件を確認しました。`)
  }
  return counts
}

/** @returns how many uploads are not moved, since their bytes are sent again */
async function dropUnfinished(move: ObjectMove, { removes }: Parameters): Promise<number> {
  let count = 0
  for await (const key of move.unfinished()) {
    if (removes) await move.removeUnfinished(key)
    count += 1
  }
  return count
}

const unfinishedText = (count: number, { removes }: Parameters) =>
  `送信が終わっていないアップロード${count}件は、移した先へ最初から送り直されるため、移していません。${removes ? '元の場所から削除しました。' : ''}`

export const storageMove: Command = {
  usage: 'storage move [--remove]',
  summary:
    'ファイルを、OBJECTS_FROM の場所から現在の場所へ移し、内容を照合します。--remove は、照合できたものを元の場所から削除します',
  async run({ deps, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    const { move } = deps.storage
    if (!move) {
      print('環境変数 OBJECTS_FROM に、移す前の場所（disk か s3）を設定してください。')
      return 2
    }
    const counts = await moveAll(move, given, print)
    const { moved, same, newer, gone, changed, broken } = counts
    print(
      `移したもの${moved}件、すでに同じ内容があったもの${same}件、新しい内容があったもの${newer}件、移している間に削除されたもの${gone}件、移せなかったもの${changed + broken}件です。`,
    )
    const unfinished = await dropUnfinished(move, given)
    if (unfinished > 0) print(unfinishedText(unfinished, given))
    if (moved > 0 || given.removes) await deps.audit(entryOf(moved))
    return changed + broken > 0 ? 1 : 0
  },
}

const entryOf = (count: number) =>
  ({
    actorId: NO_ID,
    act: 'storage.move',
    subjectKind: 'storage',
    subjectId: NO_ID,
    ip: '',
    detail: { count },
  }) as const
