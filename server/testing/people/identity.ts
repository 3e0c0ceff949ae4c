// Sends the requests of identity checks to a test server.
import { sql } from 'drizzle-orm'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { call, digestOf, type Member, patch, type Reply, signUp, tus } from './members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import type { World } from '#server/testing/world.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Uploads a file of an identity check as the upload queue does. */
export async function uploadDocument(
  world: World,
  as: Member,
  bytes: Buffer,
  { id = newId(), purpose = 'identity' }: { id?: string; purpose?: string } = {},
): Promise<string> {
  const metadata = `id ${base64(id)},filename ${base64('表面')},purpose ${base64(purpose)}`
  await world.app.inject({
    method: 'POST',
    url: TUS_PATH,
    headers: { ...as.auth, ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  await patch(world, as, id, 0, bytes)
  return id
}

/** An upload in the form of a submission's body. */
export async function named(id: string, bytes: Buffer) {
  return { upload_id: id, digest: (await digestOf(id, bytes)).slice(id.length + 1) }
}

export interface Documents {
  readonly front: Buffer
  readonly back: Buffer
  readonly live: Buffer
}

export async function documents(): Promise<Documents> {
  return { front: await jpeg(80, 50), back: await jpeg(81, 50), live: fixture('vp9.webm') }
}

export async function requestPromptsAs(world: World, as: Member): Promise<string> {
  return (await call(world, as, 'POST', '/identity/prompts')).json().id
}

/** Stores the name that the person's document has. */
export const LEGAL_NAME = { legal_name: '届 花子', legal_name_kana: 'トドケ　ハナコ' }
export const setNameOf = (world: World, as: Member, name: object = LEGAL_NAME): Promise<Reply> =>
  call(world, as, 'PUT', '/auth/legal-name', name)

/** Stores the name, and uploads the files of a submission. @returns its body */
export async function prepared(world: World, as: Member, given?: Documents) {
  const files = given ?? (await documents())
  await setNameOf(world, as)
  const prompts_id = await requestPromptsAs(world, as)
  const [front, back, live] = await Promise.all(
    [files.front, files.back, files.live].map(async (bytes) =>
      named(await uploadDocument(world, as, bytes), bytes),
    ),
  )
  if (!front || !back || !live) throw new Error('three files are required')
  return { prompts_id, document_kind: 'drivers_license' as string, front, back, live }
}

export function submit(world: World, as: Member, body: object, key: string = newId()): Promise<Reply> {
  return call(world, as, 'POST', '/identity/checks', body, { 'idempotency-key': key })
}

/** Uploads and submits an identity check. @returns its id */
export async function submitted(world: World, as: Member): Promise<string> {
  return (await submit(world, as, await prepared(world, as))).json().data.id
}

export async function admin(world: World): Promise<Member> {
  const person = await signUp(world)
  await world.deps.db.execute(sql`update users set role = 'admin' where id = ${person.id}`)
  await identify(world, person)
  return person
}

/** What the account says about a person, as a check that an admin took shows it. */
export async function comparedBy(world: World, as: Member, check: string): Promise<object> {
  const { evidence } = (await call(world, as, 'GET', `/admin/identity/checks/${check}`)).json<CheckDetail>()
  const { legal_name = '', legal_name_kana = '', birth_date = '' } = evidence ?? {}
  return { legal_name, legal_name_kana, birth_date }
}

/** Reads each file of a check that an admin took, whole. */
export async function readFiles(world: World, as: Member, check: string): Promise<void> {
  const { rows } = await world.database.executeSql('select id from identity_files where check_id = $1', [
    check,
  ])
  for (const { id } of rows as { id: string }[]) await call(world, as, 'GET', `/admin/identity/files/${id}`)
}

/** Reads all of a taken check, and approves it. */
export async function approveSeen(world: World, as: Member, check: string): Promise<Reply> {
  await readFiles(world, as, check)
  const body = await comparedBy(world, as, check)
  return call(world, as, 'POST', `/admin/identity/checks/${check}/approve`, body)
}

/** Sets the time of validation of all sessions of a person to now. */
export async function identify({ deps, clock }: World, person: Member): Promise<void> {
  const at = new Date(clock.now).toISOString()
  await deps.db.execute(sql`update sessions set validated_at = ${at} where user_id = ${person.id}`)
}

export async function audited(world: World): Promise<{ act: string; actor: string; subject: string }[]> {
  const { rows } = await world.database.executeSql(
    'select act, actor_id as actor, subject_id as subject from audit_log order by seq',
  )
  return rows as { act: string; actor: string; subject: string }[]
}
