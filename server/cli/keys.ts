// Commands about master keys: listing, rotating, encrypting by the present one, and dropping.
import { NO_ID } from '#contract/administration/audit-names.ts'
import { resealAll, type SealedCounts } from '#server/services/keys/reseal.ts'
import { storeRetainedKeys } from '#server/services/keys/retained.ts'
import { ADMIN } from './admin-program.ts'
import type { Command, CommandCall } from './command.ts'
import { wrongCall } from './wrong-call.ts'

const entry = { actorId: NO_ID, subjectKind: 'master_key', subjectId: NO_ID, ip: '' } as const

/** A line of progress is printed for this many values. */
const PROGRESS = 100
/** Rows that no key opens are printed up to this number. */
const MOST = 50

function printUnreadable({ unreadable }: SealedCounts, print: CommandCall['print']): void {
  if (unreadable.length === 0) return
  print(`どのキーでも読めないデータが${unreadable.length}件あります:`)
  for (const it of unreadable.slice(0, MOST)) print(`  ${it}`)
}

export const keyList: Command = {
  usage: 'key list',
  summary: 'マスターキーと、それぞれで暗号化されたデータの数を表示します',
  async run({ deps, args, print }) {
    if (args.length > 0) return wrongCall(print, this.usage)
    const [present, ...read] = deps.secrets.keys
    print(`${present.fingerprint}  使用中`)
    for (const it of read) print(`${it.fingerprint}  読み取りのみ`)
    const counts = await resealAll(deps, 'count')
    print(`使用中のキーで暗号化: ${counts.present}件、ほかのキーで暗号化: ${counts.earlier}件`)
    printUnreadable(counts, print)
    return counts.unreadable.length > 0 ? 1 : 0
  },
}

export const keyRotate: Command = {
  usage: 'key rotate',
  summary: '新しいマスターキーをつくります。続けて key reseal を実行してください',
  async run({ deps: { keyFile, audit }, args, print }) {
    if (args.length > 0) return wrongCall(print, this.usage)
    if (!keyFile) {
      print('キーは SECRET_KEY で指定されています。手順は docs/how-to/rotate-the-master-key.md にあります。')
      return 1
    }
    const keys = await keyFile.rotate()
    await audit({ ...entry, act: 'key.rotate', detail: { keys } })
    print('新しいキーをつくりました。これまでのキーは、読み取りのために残っています。')
    print(`次に ${ADMIN} key reseal を実行してください。`)
    return 0
  },
}

export const keyReseal: Command = {
  usage: 'key reseal',
  summary: 'ほかのキーで暗号化されたデータを、使用中のキーで暗号化し直します。中断しても続きから再開できます',
  async run({ deps, args, print }) {
    if (args.length > 0) return wrongCall(print, this.usage)
    await storeRetainedKeys(deps.db, deps.secrets, deps.clock)
    const counts = await resealAll(deps, 'reseal', (values) => {
      if (values % PROGRESS === 0) print(`${values}件`)
    })
    await deps.audit({ ...entry, act: 'key.reseal', detail: { count: counts.present } })
    print(`${counts.present}件が、使用中のキーで暗号化されています。`)
    if (counts.earlier > 0)
      print(
        `${counts.earlier}件は途中で変更されました。すべてのサーバーを新しいキーで起動してから、もう一度実行してください。`,
      )
    printUnreadable(counts, print)
    return counts.unreadable.length + counts.earlier > 0 ? 1 : 0
  },
}

export const keyDrop: Command = {
  usage: 'key drop <キーの名前>',
  summary: '読み取りのみのキーを削除します。そのキーで暗号化されたデータが残っていれば、削除しません',
  async run({ deps, args, print }) {
    const [fingerprint, ...more] = args
    if (fingerprint === undefined || more.length > 0) return wrongCall(print, this.usage)
    const isRead = deps.secrets.keys.slice(1).some((it) => it.fingerprint === fingerprint)
    if (!isRead) {
      print('この名前の、読み取りのみのキーはありません。')
      return 1
    }
    await storeRetainedKeys(deps.db, deps.secrets, deps.clock)
    const { earlier } = await resealAll(deps, 'count')
    if (earlier > 0) {
      print(`ほかのキーで暗号化されたデータが${earlier}件あります。先に key reseal を実行してください。`)
      return 1
    }
    if (!deps.keyFile) {
      print('このキーで暗号化されたデータはありません。SECRET_KEY_OTHERS から外せます。')
      return 0
    }
    const keys = await deps.keyFile.drop(fingerprint)
    if (keys === undefined) {
      print('このキーは、データフォルダーの secret.key にありません。')
      return 1
    }
    await deps.audit({ ...entry, act: 'key.drop', detail: { keys } })
    print('キーを削除しました。')
    return 0
  },
}
