// The drill: a server with people and money is destroyed, and restored from its backup.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { newId } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { buildApp } from './app.ts'
import { backupCreate } from './cli/backup/create.ts'
import { backupErasures } from './cli/backup/erasures.ts'
import { backupRestore } from './cli/backup/restore.ts'
import { backupVerify } from './cli/backup/verify.ts'
import { runCommand } from './cli/commands.ts'
import type { Deps } from './deps.ts'
import { type Env, readEnv } from './env/env.ts'
import { deleteDueAccounts } from './modules/leaving/erase.ts'
import { removeMedia } from './modules/media/remove.ts'
import { newVapid } from './adapters/push/vapid.ts'
import { openDeps } from './open-deps.ts'
import { openVapid } from './services/keys/open-keys.ts'
import { addEmail } from './store/accounts/emails.ts'
import { rowsOf, runOn } from './testing/copies.ts'
import { joined, openClub } from './testing/memberships/club.ts'
import { chatIn } from './testing/messages/chat.ts'
import { buy } from './testing/payments/bought.ts'
import { pricedPost } from './testing/payments/shop.ts'
import { submitted, uploadDocument } from './testing/people/identity.ts'
import { leave } from './testing/people/leaving.ts'
import { type Member, signUp, upload } from './testing/people/members.ts'
import { openStudio, type Studio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { newBuckets, s3Environment } from './testing/s3/stores.ts'
import { openWorld, storedAt, type World } from './testing/world.ts'

const silent = { failed: () => undefined, redis: () => undefined, realtime: () => undefined }

/** Seconds. */
const WEEK = 7 * 24 * 3600

/** Everything that the drill looks for again. */
interface Loaded {
  readonly studio: Studio
  readonly buyer: Member
  readonly leaver: Member
  /** A post with a picture, which is deleted after the backup. */
  readonly postId: string
  readonly mediaId: string
  readonly bought: string
  readonly messageId: string
  /** An upload of the buyer for an identity check, which is not submitted. */
  readonly documentId: string
}

async function load(world: World): Promise<Loaded> {
  const studio = await openStudio(world)
  const { creator, fan: leaver } = studio
  const [field, mediaId] = await studio.image(await jpeg(), 'a.jpg')
  const postId = await studio.post([['content', '消える前の投稿'], ['type', '1'], field])
  await studio.processedMedia(postId)
  await submitted(world, leaver)
  await upload(world, leaver, await jpeg(), 'own.jpg')
  const buyer = await signUp(world)
  const bought = await pricedPost(world, creator)
  await buy(world, buyer, bought)
  const club = await openClub(world)
  await joined(world, buyer, club.plan.id)
  const chat = chatIn(() => world)
  const documentId = await uploadDocument(world, buyer, await jpeg())
  const { id: messageId } = await chat.write(buyer, creator, '復元のあとも読めるメッセージ')
  // Jobs that wait while the backup is made.
  const letterId = newId()
  await world.deps.transaction(async ({ tx }) => {
    await addEmail(tx, { id: letterId, sealed: '', noticeId: null }, world.clock.now)
    await world.deps.jobs.enqueue(tx, 'letter.send', { letterId }, WEEK)
    await world.deps.jobs.enqueue(tx, 'message.push', { messageId }, WEEK)
    await world.deps.jobs.enqueue(tx, 'payment.reconcile', {}, WEEK)
  })
  return { studio, buyer, leaver, postId, mediaId, bought, messageId, documentId }
}

/** After the backup: a deleted post, another one, and an account that is erased. */
async function loadMore(world: World, { studio, leaver, postId, mediaId }: Loaded): Promise<void> {
  await world.database.executeSql('delete from post_media where post_id = $1', [postId])
  await removeMedia(world.deps, mediaId)
  const [field] = await studio.image(await jpeg(), 'b.jpg')
  await studio.processedMedia(await studio.post([['type', '1'], field]))
  await leave(world, leaver)
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
}

/** A job that a worker of the lost system runs while the backup is made. */
const runningJob = `insert into pgboss.job (name, state, started_on, expire_seconds, retry_limit, data, output)
  values ('post.fan-out', 'active', now(), 3600, 8, '{"subjectId":"0198c0de-0000-7000-8000-000000000001","stretch":0}',
    jsonb_build_object('run', 'lost', 'leasedUntil', now() + interval '1 hour'))`

const nameOf = (url: string) => new URL(url).pathname.slice(1)
const adminOf = (url: string) => Object.assign(new URL(url), { pathname: '/postgres' }).href

const kinds = [
  {
    objects: 'the disk',
    available: postgresAvailable(),
    open: async () => undefined,
    // What docs/operate/install.md says to keep: nothing else is left of the machine.
    keys: 'the environment',
  },
  {
    objects: 'S3',
    available: postgresAvailable() && cephAvailable(),
    open: () => newBuckets(),
    keys: 'the data folder',
  },
]

const pair = newVapid()
const environmentKeys = {
  SECRET_KEY: 'd'.repeat(44),
  VAPID_PUBLIC_KEY: pair.publicKey,
  VAPID_PRIVATE_KEY: pair.privateKey,
}

describe.each(kinds)(
  'a drill on PostgreSQL and $objects, with the keys of $keys',
  ({ available, open, keys }) => {
    describe.skipIf(!available)('a server that was destroyed', () => {
      let world: World
      let loaded: Loaded
      let env: Env
      let deps: Deps
      let parent = ''
      let paid: unknown[] = []
      const lines: string[] = []
      const run = (command: typeof backupCreate, ...args: string[]) =>
        command.runAlone({ env, args, print: (line) => void lines.push(line) })
      const inBackup = (...names: string[]) => path.join(parent, ...names)
      const payments = (url: string) =>
        rowsOf(url, `select id::text, amount, state from payments where state = 'paid' order by id`)

      beforeAll(async () => {
        parent = await mkdtemp(path.join(tmpdir(), 'todoke-drill-'))
        const dataDir = inBackup('data')
        const s3 = await open()
        const settings = { backupDays: 14 }
        const given = keys === 'the environment' ? environmentKeys : {}
        const masterKeys = { present: keys === 'the environment' ? environmentKeys.SECRET_KEY : '' }
        world = await openWorld({
          database: 'postgres',
          worker: true,
          settings,
          parts: { dataDir, s3, masterKeys },
        })
        await openVapid(world.deps.db, dataDir, keys === 'the environment' ? pair : undefined)
        const url = defined(world.postgres?.url)
        env = readEnv({
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          BACKUP_DAYS: '14',
          SEED_DEMO: '0',
          LOG_LEVEL: 'silent',
          ...given,
          ...(s3 && s3Environment(s3)),
        })
        loaded = await load(world)
        paid = await payments(url)
        await world.database.executeSql(runningJob)
        expect(await run(backupCreate, inBackup('backup'))).toBe(0)
        await loadMore(world, loaded)
        await destroy(world, s3 === undefined)
        const code = await run(backupRestore, inBackup('backup'), '--erasures', inBackup('erasures'))
        expect([lines.at(-1), code]).toEqual(['復元が終わりました。サーバーを起動できます。', 0])
        deps = await openDeps(env, silent)
      })
      afterAll(async () => {
        await deps?.close()
        await world.postgres?.stop()
        await rm(parent, { recursive: true, force: true })
      })

      /** Ends the server, and destroys its database and its folder; the log of erasures, and keys of the folder, are stored elsewhere. */
      async function destroy(lost: World, withLog: boolean): Promise<void> {
        const url = defined(lost.postgres?.url)
        await writeFile(inBackup('erasures'), '')
        if (withLog) expect(await run(backupErasures, inBackup('erasures'))).toBe(0)
        const names = keys === 'the environment' ? [] : ['secret.key', 'vapid.json']
        const kept = await Promise.all(names.map((it) => readFile(storedAt(lost, it))))
        await lost.app.close()
        await lost.deps.close()
        await runOn(
          adminOf(url),
          `drop database ${nameOf(url)} with (force)`,
          `create database ${nameOf(url)}`,
        )
        await rm(lost.dataDir, { recursive: true })
        await openDataFolder(lost.dataDir, Object.fromEntries(names.map((it, at) => [it, defined(kept[at])])))
      }

      test('has each object of each row', async () => {
        const found: string[] = []
        const code = await runCommand(['storage', 'check'], { deps, print: (it) => void found.push(it) })
        expect([code, found]).toEqual([
          0,
          [expect.stringMatching(/ユーザー[1-9]\d*人、投稿[1-9]/), '違いは0件、直したものは0件です。'],
        ])
      })

      test('has every paid payment, and a ledger that continues', async () => {
        expect(paid).toHaveLength(2)
        expect(await payments(env.DATABASE_URL)).toEqual(paid)
        const print = () => undefined
        expect(await runCommand(['audit', 'verify'], { deps, print })).toBe(0)
      })

      test('answers people with what they had', async () => {
        const app = await buildApp(deps)
        const get = (as: Member, url: string) =>
          app.inject({ method: 'GET', url: API_BASE + url, headers: as.auth })
        expect((await app.inject('/api/health/ready')).statusCode).toBe(200)
        const post = (await get(loaded.buyer, `/posts/${loaded.bought}`)).json<{ access: { is: string } }>()
        expect(post.access.is).toBe('full')
        const chat = await get(loaded.buyer, `/conversations/${loaded.studio.creator.id}/messages`)
        expect(chat.body).toContain('復元のあとも読めるメッセージ')
        const shown = await get(loaded.studio.creator, `/posts/${loaded.postId}`)
        expect(shown.body).toContain(loaded.mediaId)
        await app.close()
      })

      test('does not have a document that was not submitted, which its device sends again', async () => {
        const { rows } = await deps.database.executeSql('select id from uploads where id = $1', [
          loaded.documentId,
        ])
        expect(rows).toEqual([])
        expect(await readFile(inBackup('backup', 'objects.jsonl'), 'utf8')).not.toContain(loaded.documentId)
      })

      test('does not have the account that was erased after the backup, nor its files', async () => {
        const { id } = loaded.leaver
        const { rows } = await deps.database.executeSql('select email, name from users where id = $1', [id])
        expect(rows).toEqual([{ email: `deleted-${id}@invalid`, name: '退会したユーザー' }])
        const { rows: left } = await deps.database.executeSql(
          `select (select count(*)::int from uploads where owner_id = $1) as uploads,
           (select count(*)::int from identity_checks where user_id = $1) as checks,
           (select count(*)::int from sessions where user_id = $1) as sessions`,
          [id],
        )
        expect(left).toEqual([{ uploads: 0, checks: 0, sessions: 0 }])
        const documents: string[] = []
        for await (const page of deps.storage.objects.list('identity'))
          documents.push(...page.map((it) => it.name))
        expect(documents).toEqual([])
      })

      test('sends no email and no push a second time, and does what remains to be done for money', async () => {
        const { rows } = await deps.database.executeSql(
          `select name from pgboss.job where name in ('letter.send', 'message.push', 'payment.reconcile')
         and state in ('created', 'retry', 'active')`,
        )
        expect(rows).toEqual([{ name: 'payment.reconcile' }])
        expect((await deps.database.executeSql('select id from letters')).rows).toEqual([])
      })

      test('runs at once what ran at the moment of the backup', async () => {
        const { rows } = await deps.database.executeSql(
          `select state::text, started_on, start_after <= now() as due from pgboss.job
         where name = 'post.fan-out' and data ->> 'subjectId' = '0198c0de-0000-7000-8000-000000000001'`,
        )
        expect(rows).toEqual([{ state: 'retry', started_on: null, due: true }])
        const active = `select name from pgboss.job where state = 'active'`
        expect((await deps.database.executeSql(active)).rows).toEqual([])
      })

      test('has the restore in its audit log', async () => {
        const { rows } = await deps.database.executeSql(
          `select detail from audit_log where act = 'backup.restore'`,
        )
        expect(rows).toEqual([{ detail: { at: expect.any(Number), count: 1 } }])
      })

      test('has a backup that is still whole', async () => {
        expect(await run(backupVerify, inBackup('backup'))).toBe(0)
        expect(lines.at(-1)).toBe('バックアップはそろっています。')
      })

      test('refuses another restore over its rows, and one over servers that run', async () => {
        lines.length = 0
        expect(await run(backupRestore, inBackup('backup'))).toBe(1)
        const name = nameOf(env.DATABASE_URL)
        expect(lines[0]).toBe(
          `データベース「${name}」は空ではありません。中身を削除して復元するときは、--confirm ${name} を指定してください。`,
        )
        expect(lines[1]).toMatch(/^ほかの接続が\d+本あります。/)
        expect((await deps.database.executeSql('select count(*)::int as n from users')).rows).not.toEqual([
          { n: 0 },
        ])
      })

      test('is restored over its rows when the name of the database is confirmed', async () => {
        await deps.close()
        const name = nameOf(env.DATABASE_URL)
        expect(await run(backupRestore, inBackup('backup'), '--confirm', name)).toBe(0)
        deps = await openDeps(env, silent)
        expect(await payments(env.DATABASE_URL)).toEqual(paid)
      })
    })
  },
)

/** Makes a folder with files. */
async function openDataFolder(folder: string, files: Readonly<Record<string, Buffer>>): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const [name, bytes] of Object.entries(files))
    await writeFile(path.join(folder, name), bytes, { mode: 0o600 })
}
